// The run loop: the cores in a cycle in which one of them acts, then the transport up to the next.
#include "vm/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <thread>

#include "vm/load/filters.h"
#include "vm/load/initial_data.h"
#include "vm/load/machine_limits.h"
#include "vm/parts.h"
#include "vm/pe/interpreter.h"
#include "vm/report/switches.h"
#include "vm/report/trap_text.h"
#include "vm/stepper/stepper.h"

namespace wse::vm {
namespace {

constexpr std::uint64_t kCyclesBetweenProgress = 4096;

}  // namespace

isa::Status Machine::Parts::load(std::uint32_t threads) {
  if (isa::Status status = check_machine_limits(image, profile); !status) return status;
  isa::Result<Loaded> result = Loaded::load(image, profile, mesh, channels);
  if (!result) return std::unexpected(result.error());
  loaded = std::move(*result);
  if (isa::Status status = fill_initial_data(image, mesh, threads, loaded); !status) return status;
  if (isa::Status status = channels.number(); !status) return status;
  transport = std::make_unique<Stepper>(
      Stepper::Parts{image, profile, mesh, channels, streams, activity, counters, trap, tracer});
  if (isa::Status status = set_filters(image, mesh, channels, *transport); !status) return status;
  history.open_channels(channels.size());
  executor = std::make_unique<Interpreter>(profile);
  cores = std::make_unique<Cores>(Cores::Parts{image, profile, mesh, loaded, channels, *transport,
                                               *executor, agenda, activity, counters, notes,
                                               history, trap, tracer});
  transport->connect(*cores);
  marks.resize(image.marks.size());
  return {};
}

isa::Result<std::unique_ptr<Machine>> Machine::create(isa::Image image, const isa::Profile& profile,
                                                      std::optional<std::uint32_t> threads_given) {
  if (isa::Status status = isa::check(profile); !status) return std::unexpected(status.error());
  const std::uint32_t threads =
      std::max(1u, threads_given.value_or(std::thread::hardware_concurrency()));
  const std::uint32_t width = image.width;
  const std::uint32_t height = image.height;
  try {
    auto parts = std::make_unique<Parts>(std::move(image), profile);
    if (isa::Status status = parts->load(threads); !status) return std::unexpected(status.error());
    return std::unique_ptr<Machine>(new Machine(std::move(parts)));
  } catch (const std::bad_alloc&) {
    return isa::fail(fmt::format("out of memory for a machine of {} x {} PEs", width, height));
  }
}

Machine::Machine(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Machine::~Machine() = default;

const isa::Image& Machine::image() const { return parts_->image; }
const isa::Profile& Machine::profile() const { return parts_->profile; }

Record Machine::run(const RunOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  if (options.trace) parts_->tracer.open(options.trace, options.trace_filter);
  if (options.tsc_skew) parts_->cores->skew_counters(*options.tsc_skew);
  const RunStatus status = run_cycles(options);
  parts_->transport->flush(parts_->now + 1);
  if (status == RunStatus::Trap) parts_->cores->rewind(parts_->now);
  if (status == RunStatus::CycleLimit || status == RunStatus::Interrupted) {
    parts_->cores->rewind(parts_->now + 1);
  }
  Record record = make_record(status);
  if (record.trap) parts_->tracer.trap(*record.trap);
  record.wall_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return record;
}

RunStatus Machine::run_cycles(const RunOptions& options) {
  Parts& p = *parts_;
  p.cores->start();
  Cycle told = 0;  // progress
  for (;;) {
    const Cycle next = std::min(p.agenda.next(), p.transport->next());
    release_notes(options, std::min(next, options.max_cycles));
    if (next == kNever) return p.cores->all_done() ? RunStatus::Halted : RunStatus::Deadlock;
    if (next >= options.max_cycles) {
      p.now = options.max_cycles - 1;
      return RunStatus::CycleLimit;
    }
    p.cores->step(next);
    const Cycle until =
        std::min({p.agenda.next(), options.max_cycles, next + kCyclesBetweenProgress});
    p.now = p.transport->run(next, std::max(until, next + 1), options.interrupt) - 1;
    if (p.trap.first()) {
      release_notes(options, p.now + 1);
      return RunStatus::Trap;
    }
    if (options.interrupt != nullptr && options.interrupt->load(std::memory_order_relaxed)) {
      return RunStatus::Interrupted;
    }
    if (options.progress && p.now >= told + kCyclesBetweenProgress) {
      told = p.now;
      options.progress(p.now);
    }
  }
}

void Machine::release_notes(const RunOptions& options, Cycle end) {
  Parts& p = *parts_;
  p.notes.release(end, [&](const Note& note) {
    if (note.kind == Note::Kind::Mark) {
      MarkRecord& mark = p.marks[note.mark];
      mark.first = std::min(mark.first, note.cycle);
      mark.last = std::max(mark.last, note.cycle);
      ++mark.count;
      p.tracer.note(note.cycle, note.pe, "mark", p.image.marks[note.mark]);
      return;
    }
    p.tracer.note(note.cycle, note.pe, "print", note.text);
    if (!options.print) return;
    options.print(fmt::format("@{} PE({},{}): {}", note.cycle, p.mesh.x_of(note.pe),
                              p.mesh.y_of(note.pe), note.text));
  });
}

Record Machine::make_record(RunStatus status) {
  Parts& p = *parts_;
  Cycle end = p.counters.latest_finish;
  if (status != RunStatus::Halted && status != RunStatus::Deadlock) end = std::min(end, p.now + 1);
  for (const PeId pe : p.loaded.placed()) p.activity.close(pe, end);
  MovedSwitches switches = moved_switches(p.scene());
  const TransportTotals totals = p.transport->totals();
  Record record{.status = status,
                .message = message(status),
                .cycles = end,
                .wall_seconds = 0,
                .width = p.mesh.width(),
                .height = p.mesh.height(),
                .machine = p.profile.name,
                .placed_pes = p.loaded.placed().size(),
                .counters = p.counters,
                .links_used = totals.links_used,
                .max_ramp_wavelets = totals.max_ramp_wavelets,
                .max_link_load = totals.max_link_load,
                .wavelets_left = totals.wavelets_left,
                .trap = std::nullopt,
                .positions = std::move(switches.first),
                .positions_total = switches.total,
                .marks = {}};
  if (status == RunStatus::Trap) record.trap = trap_record(p.scene(), *p.trap.first());
  for (std::size_t k = 0; k < p.marks.size(); ++k) {
    if (p.marks[k].count > 0) record.marks[p.image.marks[k]] = p.marks[k];
  }
  return record;
}

std::string Machine::message(RunStatus status) const {
  const Parts& p = *parts_;
  switch (status) {
    case RunStatus::Halted: {
      const std::uint64_t left = p.transport->totals().wavelets_left;
      if (left == 0) return {};
      return fmt::format("{} wavelet{} nobody took:{}", left, left == 1 ? "" : "s",
                         explain_leftovers(p.scene()));
    }
    case RunStatus::Deadlock:
      return fmt::format("deadlock after {} cycles: {}", p.counters.latest_finish,
                         explain_deadlock(p.scene()));
    case RunStatus::Trap: return trap_text(p.scene(), *p.trap.first());
    case RunStatus::CycleLimit: return fmt::format("stopped at the limit of {} cycles", p.now + 1);
    case RunStatus::Interrupted: return fmt::format("interrupted in cycle {}", p.now);
  }
  return {};
}

std::string Machine::waits_as_dot(const Record& record) const {
  const std::string title = fmt::format("{} after {} cycles", text(record.status), record.cycles);
  if (record.status == RunStatus::Deadlock) return deadlock_as_dot(parts_->scene(), title);
  return empty_dot(title + ": nothing waits for ever");
}

}  // namespace wse::vm
