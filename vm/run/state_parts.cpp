// Passes cores, transports and agendas, and knows which PEs are passed.
#include "vm/run/state_parts.h"

#include <algorithm>

#include "isa/support/mutant.h"
#include "vm/run/memory_state.h"
#include "vm/run/parts.h"
#include "vm/stepper/stepper.h"

namespace wse::vm {
namespace {

StepperState& stepper_state(const Strip& strip) {
  return static_cast<Stepper&>(*strip.transport).states();
}

}  // namespace

bool StateParts::has(PeId pe) const {
  if (of_.share) return of_.share->contains(pe);
  if (!of_.part) return true;
  const isa::Topology& mesh = machine_.parts_->mesh;
  return mesh.x_of(pe) + 1 - of_.part->x < of_.part->width + 2 &&
         mesh.y_of(pe) + 1 - of_.part->y < of_.part->height + 2;
}

bool StateParts::is_here(PeId pe) const { return machine_.parts_->strips.pes().contains(pe); }

// Finds out what a process needs of PEs that others run: queues behind borders, and in the first
// process the links, whose sums it keeps for all.
void StateParts::find_neighbours() {
  const Machine::Parts& p = *machine_.parts_;
  for (const auto& strip : p.strips) {
    strip->transport->states().for_each_neighbour([this](PeId pe) {
      if (!is_here(pe)) neighbours_.insert(pe);
    });
  }
  counts_elsewhere_ = p.links.has_value() && p.strips[0].number == 0;
}

LedgerState::Peers StateParts::books(Cycle finish) const {
  Machine::Parts& p = *machine_.parts_;
  return {.mesh = p.mesh,
          .loaded = p.loaded,
          .strips = p.strips,
          .pes = of_.share.value_or(PeRange{0, p.mesh.pes()}),
          .marks = p.marks,
          .lines = p.lines ? &*p.lines : nullptr,
          .links = p.links ? &*p.links : nullptr,
          .is_traced = p.tracer.is_open(),
          .finish = finish,
          .takes_sums = !p.is_shared() || p.strips[0].number == 0};
}

bool StateParts::fill_borders() const {
  const Machine::Parts& p = *machine_.parts_;
  if (!p.is_shared()) return true;
  if (p.strips[0].number > 0) {
    for (const auto& strip : p.strips) strip->transport->states().forget_links();
  }
  return std::ranges::all_of(p.strips, [this](const auto& strip) {
    return strip->transport->states().fill_queues(behind_borders_);
  });
}

void StateParts::take_stepper(std::string_view reason) {
  Machine::Parts& p = *machine_.parts_;
  if (!p.on_wafer) return;
  p.take_stepper(reason);
  p.prepare();
}

template <class Archive>
void StateParts::pass_clock(Archive& archive) {
  Machine::Parts& p = *machine_.parts_;
  bool is_of_planes = p.on_wafer;
  archive.number(is_of_planes);
  if (Archive::kReads && !is_of_planes) take_stepper("a checkpoint of the stepper");
  archive.number(p.now);
  bool has_run = p.last.has_value();
  archive.number(has_run);
  if constexpr (Archive::kReads) p.last = has_run ? std::optional(p.now) : std::nullopt;
  archive.expect(has_run || p.now == 0);
}

template <class Archive>
void StateParts::pass_cores(Archive& archive, const PeRange& pes) {
  const std::vector<PeId>& placed = machine_.parts_->loaded.placed();
  for (auto pe = std::ranges::lower_bound(placed, pes.first); pe != placed.end() && *pe < pes.end;
       ++pe) {
    if (!archive.ok()) return;
    if (!has(*pe)) continue;
    archive.part(is_here(*pe) ? Wanted::All : Wanted::Nothing, [&] { pass_core(archive, *pe); });
  }
}

template <class Archive>
void StateParts::pass_core(Archive& archive, PeId pe) {
  Machine::Parts& p = *machine_.parts_;
  MemoryState memory(p.loaded);
  of_.share ? memory.pass(archive, pe, of_.symbols) : memory.pass(archive, pe);
  p.strips.of(pe).cores->state().pass(archive, pe, p.now, of_.share ? Ahead::PutBack : Ahead::Kept);
  const Core& core = p.strips.core(pe);
  for (std::uint32_t k = 0; k < core.program->counted_tasks(); ++k) {
    p.history.pass_task(archive, core.first_run + k);
  }
}

template <class Archive>
void StateParts::pass_transport(Archive& archive, const PeRange& pes) {
  for (PeId pe = pes.first; archive.ok() && pe < pes.end; ++pe) {
    if (!has(pe)) continue;
    if (is_here(pe)) {
      archive.part(Wanted::All, [&] { pass_pe(archive, pe); });
    } else if constexpr (Archive::kReads) {
      const bool is_used = counts_elsewhere_ || neighbours_.contains(pe);
      archive.part(is_used ? Wanted::Beginning : Wanted::Nothing,
                   [&] { pass_pe_elsewhere(archive, pe); });
    }
  }
}

void StateParts::pass_pe_elsewhere(StateReader& reader, PeId pe) {
  Machine::Parts& p = *machine_.parts_;
  of_pe_.clear();
  of_pe_.pass(reader);
  if (!reader.ok()) return;
  if (counts_elsewhere_) p.strips[0].transport->states().count_links(pe, of_pe_);
  if (neighbours_.contains(pe)) behind_borders_.emplace(pe, of_pe_);
}

// A machine that a host holds may have come to rest.
template <class Archive>
void StateParts::pass_session(Archive& archive) {
  Machine::Parts& p = *machine_.parts_;
  archive.below(p.status, static_cast<std::uint64_t>(RunStatus::Interrupted) + 1);
  archive.number(p.waited);
  archive.number(p.is_prepared);
  if (Archive::kReads && isa::mutant(isa::Mutant::RestoredUnprepared)) p.is_prepared = false;
  archive.expect(p.waited < kNever >> 1 && p.status != RunStatus::Trap);
  Cycle last = 0;
  for (const auto& strip : p.strips) last = std::max(last, strip->agenda.last());
  archive.number(last);
  archive.expect(last <= p.now);
  if constexpr (Archive::kReads) p.strips[0].agenda.set_last(last);
  pass_since(archive);
}

template <class Archive>
void StateParts::pass_since(Archive& archive) {
  Machine::Parts& p = *machine_.parts_;
  Since& since = p.since;
  archive.number(since.cycle);
  since.counters.pass(archive);
  if (Archive::kReads && isa::mutant(isa::Mutant::RestoredSums)) since.counters = {};
  bool was_launched = !since.arrived.empty();
  archive.number(was_launched);
  if (!was_launched) return;
  const bool is_profiled = p.strips[0].ledger.profile() != nullptr;
  since.arrived.resize(p.mesh.pes());
  since.times.resize(is_profiled ? p.mesh.pes() : 0);
  since.done.resize(since.times.size());
  for (PeId pe = 0; archive.ok() && pe < p.mesh.pes(); ++pe) {
    for (std::uint64_t& wavelets : since.arrived[pe]) archive.number(wavelets);
    if (is_profiled) PeProfile::pass(archive, since.times[pe], since.done[pe]);
  }
}

template <class Archive>
void StateParts::pass_pe(Archive& archive, PeId pe) {
  Machine::Parts& p = *machine_.parts_;
  Strip& strip = p.strips.of(pe);
  of_pe_.clear();
  if constexpr (!Archive::kReads) strip.transport->states().give(pe, p.now, of_pe_);
  of_pe_.pass(archive);
  if constexpr (Archive::kReads) {
    if (archive.ok()) {
      const auto begun_by = [this](ThreadId thread) { return begun(thread); };
      archive.expect(strip.transport->states().take(pe, of_pe_, begun_by, p.now));
    }
  }
  for (ChannelId id = p.channels.first(pe); id < p.channels.first(pe + 1); ++id) {
    p.history.pass_channel(archive, id);
  }
  if (PeProfile* const profile = strip.ledger.profile()) profile->pass(archive, pe);
}

// Returns the instruction in flight that the transport steps for the thread.
TransportStates::Begun StateParts::begun(ThreadId thread) const {
  const Machine::Parts& p = *machine_.parts_;
  if (p.loaded.program_at(thread.pe) == nullptr) return {};
  const Core& core = p.strips.core(thread.pe);
  if (thread.thread >= core.program->threads) return {};
  const InFlight* const f = core.in_flight.find(thread.thread);
  if (f == nullptr || f->is_timer != 0 || !f->is_moving()) return {};
  const bool is_ahead = thread.thread == kMainThread && core.has_started_ahead(p.now);
  return {&f->plan->flow, is_ahead ? core.resume : 0};
}

// Returns what the agendas of the strips have, of their cores or of their transports.
std::vector<StateParts::Entry> StateParts::entries(bool of_cores) const {
  const Machine::Parts& p = *machine_.parts_;
  std::vector<Entry> entries;
  const auto visit = [&](PeId pe, Cycle cycle) {
    // A machine that has trapped keeps what its last cycle had still to do.
    if (has(pe) && (cycle > p.now || !of_.share)) entries.emplace_back(cycle, pe);
  };
  for (const auto& strip : p.strips) {
    of_cores ? strip->agenda.for_each(visit)
             : strip->transport->states().for_each_visit(p.now, visit);
  }
  std::ranges::sort(entries);
  return entries;
}

template <class Archive>
void StateParts::pass_agenda(Archive& archive, bool of_cores, std::vector<Entry> entries) {
  Machine::Parts& p = *machine_.parts_;
  const auto agenda_of = [&](Strip& strip) -> Agenda* {
    if (of_cores) return &strip.agenda;
    return p.on_wafer ? nullptr : &stepper_state(strip).agenda();  // planes look at all that move
  };
  if constexpr (Archive::kReads) {
    for (const auto& strip : p.strips) {
      Agenda* const agenda = agenda_of(*strip);
      if (agenda != nullptr && (has(strip->pes.first) || !of_.share)) agenda->clear();
    }
  }
  archive.list(entries, sizeof(Cycle) + sizeof(PeId), [&](Entry& entry) {
    archive.number(entry.first);
    archive.below(entry.second, p.mesh.pes());
    archive.expect(has(entry.second));
    archive.expect((entry.first > p.now || !p.last) && is_within_reach(entry.first, p.now));
    if (of_cores && archive.ok()) archive.expect(p.loaded.program_at(entry.second) != nullptr);
    if constexpr (Archive::kReads) {
      if (!archive.ok() || !is_here(entry.second)) return;
      Agenda* const agenda = agenda_of(p.strips.of(entry.second));
      if (agenda != nullptr) agenda->add(entry.second, entry.first);
    }
  });
}

template void StateParts::pass_clock(StateWriter&);
template void StateParts::pass_clock(StateReader&);
template void StateParts::pass_cores(StateWriter&, const PeRange&);
template void StateParts::pass_cores(StateReader&, const PeRange&);
template void StateParts::pass_transport(StateWriter&, const PeRange&);
template void StateParts::pass_transport(StateReader&, const PeRange&);
template void StateParts::pass_agenda(StateWriter&, bool, std::vector<Entry>);
template void StateParts::pass_agenda(StateReader&, bool, std::vector<Entry>);
template void StateParts::pass_session(StateWriter&);
template void StateParts::pass_session(StateReader&);

}  // namespace wse::vm
