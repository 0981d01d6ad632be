// Groups PEs by program, task and the tasks that never ran.
#include "vm/report/limit_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "vm/report/control_text.h"
#include "vm/report/explain.h"
#include "vm/report/task_text.h"

namespace wse::vm {
namespace {

constexpr std::size_t kShownClasses = 8;

bool has_task(const Core& core) {
  return core.main != Core::Main::Free && core.main != Core::Main::Halted;
}

// Returns the activated tasks that never ran, as ids.
IdMask starving(const Scene& scene, const Core& core) {
  if (core.program->program->has_main_only()) return 0;
  IdMask ids = 0;
  for_each_id(core.ids.activated_at_last() & core.tasks->local(), [&](std::uint32_t id) {
    if (scene.history.runs(core.first_run + core.tasks->at(id)) == 0) ids |= id_bit(id);
  });
  return ids;
}

struct Class {
  IdMask starving = 0;
  std::vector<PeId> places{};
};

// Finds classes in the order of their first PEs; `stuck`: how many PEs are not done.
std::vector<Class> find_classes(const Scene& scene, std::size_t& stuck) {
  // Program, task or none, tasks that never ran and those of them that are blocked.
  using Key = std::tuple<std::uint32_t, Core::Main, std::uint32_t, IdMask, IdMask>;
  std::map<Key, std::size_t> known;
  std::vector<Class> all;
  for (const PeId pe : scene.loaded.placed()) {
    const Core& core = scene.cores.core(pe);
    if (scene.cores.is_done(pe, scene.now)) continue;
    ++stuck;
    const Core::Main main = has_task(core) ? Core::Main::Ready : core.main;
    const std::uint32_t task = has_task(core) ? core.task : kNoTask;
    const IdMask ids = starving(scene, core);
    const Key key{core.program->number, main, task, ids, ids & core.ids.blocked_at_last()};
    const auto [at, is_new] = known.try_emplace(key, all.size());
    if (is_new) all.push_back({.starving = ids});
    all[at->second].places.push_back(pe);
  }
  return all;
}

// Says why the picker takes the other task before this one, both by their ids, if it does.
std::string order_text(const Core& core, std::uint32_t id, std::uint32_t other) {
  const isa::Task& task = (*core.tasks)[core.tasks->at(id)];
  const isa::Task& first = (*core.tasks)[core.tasks->at(other)];
  if (first.high && !task.high) {
    return fmt::format(", but task {} goes first: its priority is high", first.name);
  }
  if (first.high != task.high || other > id) return {};
  return fmt::format(", but task {} goes first: its id is lower ({}, not {})", first.name, other,
                     id);
}

// Returns the local task that ran most often, as id; that of lowest id of several.
std::uint32_t busiest(const Scene& scene, const Core& core) {
  std::uint32_t busiest = isa::kTaskIds;
  std::uint32_t most = 0;
  for_each_id(core.tasks->local(), [&](std::uint32_t id) {
    const std::uint32_t runs = scene.history.runs(core.first_run + core.tasks->at(id));
    if (runs <= most) return;
    most = runs;
    busiest = id;
  });
  return busiest;
}

std::string starving_text(const Scene& scene, PeId pe, IdMask ids) {
  const Core& core = scene.cores.core(pe);
  std::string out;
  for_each_id(ids, [&](std::uint32_t id) {
    const std::string name = task_name(core, id);
    if ((core.ids.blocked_at_last() & id_bit(id)) != 0) {
      out += fmt::format("; task {} is activated but blocked{}", name,
                         blocked_text(scene, pe, id, name));
      return;
    }
    const std::uint32_t other = busiest(scene, core);
    out += fmt::format("; task {} is ready{}", name,
                       other == isa::kTaskIds ? "" : order_text(core, id, other));
  });
  return out;
}

std::string text_of(const Scene& scene, const Class& alike) {
  const PeId pe = alike.places.front();
  const Core& core = scene.cores.core(pe);
  const std::string name = pe_text(scene.mesh, pe);
  const std::string rest = starts_text(scene, pe) + starving_text(scene, pe, alike.starving);
  if (core.main == Core::Main::Free) return name + " has no task to run" + rest;
  if (core.main == Core::Main::Halted) {
    return name + " has halted, and waits for the end of its microthreads";
  }
  const std::uint32_t pc = main_pc(core);
  const std::string place = scene.image.place_text(core.program->program->line_of(pc));
  return fmt::format("{} (main) at {} is in task {}{}", name,
                     place.empty() ? fmt::format("word {}", pc) : place,
                     (*core.tasks)[core.task].name, rest);
}

}  // namespace

std::string limit_text(const Scene& scene) {
  std::size_t stuck = 0;
  std::vector<Class> all = find_classes(scene, stuck);
  std::ranges::stable_partition(all, [](const Class& c) { return c.starving != 0; });
  std::string out =
      fmt::format("{} of {} PEs with a program are not done", stuck, scene.loaded.placed().size());
  std::size_t left_out = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (k < kShownClasses) {
      out += "\n  " + class_text(scene, all[k].places) + text_of(scene, all[k]);
    } else {
      left_out += all[k].places.size();
    }
  }
  return left_out == 0 ? out : out + fmt::format("\n  ... and {} more PEs", left_out);
}

}  // namespace wse::vm
