// Passes all that changes in a run, part by part.
#include "vm/run/machine_state.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "isa/support/mutant.h"
#include "vm/run/ledger_state.h"
#include "vm/run/memory_state.h"
#include "vm/run/parts.h"
#include "vm/run/trap_state.h"
#include "vm/stepper/stepper.h"

namespace wse::vm {
namespace {

StepperState& stepper_of(const Strip& strip) {
  return static_cast<Stepper&>(*strip.transport).states();
}

}  // namespace

const RunOptions& MachineState::options() const { return machine_.parts_->options; }

bool MachineState::has(PeId pe) const {
  if (share_) return share_->contains(pe);
  if (!part_) return true;
  const isa::Topology& mesh = machine_.parts_->mesh;
  return mesh.x_of(pe) + 1 - part_->x < part_->width + 2 &&
         mesh.y_of(pe) + 1 - part_->y < part_->height + 2;
}

void MachineState::stand_still_outside() {
  Machine::Parts& p = *machine_.parts_;
  const Cone cone(p.mesh, *part_, p.last ? p.now + 1 : 0);
  const auto moves = [&cone](PeId pe) { return cone.has(pe); };
  for (const auto& strip : p.strips) {
    strip->agenda.keep_to(moves);
    stepper_of(*strip).agenda().keep_to(moves);
    strip->trap.keep_to(cone);
  }
}

// The machine tells observers, which begin here, what it has taken up.
void MachineState::tell_observers() {
  Machine::Parts& p = *machine_.parts_;
  if (p.causes) {
    stepper_of(p.strips[0]).tell_words(*p.causes);
    for (const PeId pe : p.loaded.placed()) {
      for (const InFlight& f : p.strips.core(pe).in_flight) {
        p.causes->threads.stands({pe, f.thread()}, f.pc());
      }
    }
  }
  if (p.options.trace == nullptr) return;
  for (const PeId pe : p.loaded.placed()) {
    const Core::Main main = p.strips.core(pe).main;
    const bool waits = main == Core::Main::Waiting || main == Core::Main::Saving;
    if (waits) p.tracer.main_stands(p.now + 1, pe);
    for (const InFlight& f : p.strips.core(pe).in_flight) {  // a quiet finish is told, too
      if (!f.is_moving() && f.finish > p.now) p.strips.of(pe).agenda.add(pe, f.finish);
    }
  }
  for (ChannelId id = 0; id < p.channels.size(); ++id) {
    const ChannelState channel = p.strips.channel(id);
    for (std::uint32_t k = 0; k < kQueuePorts; ++k) {
      const auto port = static_cast<QueuePort>(k);
      const std::uint32_t words = p.strips.queued(id, port);
      if (words > 0) p.options.trace->stand(channel.pe, channel.colour, port, words);
    }
  }
}

// From count() on, while it lives, the books of a machine on planes are those of a stepper. Planes
// count elements when their instruction ends, and a PE does what it did until it does something
// else; a stepper has counted them before, and looks at each PE again.
class MachineState::CountedPlanes {
 public:
  explicit CountedPlanes(Machine::Parts& parts) : p_(parts) {
    if (p_.on_wafer) p_.communicator->work_alone(true);
  }
  CountedPlanes(const CountedPlanes&) = delete;
  CountedPlanes& operator=(const CountedPlanes&) = delete;
  ~CountedPlanes() {
    for (std::size_t k = 0; k < put_down_; ++k) p_.strips[k].ledger.take_up();
    if (p_.on_wafer) p_.communicator->work_alone(false);
  }

  void count() {
    if (!p_.on_wafer) return;
    for (const auto& strip : p_.strips) {
      strip->transport->flush(p_.now + 1, true);
      strip->ledger.put_down();
      ++put_down_;
      strip->transport->counts().count_unfinished();
    }
    for (const PeId pe : p_.own_placed()) {
      p_.strips.of(pe).ledger.activity.otherwise_from(pe, p_.now + 1, Activity::Idle);
    }
  }

