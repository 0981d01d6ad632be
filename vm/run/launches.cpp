// Launches: tasks that are activated from outside where the machine has come to rest.
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

// The stream of that name, which enters, or leaves.
isa::Result<const isa::Stream*> stream_named(const Streams& streams, std::string_view name,
                                             bool enters) {
  const isa::Stream* const stream = streams.find(name);
  if (stream == nullptr) return isa::fail(fmt::format("there is no stream '{}'", name));
  if (stream->enters == enters) return stream;
  return isa::fail(enters ? fmt::format("stream '{}' leaves the grid: receive from it", name)
                          : fmt::format("stream '{}' enters the grid: send to it", name));
}

std::size_t pes_of(const isa::Stream& stream) {
  return static_cast<std::size_t>(stream.rect.x.count() * stream.rect.y.count());
}

// The PE of the stream with that number, row by row.
std::pair<std::uint32_t, std::uint32_t> pe_of(const isa::Stream& stream, std::size_t place) {
  const auto width = static_cast<std::size_t>(stream.rect.x.count());
  const auto column = static_cast<std::int64_t>(place % width);
  const auto row = static_cast<std::int64_t>(place / width);
  return {static_cast<std::uint32_t>(stream.rect.x.first + column * stream.rect.x.step),
          static_cast<std::uint32_t>(stream.rect.y.first + row * stream.rect.y.step)};
}

}  // namespace

std::string Machine::unrest() const {
  const Parts& p = *parts_;
  if (p.status == RunStatus::Deadlock || !p.has_come_to_rest()) return message(p.status, 0);
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
  return is_quiet ? std::string() : message(RunStatus::Halted, left);
}

Cycle Machine::next_cycle() const {
  const Parts& p = *parts_;
  return std::max(p.waited, p.last ? p.now + 1 : 0);
}

Cycle Machine::began() const { return parts_->since.cycle; }

void Machine::wait_until(Cycle cycle) { parts_->waited = std::max(parts_->waited, cycle); }

// Keeps what sums were, and begins anew what is no sum.
void Machine::Parts::begin_launch(Cycle at) {
  Since next{.cycle = at, .counters = strips.counters(), .arrived = {}, .times = {}, .done = {}};
  next.arrived.resize(mesh.pes());
  const bool is_profiled = strips[0].ledger.profile() != nullptr;
  if (is_profiled) next.done.resize(mesh.pes());
  for (const auto& strip : strips) {
    for (PeId pe = strip->pes.first; pe < strip->pes.end; ++pe) {
      next.arrived[pe] = strip->transport->arrived(pe).pushed;
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
  }
  since = std::move(next);
  std::ranges::fill(marks, MarkRecord{});
  wall_seconds = 0;
  record.reset();
  status = RunStatus::CycleLimit;
}

isa::Status Machine::launch(std::string_view name, std::span<const std::uint32_t> arguments,
                            const PeRect& rect) {
  Parts& p = *parts_;
  const bool fits = rect.width > 0 && rect.height > 0 && rect.width <= p.mesh.width() &&
                    rect.height <= p.mesh.height() && rect.x <= p.mesh.width() - rect.width &&
                    rect.y <= p.mesh.height() - rect.height;
  if (!fits) {
    return isa::fail(fmt::format("the region {} is empty or leaves the grid of {} x {} PEs",
                                 rect_text(rect), p.mesh.width(), p.mesh.height()));
  }
  struct Place {
    PeId pe;
    std::uint32_t task;
  };
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
      if (found.arguments.size() != arguments.size()) {
        return isa::fail(fmt::format("task '{}' of program {} takes {} arguments ({}), not {}",
                                     name, program->program->name, found.arguments.size(),
                                     isa::argument_text(found), arguments.size()));
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
  if (places.empty()) {
    return isa::fail(
        fmt::format("no program in the region {} exports a task '{}'", rect_text(rect), name));
  }
  const bool is_first = p.has_come_to_rest();
  const Cycle at = next_cycle() + p.profile.launch_cycles;
  if (is_first) p.begin_launch(at);
  for (const Place& place : places) {
    p.strips.of(place.pe).cores->launch(place.pe, place.task, arguments, at);
  }
  return {};
}

isa::Status Machine::send(std::string_view name, std::span<const std::uint32_t> words) {
  Parts& p = *parts_;
  const isa::Result<const isa::Stream*> stream = stream_named(p.streams, name, true);
  if (!stream) return std::unexpected(stream.error());
  const std::size_t pes = pes_of(**stream);
  if (pes == 0 || words.size() % pes != 0) {
    return isa::fail(
        fmt::format("stream '{}' enters at {} PEs: {} elements are not as many for each", name, pes,
                    words.size()));
  }
  const Cycle from = next_cycle();
  if (p.has_come_to_rest()) p.begin_launch(from);
  const std::size_t n = words.size() / pes;
  for (std::size_t place = 0; place < pes; ++place) {
    p.streams.send(p.streams.end_of(**stream, place), words.subspan(place * n, n));
    const auto [x, y] = pe_of(**stream, place);
    const PeId pe = p.mesh.pe_at(x, y);
    p.strips.of(pe).transport->elements_come(pe, from);
  }
  return {};
}

isa::Result<std::size_t> Machine::arrived(std::string_view name) const {
  const Parts& p = *parts_;
  const isa::Result<const isa::Stream*> stream = stream_named(p.streams, name, false);
  if (!stream) return std::unexpected(stream.error());
  const std::size_t pes = pes_of(**stream);
  std::size_t least = pes == 0 ? 0 : ~std::size_t{0};
  for (std::size_t place = 0; place < pes; ++place) {
    least = std::min(least, p.streams.arrived(p.streams.end_of(**stream, place)));
  }
  return least;
}

isa::Result<std::vector<std::uint32_t>> Machine::receive(std::string_view name, std::size_t n) {
  Parts& p = *parts_;
  const isa::Result<const isa::Stream*> stream = stream_named(p.streams, name, false);
  if (!stream) return std::unexpected(stream.error());
  const std::size_t pes = pes_of(**stream);
  for (std::size_t place = 0; place < pes; ++place) {
    const std::size_t there = p.streams.arrived(p.streams.end_of(**stream, place));
    if (there >= n) continue;
    const auto [x, y] = pe_of(**stream, place);
    return isa::fail(fmt::format("of stream '{}' {} elements have left at PE({}, {}), not {}", name,
                                 there, x, y, n));
  }
  std::vector<std::uint32_t> words(pes * n);
  for (std::size_t place = 0; place < pes; ++place) {
    p.streams.receive(p.streams.end_of(**stream, place), std::span(words).subspan(place * n, n));
  }
  return words;
}

}  // namespace wse::vm
