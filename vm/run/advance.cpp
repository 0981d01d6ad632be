// Hides the machine, lets its clock run, and shows it.
#include "vm/run/advance.h"

#include <chrono>

#include "vm/run/parts.h"
#include "vm/run/run_loop.h"

namespace wse::vm {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace

Stop Advance::pass(Cycle until) {
  const auto begin = Clock::now();
  Machine::Parts& p = *machine_.parts_;
  if (p.last && !p.can_continue()) return {p.status, p.now, true};
  if (p.strips.size() == 0) return {RunStatus::Halted, 0, true};  // other processes run all
  p.hide();
  p.record.reset();
  p.is_prepared = false;
  const Cycle most = most_cycles(p.loaded.placed().size());
  RunLoop::Options loop{.max_cycles = std::min({until, p.options.max_cycles, most}),
                        .last = p.last,
                        .interrupt = p.options.interrupt,
                        .traced = p.tracer.is_open(),
                        .note = [&](const Note& note) { machine_.tell(p.options, note); },
                        .progress = {},
                        .links = p.links ? &*p.links : nullptr};
  if (p.options.progress) {
    loop.progress = [&p](Cycle now, std::uint64_t busy_pes) {
      p.options.progress({now, busy_pes, p.loaded.placed().size()});
    };
  }
  auto [status, now] = RunLoop(p.strips, *p.threads, *p.communicator, loop).run();
  p.status = status;
  // A transport that nothing moves may have looked at cycles ahead, each in its own way.
  if (p.has_come_to_rest() && !p.is_shared()) now = last_event(p.strips);
  p.last = p.now = now;
  p.wall_seconds += seconds_since(begin);
  return {status, now, !p.can_continue()};
}

void Advance::show() {
  Machine::Parts& p = *machine_.parts_;
  if (p.is_shown || !p.last) return;
  const auto begin = Clock::now();
  p.show(p.status != RunStatus::Interrupted || p.options.reads_interrupted);
  // Null: another process runs that strip.
  if (p.status == RunStatus::Trap && p.strips.first_trap() != nullptr) p.tell_trap();
  p.wall_seconds += seconds_since(begin);
}

}  // namespace wse::vm
