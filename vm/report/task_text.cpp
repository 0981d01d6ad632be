// Tasks that are blocked, that wait in a queue behind others, or that nobody starts.
#include "vm/report/task_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "vm/report/control_text.h"
#include "vm/report/counts.h"

namespace wse::vm {
namespace {

using For = Wait::For;

constexpr std::size_t kShownTasks = 6;

// Says what starts the task, if that is not a data wavelet.
std::string start_text(const Scene& scene, PeId pe, const isa::Task& task) {
  const std::uint32_t id = isa::value_of(task.id, scene.loaded.slots(pe));
  if (task.kind == isa::TaskKind::Control) return fmt::format("entry {}", id);
  if (task.kind == isa::TaskKind::Teardown) {
    return "teardown of " + scene.image.colour_name(id);
  }
  const std::string lines = mentions_text(scene, pe, Mention::Activates, id);
  const std::string_view otherwise = task.exported ? "a launch starts it" : "nothing activates it";
  return lines.empty() ? std::string(otherwise) : "activated at " + lines;
}

// The activated tasks that the picker would take if the main thread, which waits, were free.
IdMask kept_tasks(const Core& core) {
  const bool waits = core.main == Core::Main::Vector || core.main == Core::Main::Waiting ||
                     core.main == Core::Main::Saving;
  return waits ? core.ids.activated_at_last() & ~core.ids.blocked_at_last() : 0;
}

// A data task is blocked, words wait for it, and perhaps a control wavelet after them.
std::string blocked_data_text(const Scene& scene, const ChannelState& channel) {
  const Core& core = scene.cores.core(channel.pe);
  const std::string colour = scene.image.colour_name(channel.colour);
  const std::string task = task_name(core, channel.colour);
  const std::uint64_t words = waiting_words(scene, channel);
  std::string out = fmt::format("{} of {} {} for task {}, which is blocked{}", words_text(words),
                                colour, words == 1 ? "waits" : "wait", task,
                                blocked_text(scene, channel.pe, channel.colour, task));
  const ControlPlace control = first_control(scene, channel);
  if (!control.wavelet) return out;
  return out + fmt::format("; behind {} is {}", words == 1 ? "it" : "them",
                           control_text(scene, channel, *control.wavelet));
}

std::string behind_data_text(const Scene& scene, const ChannelState& channel) {
  const ControlPlace control = first_control(scene, channel);
  const std::uint64_t count = taken(scene, channel.pe, channel.colour);
  const std::string lines = mentions_text(scene, channel.pe, Mention::Receives, channel.colour);
  return fmt::format("{} is behind {} of data that nothing takes, after {} taken{}",
                     control_text(scene, channel, *control.wavelet),
                     words_text(control.words_before), count,
                     lines.empty() ? "" : " (" + lines + ")");
}

}  // namespace

std::string task_wait_text(const Scene& scene, PeId pe, const Wait& wait) {
  const Core& core = scene.cores.core(pe);
  if (wait.what == For::UnblockedTask) {
    const std::string name = task_name(core, wait.number);
    return fmt::format("task {} is activated but blocked{}", name,
                       blocked_text(scene, pe, wait.number, name));
  }
  const ChannelState channel = scene.channel(pe, wait.number);
  if (wait.what == For::UnblockedColour) return blocked_data_text(scene, channel);
  if (wait.what == For::BehindData) return behind_data_text(scene, channel);
  const StandingWavelet head = scene.first_in(channel);
  return control_text(scene, channel, head) + " waits" + obstacle_text(scene, channel, head);
}

std::uint32_t main_pc(const Core& core) {
  for (const InFlight& f : core.in_flight) {
    if (f.thread() == kMainThread) return f.pc();
  }
  // A wait has been passed already.
  if (core.main == Core::Main::Waiting) return core.state.pc - isa::info(isa::Op::Wait).words();
  return core.state.pc;
}

std::string kept_text(const Scene& scene, PeId pe) {
  const Core& core = scene.cores.core(pe);
  std::string names;
  std::size_t tasks = 0;
  for_each_id(kept_tasks(core), [&](std::uint32_t id) {
    if (++tasks > kShownTasks) return;
    names += (names.empty() ? "" : ", ") + task_name(core, id);
  });
  if (tasks == 0) return {};
  if (tasks > kShownTasks) names += fmt::format(" and {} more", tasks - kShownTasks);
  return fmt::format("; task{} {} {} activated, and start{} only when the main thread is free",
                     tasks == 1 ? "" : "s", names, tasks == 1 ? "is" : "are",
                     tasks == 1 ? "s" : "");
}

std::string kept_task_text(const Scene& scene, PeId pe, Mention what, std::uint32_t number) {
  const Core& core = scene.cores.core(pe);
  std::uint32_t kept = kNoTask;
  for_each_id(kept_tasks(core), [&](std::uint32_t id) {
    const std::uint32_t task = core.tasks->at(id);
    if (kept == kNoTask && task != kNoTask && is_in_task(scene, pe, what, number, task))
      kept = task;
  });
  if (kept == kNoTask) return {};
  const std::string place = scene.image.place_text(core.program->program->line_of(main_pc(core)));
  return fmt::format(
      ", in task {}, which is activated but cannot start while the main thread waits{}",
      (*core.tasks)[kept].name, place.empty() ? "" : " at " + place);
}

std::string runs_text(const Scene& scene, PeId pe, std::uint32_t task) {
  const std::uint32_t runs = scene.history.runs(scene.cores.core(pe).first_run + task);
  if (runs == 0) return "never ran";
  return runs == 1 ? "ran once" : fmt::format("ran {} times", runs);
}

std::string missed_text(const Scene& scene, PeId pe) {
  const Core& core = scene.cores.core(pe);
  if (core.main != Core::Main::Halted) return {};
  std::string names;
  std::size_t tasks = 0;
  for_each_id(core.ids.activated_at_last(), [&](std::uint32_t id) {
    if (++tasks > kShownTasks) return;
    names += (names.empty() ? "" : ", ") + task_name(core, id);
  });
  if (tasks == 0) return {};
  if (tasks == 1) return fmt::format(" while task {} was still to run", names);
  const std::size_t more = tasks - std::min(tasks, kShownTasks);
  return fmt::format(" while tasks {}{} were still to run", names,
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

std::string starts_text(const Scene& scene, PeId pe) {
  const Core& core = scene.cores.core(pe);
  std::string out;
  std::size_t tasks = 0;
  const std::vector<isa::Task>& all = core.program->program->tasks;
  for (std::uint32_t k = 0; k < all.size(); ++k) {
    if (all[k].kind == isa::TaskKind::Main || all[k].kind == isa::TaskKind::Data) continue;
    if (++tasks > kShownTasks) continue;
    out += fmt::format("{}task {} {} ({})", out.empty() ? "; " : ", ", all[k].name,
                       runs_text(scene, pe, k), start_text(scene, pe, all[k]));
  }
  if (tasks > kShownTasks) out += fmt::format(", and {} more tasks", tasks - kShownTasks);
  return out;
}

}  // namespace wse::vm
