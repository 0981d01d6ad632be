// Passes all that changes in a run, part by part.
#include "vm/run/machine_state.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <utility>

#include "isa/support/mutant.h"
#include "vm/run/kept_books.h"
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

void MachineState::stand_still_outside() {
  Machine::Parts& p = *machine_.parts_;
  const Cone cone(p.mesh, *parts_.of().part, p.last ? p.now + 1 : 0);
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
    for (const PeId pe : p.own_placed()) {
      for (const InFlight& f : p.strips.core(pe).in_flight) {
        p.causes->threads.stands({pe, f.thread()}, f.pc());
      }
    }
  }
  if (p.options.trace == nullptr) return;
  for (const PeId pe : p.own_placed()) {
    const Core::Main main = p.strips.core(pe).main;
    const bool waits = main == Core::Main::Waiting || main == Core::Main::Saving;
    if (waits) p.tracer.main_stands(p.now + 1, pe);
    for (const InFlight& f : p.strips.core(pe).in_flight) {  // a quiet finish is told, too
      if (!f.is_moving() && f.finish > p.now) p.strips.of(pe).agenda.add(pe, f.finish);
    }
  }
  const PeRange own = p.strips.pes();
  for (ChannelId id = p.channels.first(own.first); id < p.channels.first(own.end); ++id) {
    const ChannelState channel = p.strips.channel(id);
    for (std::uint32_t k = 0; k < kQueuePorts; ++k) {
      const auto port = static_cast<QueuePort>(k);
      const std::uint32_t words = p.strips.queued(id, port);
      if (words > 0) p.options.trace->stand(channel.pe, channel.colour, port, words);
    }
  }
}

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
    if (!parts_.has(pe)) continue;
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
  KeptBooks books(p);
  if (!parts_.of().part) {
    books.count_planes();
    for (const auto& strip : p.strips) strip->ledger.activity.flush();
  }
  pass(writer);
}

void MachineState::write_share(StateWriter& writer) {
  Machine::Parts& p = *machine_.parts_;
  const bool was_shown = hide();
  {
    KeptBooks books(p);
    books.count_planes();
    if (!isa::mutant(isa::Mutant::ShareAhead)) books.rewind();
    for (const auto& strip : p.strips) strip->ledger.activity.flush();
    pass(writer);
    p.communicator->join_others({});  // serves until all have what they ask for
  }
  if (was_shown) p.show(true);
}

bool MachineState::agree(bool has_read) {
  Machine::Parts& p = *machine_.parts_;
  if (!p.is_shared()) return has_read;
  StripReport report;
  report.failed = !has_read;
  return !p.communicator->join_others(report).failed;
}

bool MachineState::read(StateReader& reader) {
  Machine::Parts& p = *machine_.parts_;
  if (parts_.of().part) parts_.take_stepper("a part of the machine");
  if (p.strips.size() == 0) return true;  // other processes run all
  if (!agree(read_all(reader))) return false;
  if (parts_.of().part) stand_still_outside();
  if (!p.last) return true;  // nothing was done there
  show_read();
  return true;
}

bool MachineState::read_all(StateReader& reader) try {
  Machine::Parts& p = *machine_.parts_;
  if (p.is_shared()) parts_.find_neighbours();
  pass(reader);
  reader.expect(reader.left() == 0);
  return reader.ok() && parts_.fill_borders();
} catch (const std::bad_alloc&) {
  agree(false);
  throw;
}

void MachineState::show_read() {
  Machine::Parts& p = *machine_.parts_;
  for (const auto& strip : p.strips) {
    strip->transport->states().settle(p.now);
    if (p.on_wafer) continue;
    stepper_of(*strip).copy_queues([&](PeId pe) -> const RouterState* {
      return parts_.is_here(pe) ? &stepper_of(p.strips.of(pe)).routers() : nullptr;
    });
  }
  tell_observers();
  if (!p.is_prepared) p.show(true);  // where launches wait nobody looks before it continues
}

bool MachineState::read_share(StateReader& reader) {
  pass(reader);
  reader.expect(reader.left() == 0);
  return reader.ok();
}

template <class Archive>
void MachineState::pass(Archive& archive) {
  Machine::Parts& p = *machine_.parts_;
  const std::optional<PeRange>& share = parts_.of().share;
  const PeRange all{0, p.mesh.pes()};
  parts_.pass_clock(archive);
  parts_.pass_cores(archive, all);
  parts_.pass_transport(archive, all);
  for (const bool of_cores : {true, false}) {
    parts_.pass_agenda(archive, of_cores, parts_.entries(of_cores));
  }
  share ? p.streams.pass_share(archive) : p.streams.pass(archive);
  if (parts_.of().part || !archive.ok()) return;
  LedgerState(parts_.books(0)).pass(archive, p.now);
  if (share) {
    archive.below(p.status, static_cast<std::uint64_t>(RunStatus::Interrupted) + 1);
    return TrapState(p.image, p.loaded).pass(archive, p.strips, *share);
  }
  p.tracer.pass(archive, p.now);
  if (p.options.launches) parts_.pass_session(archive);
}

}  // namespace wse::vm
