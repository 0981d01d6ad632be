// Passes all that changes in a run, part by part.
#include "vm/run/machine_state.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "vm/run/parts.h"
#include "vm/stepper/stepper.h"

namespace wse::vm {
namespace {

constexpr std::size_t kPage = 4096;  // of memory, which is written only if it is not all zeros

StepperState& stepper_of(const Strip& strip) {
  return static_cast<Stepper&>(*strip.transport).state();
}

bool is_zero(std::span<const std::byte> bytes) {
  return std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0}; });
}

}  // namespace

const RunOptions& MachineState::options() const { return machine_.parts_->options; }

std::string MachineState::refusal() const {
  const Machine::Parts& p = *machine_.parts_;
  if (p.on_wafer)
    return "the machine moves wavelets as planes; the stepper can, `--transport=stepper`";
  if (p.options.launches) return "a session holds the machine";
  if (p.lines || p.links) return "cycles of lines and slices of time are counted; leave them out";
  if (p.tracer.is_open()) return "a trace is written; leave it out";
  return {};
}

void MachineState::write(StateWriter& writer) {
  Machine::Parts& p = *machine_.parts_;
  p.hide();
  pass(writer);
  p.show(true);
}

bool MachineState::read(StateReader& reader) {
  Machine::Parts& p = *machine_.parts_;
  pass(reader);
  reader.expect(reader.left() == 0);
  if (!reader.ok()) return false;
  for (const auto& strip : p.strips) {
    stepper_of(*strip).copy_queues(
        [&p](PeId pe) -> const RouterState& { return stepper_of(p.strips.of(pe)).routers(); });
  }
  p.last = p.now;
  return true;
}

template <class Archive>
void MachineState::pass(Archive& archive) {
  Machine::Parts& p = *machine_.parts_;
  archive.number(p.now);
  for (const PeId pe : p.loaded.placed()) {
    if (!archive.ok()) return;
    pass_memory(archive, pe);
    p.strips.of(pe).cores->state().pass(archive, pe, p.now);
    const Core& core = p.strips.core(pe);
    for (std::uint32_t k = 0; k < core.program->counted_tasks(); ++k) {
      p.history.pass_task(archive, core.first_run + k);
    }
  }
  for (PeId pe = 0; archive.ok() && pe < p.mesh.pes(); ++pe) pass_pe(archive, pe);
  pass_agendas(archive);
  p.streams.pass(archive);
  pass_ledgers(archive);
  pass_open_cycles(archive);
  pass_notes(archive);
}

template <class Archive>
void MachineState::pass_pe(Archive& archive, PeId pe) {
  Machine::Parts& p = *machine_.parts_;
  Strip& strip = p.strips.of(pe);
  stepper_of(strip).pass(
      archive, pe,
      [&](ThreadId thread) -> StepperState::Begun {
        if (p.loaded.program_at(thread.pe) == nullptr) return {};
        const Core& core = p.strips.core(thread.pe);
        if (thread.thread >= core.program->threads) return {};
        const InFlight* const f = core.in_flight.find(thread.thread);
        if (f == nullptr || f->is_timer != 0 || !f->is_moving()) return {};
        const bool is_ahead = thread.thread == kMainThread && core.has_started_ahead(p.now);
        return {&f->plan->flow, is_ahead ? core.resume : 0};
      },
      p.now);
  for (ChannelId id = p.channels.first(pe); id < p.channels.first(pe + 1); ++id) {
    p.history.pass_channel(archive, id);
  }
  if (PeProfile* const profile = strip.ledger.profile()) profile->pass(archive, pe);
}

template <class Archive>
void MachineState::pass_memory(Archive& archive, PeId pe) {
  Machine::Parts& p = *machine_.parts_;
  const std::span<std::byte> memory(p.loaded.data(pe), p.loaded.program_at(pe)->data_bytes);
  for (std::size_t first = 0; archive.ok() && first < memory.size(); first += kPage) {
    const std::span<std::byte> page = memory.subspan(first, std::min(kPage, memory.size() - first));
    bool is_written = false;
    if constexpr (!Archive::kReads) is_written = !is_zero(page);
    archive.number(is_written);
    if constexpr (Archive::kReads) {
      std::array<std::byte, kPage> read = {};
      const std::span<std::byte> there = std::span(read).first(page.size());
      if (is_written) archive.bytes(there);
      // A page that is the same stays shared.
      if (!std::ranges::equal(page, there)) std::ranges::copy(there, page.begin());
    } else if (is_written) {
      archive.bytes(page);
    }
  }
}