 private:
  Machine::Parts& p_;
  std::size_t put_down_ = 0;  // ledgers, of the first strips
};

bool MachineState::is_over() const {
  const Machine::Parts& p = *machine_.parts_;
  return p.last && !p.goes_on();
}

bool MachineState::counts_lines() const { return machine_.parts_->lines.has_value(); }

bool MachineState::hide() {
  Machine::Parts& p = *machine_.parts_;
  const bool was_shown = p.is_shown;
  if (!was_shown && p.last) {
    p.communicator->work_alone(true);
    p.flush(true);
    p.communicator->work_alone(false);
  }
  p.hide();
  return was_shown;
}

Cycle MachineState::told_from() {
  Machine::Parts& p = *machine_.parts_;
  if (!p.last) return 0;
  const bool was_shown = hide();
  Cycle from = p.now + 2;  // ends in the next cycle have been told by this machine
  for (const PeId pe : p.loaded.placed()) {
    if (!has(pe)) continue;
    const Core& core = p.strips.core(pe);
    const bool is_ahead = core.main == Core::Main::Computing || core.has_started_ahead(p.now);
    if (is_ahead) from = std::max(from, core.resume + 1);
    for (const InFlight& f : core.in_flight) {
      if (f.is_timer != 0) from = std::max(from, f.finish);
    }
    if (core.in_flight.empty()) continue;
    of_pe_.clear();
    p.strips.of(pe).transport->states().give(pe, p.now, of_pe_);
    for (const TransportState::Thread& thread : of_pe_.threads) {
      if (thread.unseen) from = std::max(from, thread.next);
    }
  }
  if (was_shown) p.show(true);
  return from;
}

std::vector<Cycle> MachineState::act_until(std::span<const PeId> pes) {
  Machine::Parts& p = *machine_.parts_;
  const bool was_shown = hide();
  std::vector<Cycle> cycles;
  for (const PeId pe : pes) cycles.push_back(acts_until(pe));
  if (was_shown) p.show(true);
  return cycles;
}

Cycle MachineState::acts_until(PeId pe) {
  Machine::Parts& p = *machine_.parts_;
  of_pe_.clear();
  p.strips.of(pe).transport->states().give(pe, p.now, of_pe_);
  Cycle until = std::max({p.now, of_pe_.scalar_until, std::ranges::max(of_pe_.held_until)});
  for (const TransportState::Thread& thread : of_pe_.threads) until = std::max(until, thread.next);
  for (const Cycle free : of_pe_.link_free) until = std::max(until, free);
  if (p.loaded.program_at(pe) == nullptr) return until;
  const Core& core = p.strips.core(pe);
  until = std::max(until, core.resume);
  for (const InFlight& f : core.in_flight) {
    if (!f.is_moving()) until = std::max(until, f.finish);
  }
  if (core.rare == nullptr) return until;
  for (const TornDown& torn : core.rare->torn_down) until = std::max(until, torn.visible);
  return until;
}

bool MachineState::has_planes() const { return machine_.parts_->on_wafer; }

void MachineState::write(StateWriter& writer) {
  Machine::Parts& p = *machine_.parts_;
  const bool was_shown = p.is_shown;
  write_hidden(writer);
  if (was_shown) p.show(true);
}

void MachineState::write_hidden(StateWriter& writer) {
  Machine::Parts& p = *machine_.parts_;
  hide();
  CountedPlanes planes(p);
  planes.count();
  if (p.is_shared()) p.communicator->join_others({});  // serves until all have what they ask for
  for (const auto& strip : p.strips) strip->ledger.activity.flush();
  pass(writer);
}

bool MachineState::read(StateReader& reader) {
  Machine::Parts& p = *machine_.parts_;
  if (p.on_wafer) {
    p.take_stepper("a checkpoint");
    p.prepare();
  }
  pass(reader);
  reader.expect(reader.left() == 0);
  if (!reader.ok()) return false;
  if (part_) stand_still_outside();
  if (!p.last) return true;  // nothing was done there
  show_read();
  return true;
}

void MachineState::show_read() {
  Machine::Parts& p = *machine_.parts_;
  for (const auto& strip : p.strips) {
    stepper_of(*strip).copy_queues(
        [&p](PeId pe) -> const RouterState& { return stepper_of(p.strips.of(pe)).routers(); });
  }
  tell_observers();
  if (!p.is_prepared) p.show(true);  // where launches wait nobody looks before it continues
}

bool MachineState::read_share(StateReader& reader) {
  Machine::Parts& p = *machine_.parts_;
  if (p.on_wafer) {
    p.take_stepper("shares");
    p.prepare();
  }
  pass(reader);
  reader.expect(reader.left() == 0);
  return reader.ok();
}

template <class Archive>
void MachineState::pass(Archive& archive) {
  Machine::Parts& p = *machine_.parts_;
  archive.number(p.now);
  bool has_run = p.last.has_value();
  archive.number(has_run);
  if constexpr (Archive::kReads) p.last = has_run ? std::optional(p.now) : std::nullopt;
  archive.expect(has_run || p.now == 0);
  MemoryState memory(p.loaded);
  for (const PeId pe : p.loaded.placed()) {
    if (!archive.ok()) return;
    if (!has(pe)) continue;
    share_ ? memory.pass(archive, pe, symbols_) : memory.pass(archive, pe);
    p.strips.of(pe).cores->state().pass(archive, pe, p.now);
    const Core& core = p.strips.core(pe);
    for (std::uint32_t k = 0; k < core.program->counted_tasks(); ++k) {
      p.history.pass_task(archive, core.first_run + k);
    }
  }
  for (PeId pe = 0; archive.ok() && pe < p.mesh.pes(); ++pe) {
    if (has(pe)) pass_pe(archive, pe);
  }
  pass_agendas(archive);
  share_ ? p.streams.pass_share(archive) : p.streams.pass(archive);
  if (part_) return;
  LedgerState({.mesh = p.mesh,
               .loaded = p.loaded,
               .strips = p.strips,
               .pes = share_.value_or(PeRange{0, p.mesh.pes()}),
               .marks = p.marks,
               .lines = p.lines ? &*p.lines : nullptr,
               .links = p.links ? &*p.links : nullptr})
      .pass(archive, p.now);
  if (share_) {
    archive.below(p.status, static_cast<std::uint64_t>(RunStatus::Interrupted) + 1);
    return TrapState(p.image, p.loaded).pass(archive, p.strips, *share_);
  }
  p.tracer.pass(archive, p.now);
  if (p.options.launches) pass_session(archive);
}

// Of a machine that a host holds: it may have come to rest.
template <class Archive>
void MachineState::pass_session(Archive& archive) {
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
void MachineState::pass_since(Archive& archive) {
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
void MachineState::pass_pe(Archive& archive, PeId pe) {
  Machine::Parts& p = *machine_.parts_;
  Strip& strip = p.strips.of(pe);
  of_pe_.clear();
  if constexpr (!Archive::kReads) strip.transport->states().give(pe, p.now, of_pe_);
  of_pe_.pass(archive);
  if constexpr (Archive::kReads) {
    if (archive.ok()) {
      const auto begun_by = [this](ThreadId thread) { return begun(thread); };
      archive.expect(stepper_of(strip).take(pe, of_pe_, begun_by, p.now));
    }
  }
  for (ChannelId id = p.channels.first(pe); id < p.channels.first(pe + 1); ++id) {
    p.history.pass_channel(archive, id);
  }
  if (PeProfile* const profile = strip.ledger.profile()) profile->pass(archive, pe);
}

// Returns the instruction in flight that the transport steps for the thread.
StepperState::Begun MachineState::begun(ThreadId thread) const {
  const Machine::Parts& p = *machine_.parts_;
  if (p.loaded.program_at(thread.pe) == nullptr) return {};
  const Core& core = p.strips.core(thread.pe);
  if (thread.thread >= core.program->threads) return {};
  const InFlight* const f = core.in_flight.find(thread.thread);
  if (f == nullptr || f->is_timer != 0 || !f->is_moving()) return {};
  const bool is_ahead = thread.thread == kMainThread && core.has_started_ahead(p.now);
  return {&f->plan->flow, is_ahead ? core.resume : 0};
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
      for (const auto& strip : p.strips) {
        if (has(strip->pes.first) || !share_) agenda_of(*strip).clear();
      }
    } else {
      const auto visit = [&](PeId pe, Cycle cycle) {
        // A machine that has trapped keeps what its last cycle had still to do.
        if (has(pe) && (cycle > p.now || !share_)) entries.emplace_back(cycle, pe);
      };
      for (const auto& strip : p.strips) {
        of_cores ? strip->agenda.for_each(visit)
                 : strip->transport->states().for_each_visit(p.now, visit);
      }
      std::ranges::sort(entries);
    }
    archive.list(entries, sizeof(Cycle) + sizeof(PeId), [&](Entry& entry) {
      archive.number(entry.first);
      archive.below(entry.second, p.mesh.pes());
      archive.expect(has(entry.second));
      archive.expect((entry.first > p.now || !p.last) && is_within_reach(entry.first, p.now));
      if (of_cores && archive.ok()) archive.expect(p.loaded.program_at(entry.second) != nullptr);
      if constexpr (Archive::kReads) {
        if (archive.ok()) agenda_of(p.strips.of(entry.second)).add(entry.second, entry.first);
      }
    });
  }
}

}  // namespace wse::vm
