// Launches: tasks that are activated from outside where the machine has come to rest.
#include "vm/run/launches.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "isa/support/mutant.h"
#include "vm/report/explain.h"
#include "vm/run/parts.h"

namespace wse::vm {
namespace {

// The exported task of a program by name; kNoTask if it has none.
std::uint32_t exported_task(const isa::Program& program, std::string_view name) {
  const auto found = std::ranges::find_if(
      program.tasks, [name](const isa::Task& t) { return t.exported && t.name == name; });
  return found == program.tasks.end() ? kNoTask
                                      : static_cast<std::uint32_t>(found - program.tasks.begin());
}

std::string rect_text(const PeRect& rect) {
  return fmt::format("({}..{}, {}..{})", rect.x, std::uint64_t{rect.x} + rect.width - 1, rect.y,
                     std::uint64_t{rect.y} + rect.height - 1);
}

}  // namespace

std::string Launches::unrest() const {
  const Machine::Parts& p = *machine_.parts_;
  if (p.status == RunStatus::Deadlock || !p.has_come_to_rest())
    return machine_.message(p.status, 0);
  for (const auto& strip : p.strips) {
    for (PeId pe = strip->pes.first; pe < strip->pes.end; ++pe) {
      if (p.loaded.program_at(pe) == nullptr) continue;
      const std::uint32_t task = strip->cores->standstill().ready_task(pe);
      if (task == kNoTask || isa::mutant(isa::Mutant::ReadyIsQuiet)) continue;
      return fmt::format(
          "task '{}' of PE({}, {}) is ready and never begins: the main thread of the PE is in an "
          "instruction that nothing ends; start that on a microthread (`async`)",
          (*p.strips.core(pe).tasks)[task].name, p.mesh.x_of(pe), p.mesh.y_of(pe));
    }
  }
  const std::uint64_t left = p.totals().wavelets_left;
  const bool is_quiet = left == 0 || isa::mutant(isa::Mutant::LeftoversAreQuiet);
  return is_quiet ? std::string() : machine_.message(RunStatus::Halted, left);
}

std::optional<RunStatus> Launches::status() const {
  const Machine::Parts& p = *machine_.parts_;
  return p.last ? std::optional(p.status) : std::nullopt;
}

Cycle Launches::next_cycle() const {
  const Machine::Parts& p = *machine_.parts_;
  return std::max(p.waited, p.last ? p.now + 1 : 0);
}

Cycle Launches::began() const { return machine_.parts_->since.cycle; }

bool Launches::are_prepared() const { return machine_.parts_->is_prepared; }

void Launches::wait_until(Cycle cycle) {
  Machine::Parts& p = *machine_.parts_;
  p.waited = std::max(p.waited, cycle);
}

// Keeps what sums were, and begins anew what is no sum.
void Machine::Parts::begin_launch(Cycle at) {
  Since next{.cycle = at, .counters = strips.counters(), .arrived = {}, .times = {}, .done = {}};
  next.arrived.resize(mesh.pes());
  const bool is_profiled = strips[0].ledger.profile() != nullptr;
  if (is_profiled) next.done.resize(mesh.pes());
  for (const auto& strip : strips) {
    for (PeId pe = strip->pes.first; pe < strip->pes.end; ++pe) {
      next.arrived[pe] = strip->transport->counts().arrived(pe).pushed;
      if (is_profiled) next.done[pe] = strip->ledger.profile()->done(pe);
    }
  }
  hide();
  for (const auto& strip : strips) strip->ledger.counters.finished(at);
  strips.at_once([this, at](std::size_t k) { strips[k].cores->close_activity(at); });
  next.counters.pe_cycles = strips.counters().pe_cycles;
  if (is_profiled) next.times.resize(mesh.pes());
  for (const auto& strip : strips) {
    for (PeId pe = strip->pes.first; is_profiled && pe < strip->pes.end; ++pe) {
      next.times[pe] = strip->ledger.profile()->time(pe);
    }
    strip->ledger.renew();
    strip->transport->counts().forget_peaks();
  }
  since = std::move(next);
  std::ranges::fill(marks, MarkRecord{});
  wall_seconds = 0;
  record.reset();
  status = RunStatus::CycleLimit;
  is_prepared = true;
}

bool Launches::lies_on_grid(const PeRect& rect) const {
  const isa::Topology& mesh = machine_.parts_->mesh;
  return rect.width > 0 && rect.height > 0 && rect.width <= mesh.width() &&
         rect.height <= mesh.height() && rect.x <= mesh.width() - rect.width &&
         rect.y <= mesh.height() - rect.height;
}

// The PEs that would be launched; all is checked here.
isa::Result<std::vector<Launches::Place>> Launches::places(std::string_view name,
                                                           std::size_t arguments,
                                                           const PeRect& rect) const {
  const Machine::Parts& p = *machine_.parts_;
  std::vector<Place> places;
  const isa::Task* first = nullptr;
  for (std::uint32_t y = rect.y; y < rect.y + rect.height; ++y) {
    for (std::uint32_t x = rect.x; x < rect.x + rect.width; ++x) {
      const PeId pe = p.mesh.pe_at(x, y);
      const LoadedProgram* const program = p.loaded.program_at(pe);
      if (program == nullptr) continue;
      const std::uint32_t task = exported_task(*program->program, name);
      if (task == kNoTask) continue;
      const isa::Task& found = program->program->tasks[task];
      if (found.arguments.size() != arguments) {
        return isa::fail(fmt::format("task '{}' of program {} takes {} arguments ({}), not {}",
                                     name, program->program->name, found.arguments.size(),
                                     isa::argument_text(found), arguments));
      }
      if (first != nullptr && first->argument_types != found.argument_types) {
        return isa::fail(fmt::format("programs export task '{0}' as {0}({1}) and as {0}({2})", name,
                                     isa::argument_text(*first), isa::argument_text(found)));
      }
      first = &found;
      const bool has_halted = p.strips.core(pe).main == Core::Main::Halted;
      if (has_halted && !isa::mutant(isa::Mutant::HaltedIsLaunched)) {
        return isa::fail(fmt::format(
            "PE({}, {}) executed `halt` and starts no task '{}'; let its tasks end without it", x,
            y, name));
      }
      places.push_back({pe, task});
    }
  }
  return places;
}

isa::Status Launches::launch(std::string_view name, std::span<const std::uint32_t> arguments,
                             const PeRect& rect) {
  Machine::Parts& p = *machine_.parts_;
  if (!lies_on_grid(rect)) {
    return isa::fail(fmt::format("the region {} is empty or leaves the grid of {} x {} PEs",
                                 rect_text(rect), p.mesh.width(), p.mesh.height()));
  }
  const isa::Result<std::vector<Place>> found = places(name, arguments.size(), rect);
  if (!found) return std::unexpected(found.error());
  if (found->empty()) {
    return isa::fail(
        fmt::format("no program in the region {} exports a task '{}'", rect_text(rect), name));
  }
  const Cycle at = next_cycle() + p.profile.launch_cycles;
  if (p.has_come_to_rest()) p.begin_launch(at);
  for (const Place& place : *found) {
    p.strips.of(place.pe).cores->tasks().launch(place.pe, place.task, arguments, at);
  }
  return {};
}

}  // namespace wse::vm