// Each strip has one of its cores and one of its stepper.
template <class Archive>
void MachineState::pass_agendas(Archive& archive) {
  Machine::Parts& p = *machine_.parts_;
  using Entry = std::pair<Cycle, PeId>;
  for (const bool of_cores : {true, false}) {
    const auto agenda_of = [of_cores](Strip& strip) -> Agenda& {
      return of_cores ? strip.agenda : stepper_of(strip).agenda();
    };
    std::vector<Entry> entries;
    if constexpr (Archive::kReads) {
      for (const auto& strip : p.strips) agenda_of(*strip).clear();
    } else {
      for (const auto& strip : p.strips) {
        agenda_of(*strip).for_each([&](PeId pe, Cycle cycle) { entries.emplace_back(cycle, pe); });
      }
      std::ranges::sort(entries);
    }
    archive.list(entries, sizeof(Cycle) + sizeof(PeId), [&](Entry& entry) {
      archive.number(entry.first);
      archive.below(entry.second, p.mesh.pes());
      archive.expect(entry.first > p.now && entry.first != kNever);
      if (of_cores && archive.ok()) archive.expect(p.loaded.program_at(entry.second) != nullptr);
      if constexpr (Archive::kReads) {
        if (archive.ok()) agenda_of(p.strips.of(entry.second)).add(entry.second, entry.first);
      }
    });
  }
}

// Activities of PEs, and sums over strips, which become those of the first.
template <class Archive>
void MachineState::pass_ledgers(Archive& archive) {
  Machine::Parts& p = *machine_.parts_;
  Counters counters = p.strips.counters();
  std::array<std::uint64_t, kActivities> open = {};
  Cycle quiet = 0;
  for (const auto& strip : p.strips) {
    ActivityLog::State state = strip->ledger.activity.state();
    // What was open when an earlier finish was the latest counts.
    const bool counts = state.open_behind != counters.latest_finish;
    for (std::size_t k = 0; k < kActivities; ++k) {
      (counts ? counters.pe_cycles[k] : open[k]) += state.open[k];
    }
    if (PeProfile* const profile = strip->ledger.profile(); profile != nullptr && counts) {
      profile->keep_open();
    }
    for (std::size_t k = 0; archive.ok() && k < state.pes.size(); ++k) state.pass(archive, k);
    if constexpr (Archive::kReads) strip->ledger.activity.restore(state);
    quiet = std::max(quiet, strip->cores->state().quiet_until());
  }
  counters.pass(archive);
  for (std::uint64_t& cycles : open) archive.number(cycles);
  archive.number(quiet);
  if constexpr (Archive::kReads) take_sums(counters, open, quiet);
}

void MachineState::take_sums(const Counters& counters,
                             const std::array<std::uint64_t, kActivities>& open, Cycle quiet) {
  Machine::Parts& p = *machine_.parts_;
  p.strips[0].ledger.counters = counters;
  for (const auto& strip : p.strips) {
    strip->ledger.counters.finished(counters.latest_finish);
    strip->cores->state().expect_quiet(quiet);
    ActivityLog::State state = strip->ledger.activity.state();
    state.open = strip == *p.strips.begin() ? open : std::array<std::uint64_t, kActivities>{};
    state.open_behind = counters.latest_finish;
    strip->ledger.activity.restore(state);
  }
}

// Of a profile: cycles that count only if something finishes after them.
template <class Archive>
void MachineState::pass_open_cycles(Archive& archive) {
  Machine::Parts& p = *machine_.parts_;
  std::vector<PeProfile::Open> all;
  if constexpr (!Archive::kReads) {
    for (const auto& strip : p.strips) {
      if (PeProfile* const profile = strip->ledger.profile()) {
        all.insert(all.end(), profile->open().begin(), profile->open().end());
      }
    }
  }
  archive.list(all, sizeof(PeId) + sizeof(Cycle) + 1, [&](PeProfile::Open& open) {
    archive.below(open.pe, p.mesh.pes());
    archive.below(open.activity, kActivities);
    archive.number(open.cycles);
    if constexpr (Archive::kReads) {
      PeProfile* const profile = p.strips.of(open.pe).ledger.profile();
      archive.expect(profile != nullptr);
      if (archive.ok()) profile->open().push_back(open);
    }
  });
}

// Marks that were passed, and notes whose cycles have not come.
template <class Archive>
void MachineState::pass_notes(Archive& archive) {
  Machine::Parts& p = *machine_.parts_;
  for (MarkRecord& mark : p.marks) {
    archive.number(mark.first);
    archive.number(mark.last);
    archive.number(mark.count);
  }
  std::vector<Note> notes;
  if constexpr (!Archive::kReads) {
    for (const auto& strip : p.strips) {
      for (Note& note : strip->ledger.notes.waiting()) notes.push_back(std::move(note));
    }
  }
  constexpr std::size_t kLeast = 29;
  archive.list(notes, kLeast, [&](Note& note) {
    archive.number(note.cycle);
    archive.below(note.pe, p.mesh.pes());
    archive.below(note.kind, 2);
    archive.number(note.mark);
    archive.number(note.count);
    archive.text(note.text);
    archive.expect(note.cycle > p.now &&
                   (note.kind == Note::Kind::Print || note.mark < p.marks.size()));
    if constexpr (Archive::kReads) {
      if (!archive.ok()) return;
      Notes& to = p.strips.of(note.pe).ledger.notes;
      note.kind == Note::Kind::Print ? to.add(note)
                                     : to.count_marks(note.cycle, note.mark, note.count);
    }
  });
}

}  // namespace wse::vm
