// Builds a machine of its image, runs it and makes its record. Cycles are the task of run_loop.h.
#include "vm/run/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <span>

#include "isa/support/mutant.h"
#include "vm/load/filters.h"
#include "vm/load/initial_data.h"
#include "vm/load/machine_limits.h"
#include "vm/pe/interpreter.h"
#include "vm/planes/refusal.h"
#include "vm/planes/wafer.h"
#include "vm/report/limit_text.h"
#include "vm/report/pe_state.h"
#include "vm/report/switches.h"
#include "vm/report/trap_text.h"
#include "vm/run/advance.h"
#include "vm/run/parts.h"
#include "vm/run/wafer_worth.h"
#include "vm/stepper/stepper.h"
#include "vm/support/host_memory.h"
#include "vm/support/host_threads.h"

namespace wse::vm {
namespace {

// Even if all data are written the host keeps a quarter of its memory, for what else there is.
bool leaves_memory(std::span<const DataRegion> regions) {
  return bytes_of(regions) <= host_memory_bytes() / 4 * 3;
}

std::string limit_reached(Cycle cycles, std::size_t pes) {
  const std::string text = fmt::format("stopped at the limit of {} cycles", cycles);
  if (cycles < Advance::most_cycles(pes)) return text;
  return fmt::format("{}, since records add up at most {} cycles of {} PEs", text,
                     Advance::kMostPeCycles, pes);
}

}  // namespace

std::optional<TransportChoice> transport_named(std::string_view name) {
  if (name == "auto") return TransportChoice::Auto;
  if (name == "wafer") return TransportChoice::Wafer;
  if (name == "stepper") return TransportChoice::Stepper;
  return std::nullopt;
}

isa::Attempt<void> Machine::Parts::load(const Threads& counts, const Engine& engine,
                                        TransportChoice transport) {
  if (isa::Status status = check_machine_limits(image, profile); !status) return status;
  isa::Attempt<Loaded> result = Loaded::load(image, profile, mesh, channels);
  if (!result) return std::unexpected(result.error());
  loaded = std::move(*result);
  choose_transport(transport);
  const bool may_run = medium == nullptr || medium->may_run();
  if (may_run && on_wafer && leaves_memory(loaded.regions())) loaded.expect_writes();
  if (isa::Status status = channels.number(); !status) return status;
  history.open_channels(channels.size());
  const isa::Attempt<std::vector<PeRange>> ranges = start_and_cut(counts.run);
  if (!ranges) return std::unexpected(ranges.error());
  for (std::uint32_t k = 0; k < ranges->size(); ++k) {
    if (communicator->runs(k)) strips.add(k, (*ranges)[k]);
  }
  if (!may_run) on_wafer = false;  // states are those of steppers
  if (on_wafer) field.emplace(field_parts(), *ranges, strips.pes());
  if (may_run) {
    const auto filled = fill_initial_data(image, mesh, strips.pes(), counts.load, loaded);
    if (!filled) return filled;
  }
  auto executors = engine.executors(image, profile, loaded.programs(), strips.size());
  engine_name = engine.name();
  for (std::size_t k = 0; k < strips.size(); ++k) {
    strips[k].executor = std::move(executors[k]);
    build(strips[k]);
  }
  if (isa::Status status = tell_filters(); !status) return status;
  marks.resize(image.marks.size());
  return {};
}

void Machine::Parts::choose_transport(TransportChoice choice) {
  if (choice == TransportChoice::Stepper || rows) return;
  WaferWorth worth{.is_faster = true, .reason = {}};
  if (choice == TransportChoice::Auto) worth = wafer_worth(image, mesh, loaded);
  std::string refusal;
  if (worth.is_faster) refusal = wafer::refusal(image, profile);
  on_wafer = worth.is_faster && refusal.empty();
  transport_reason = refusal.empty() ? worth.reason : refusal;
}

isa::Attempt<std::vector<PeRange>> Machine::Parts::start_and_cut(std::uint32_t most) {
  const InMemory memory;
  const Medium& chosen = medium != nullptr ? *medium : memory;
  const auto cut = [this](std::uint32_t strips_at_most) {
    if (rows) return std::vector<PeRange>{*rows};
    return on_wafer ? wafer::Field::cut(field_parts(), strips_at_most)
                    : cut_rows(mesh, loaded.placed(), strips_at_most);
  };
  std::vector<PeRange> ranges = cut(most * chosen.processes());
  const std::uint32_t wanted = chosen.threads(static_cast<std::uint32_t>(ranges.size()));
  threads.emplace(wanted);
  // All processes cut alike.
  if (threads->count() < wanted && chosen.processes() > 1) {
    return std::unexpected(isa::Error(threads->shortage() + "; --threads=N asks for fewer"));
  }
  if (threads->count() < wanted) ranges = cut(threads->count());
  communicator = chosen.connect(static_cast<std::uint32_t>(ranges.size()));
  ends.clear();
  for (const PeRange& range : ranges) ends.push_back(range.end);
  return ranges;
}

void Machine::Parts::build(Strip& strip) {
  Link& link = communicator->link(strip.number);
  if (on_wafer) {
    strip.transport = std::make_unique<wafer::Wafer>(wafer::Wafer::Parts{
        image, profile, *field, link, ends, strip.pes, strip.ledger, strip.trap});
  } else {
    strip.transport = std::make_unique<Stepper>(Stepper::Parts{
        image, profile, mesh, channels, strip.pes, link, ends, streams, strip.ledger, strip.trap});
  }
  strip.cores = std::make_unique<Cores>(CoreParts{image, profile, mesh, strip.pes, loaded, channels,
                                                  *strip.transport, *strip.executor, strip.agenda,
                                                  strip.ledger, strip.trap, strip.tape, cohorts});
  strip.transport->connect(*strip.cores);
}

isa::Status Machine::Parts::tell_filters() {
  return set_filters(image, mesh, channels, [this](ChannelId channel, const FilterSetting& filter) {
    const PeRange own = strips.pes();
    const bool is_own = channel >= channels.first(own.first) && channel < channels.first(own.end);
    if (is_own) strips.of_channel(channel).transport->set_filter(channel, filter);
  });
}

void Machine::Parts::take_stepper(std::string_view reason) {
  if (!on_wafer) return;
  on_wafer = false;
  transport_reason = reason;
  for (const auto& strip : strips) {
    communicator->link(strip->number).disconnect();
    build(*strip);
  }
  static_cast<void>(tell_filters());  // it could before
}

NativeWork Machine::Parts::native_work() const {
  NativeWork sum;
  for (const auto& strip : strips) {
    const NativeWork of_strip = strip->executor->native_work();
    sum.instructions += of_strip.instructions;
    sum.regions += of_strip.regions;
    sum.cached += of_strip.cached;
    sum.compile_seconds += of_strip.compile_seconds;
  }
  return sum;
}

std::string Machine::Parts::engine_problem() const {
  std::string first;
  for (const auto& strip : strips) {
    if (first.empty()) first = strip->executor->problem();
  }
  return first;
}

TransportTotals Machine::Parts::totals() const {
  TransportTotals totals = strips.totals(mesh, since.arrived);
  totals.wavelets_left += streams.waiting();
  return totals;
}

isa::Attempt<std::unique_ptr<Machine>> Machine::create(isa::Image image,
                                                       const isa::Profile& profile,
                                                       const MachineOptions& options) {
  if (isa::Status status = isa::check(profile); !status) return std::unexpected(status.error());
  const Parts::Threads threads{.load = std::max(1u, options.threads.value_or(host_processors())),
                               .run = std::max(1u, options.threads.value_or(1))};
  const std::uint32_t width = image.width;
  const std::uint32_t height = image.height;
  try {
    auto parts = std::make_unique<Parts>(std::move(image), profile);
    parts->medium = options.medium;
    parts->cohorts = options.cohorts;
    parts->rows = options.rows;
    parts->most_threads = threads.run;
    const InterpreterEngine interpreter;
    const Engine& engine = options.engine != nullptr ? *options.engine : interpreter;
    if (isa::Attempt<void> done = parts->load(threads, engine, options.transport); !done)
      return std::unexpected(done.error());
    return std::unique_ptr<Machine>(new Machine(std::move(parts)));
  } catch (const std::bad_alloc&) {
    return isa::out_of_memory(fmt::format(" for a machine of {} x {} PEs", width, height));
  }
}

Machine::Machine(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Machine::~Machine() = default;

const isa::Image& Machine::image() const { return parts_->image; }
const isa::Profile& Machine::profile() const { return parts_->profile; }

isa::Status Machine::count_lines() {
  isa::Result<LineMap> lines = LineMap::of(parts_->loaded);
  if (!lines) return std::unexpected(lines.error());
  parts_->lines = std::move(*lines);
  return {};
}

Record Machine::run(const RunOptions& options) {
  begin(options);
  advance(options.max_cycles);
  parts_->threads->dismiss();
  return record();
}

void Machine::begin(const RunOptions& options) {
  Parts& p = *parts_;
  p.options = options;
  if (options.trace != nullptr) {
    options.trace->begin(p.image, p.mesh);
    p.tracer.open(options.trace, options.trace_filter);
    p.take_stepper("a trace");
  }
  if (options.path && p.strips.size() == 1) {
    // A machine that is traced, though nobody reads it, looks at every cycle.
    if (options.trace == nullptr) p.tracer.open(nullptr, {});
    p.take_stepper("a path");
    p.causes.emplace(p.mesh.pes(), *options.path);
    p.strips[0].ledger.causes = &*p.causes;
  }
  if (options.launches) p.streams.open();
  if (options.slices > 0) p.links.emplace(p.mesh, options.slices);
  for (const auto& strip : p.strips) {
    if (options.profile) strip->ledger.keep_profile(p.image.marks.size());
    if (p.lines) strip->ledger.count_lines(*p.lines, p.loaded);
    if (options.slices > 0) strip->ledger.keep_slices(SliceTiles(p.mesh), options.slices);
  }
  p.prepare();
}

void Machine::Parts::prepare() {
  for (const auto& strip : strips) {
    strip->cores->standstill().expect_streams(streams.open_colours());
    strip->cores->prepare(options.tsc_skew, options.jitter);
    if (options.profile) strip->transport->counts().keep_peaks();
    if (options.slices > 0) strip->transport->counts().keep_links();
  }
}

void Machine::Parts::tell_trap() {
  const TrapRecord trap = trap_record(scene(), *strips.first_trap());
  tracer.tell({.kind = TraceEvent::Kind::Trap,
               .cycle = trap.cycle,
               .pe = mesh.pe_at(trap.x, trap.y),
               .trap = &trap});
}

Stop Machine::advance(Cycle until) {
  Advance way(*this);
  const Stop stop = way.pass(until);
  way.show();
  return stop;
}

const Record& Machine::record() {
  Parts& p = *parts_;
  if (!p.record) {
    p.record = make_record(p.status);
    p.record->jitter = p.options.jitter;
    p.record->wall_seconds = p.wall_seconds;
  }
  return *p.record;
}

std::uint64_t Machine::joined_visits() const {
  std::uint64_t sum = 0;
  for (const auto& strip : parts_->strips) sum += strip->cores->joined_visits();
  return sum;
}

void Machine::tell(const RunOptions& options, const Note& note) {
  Parts& p = *parts_;
  if (note.kind == Note::Kind::Mark) {
    MarkRecord& mark = p.marks[note.mark];
    const Cycle cycle = p.since.from_there(note.cycle);
    mark.first = std::min(mark.first, cycle);
    mark.last = std::max(mark.last, cycle);
    mark.count += note.count;
    if (options.mark) options.mark(p.image.marks[note.mark], note.cycle, note.count);
    p.tracer.tell({.kind = TraceEvent::Kind::Mark,
                   .cycle = note.cycle,
                   .pe = note.pe,
                   .text = p.image.marks[note.mark]});
    return;
  }
  p.tracer.tell(
      {.kind = TraceEvent::Kind::Print, .cycle = note.cycle, .pe = note.pe, .text = note.text});
  if (!options.print) return;
  options.print(fmt::format("@{} PE({},{}): {}", note.cycle, p.mesh.x_of(note.pe),
                            p.mesh.y_of(note.pe), note.text));
}

Record Machine::make_record(RunStatus status) {
  Parts& p = *parts_;
  MovedSwitches switches = moved_switches(p.scene());
  const TransportTotals totals = p.totals();
  Counters counters = p.strips.counters();
  if (!isa::mutant(isa::Mutant::LaunchSums)) counters.take_off(p.since.counters);
  Record record{.status = status,
                .message = message(status, totals.wavelets_left),
                .cycles = p.since.from_there(p.cycles),
                .cycles_low = std::nullopt,
                .cycles_high = std::nullopt,
                .wall_seconds = 0,
                .width = p.mesh.width(),
                .height = p.mesh.height(),
                .machine = p.profile.name,
                .engine = p.engine_name,
                .transport = p.on_wafer ? "wafer" : "stepper",
                .transport_reason = p.transport_reason,
                .native = p.native_work(),
                .engine_problem = p.engine_problem(),
                .jitter = std::nullopt,
                .threads = static_cast<std::uint32_t>(p.ends.size()),
                .threads_shortage = p.threads->shortage(),
                .placed_pes = p.loaded.placed().size(),
                .counters = counters,
#define COUNTED(type, name, group, shown, joined)
#define TOTALLED(name, group, shown, joined) .name = totals.name,
#include "isa/machine/counters.def"
#undef COUNTED
#undef TOTALLED
                .trap = std::nullopt,
                .positions = std::move(switches.first),
                .positions_total = switches.total,
                .marks = {}};
  if (status == RunStatus::Trap) record.trap = trap_record(p.scene(), *p.strips.first_trap());
  for (std::size_t k = 0; k < p.marks.size(); ++k) {
    if (p.marks[k].count > 0) record.marks[p.image.marks[k]] = p.marks[k];
  }
  return record;
}

std::string Machine::message(RunStatus status, std::uint64_t wavelets_left) const {
  const Parts& p = *parts_;
  switch (status) {
    case RunStatus::Halted: {
      if (wavelets_left == 0) return {};
      return fmt::format("{} wavelet{} nobody took:{}", wavelets_left,
                         wavelets_left == 1 ? "" : "s", explain_leftovers(p.scene()));
    }
    case RunStatus::Deadlock:
      return fmt::format("deadlock after {} cycles: {}", p.strips.counters().latest_finish,
                         explain_deadlock(p.scene()));
    case RunStatus::Trap: return trap_text(p.scene(), *p.strips.first_trap());
    case RunStatus::CycleLimit:
      return fmt::format("{}: {}", limit_reached(p.now + 1, p.loaded.placed().size()),
                         limit_text(p.scene()));
    case RunStatus::Interrupted: return fmt::format("interrupted in cycle {}", p.now);
  }
  return {};
}

std::vector<std::pair<std::string, std::string>> Machine::pe_state(std::uint32_t x,
                                                                   std::uint32_t y) const {
  return vm::pe_state(parts_->scene(), y * parts_->mesh.width() + x);
}

std::string Machine::waits_as_dot(const Record& record) const {
  const std::string title = fmt::format("{} after {} cycles", text(record.status), record.cycles);
  if (record.status == RunStatus::Deadlock) return deadlock_as_dot(parts_->scene(), title);
  return empty_dot(title + ": nothing waits for ever");
}

}  // namespace wse::vm
