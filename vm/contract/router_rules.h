// The rules of a router, once for every transport: what control wavelets, advances and writes of
// its PE do to a switch; which control wavelets a PE gets; which queues a routing needs.
//
// Each rule is a function of values. Must never know when a transport asks, where it keeps its
// state, or who is told of a change.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "isa/image/image.h"
#include "isa/machine/control_word.h"
#include "isa/machine/profile.h"
#include "isa/machine/topology.h"
#include "isa/support/mutant.h"
#include "vm/contract/switch_turn.h"
#include "vm/contract/transport.h"
#include "vm/contract/trap_report.h"
#include "vm/load/configuration.h"

namespace wse::vm {

// The state that decides where the wavelets of a colour go at one router.
struct SwitchState {
  const isa::Routing* routing = nullptr;  // none: nothing routes the colour here
  std::uint32_t position = 0;
  bool torn_down = false;

  bool operator==(const SwitchState&) const = default;
};

// Returns the switch of a channel of a transport.
template <class Channel>
SwitchState switch_of(const Channel& channel) {
  return {channel.routing, channel.position, channel.torn_down};
}

// Returns the position that follows; a switch that is no ring stays at its last one.
inline std::uint32_t next_position(const isa::Routing& routing, std::uint32_t position) {
  if (position + 1 < routing.positions.size()) return position + 1;
  return routing.ring && !isa::mutant(isa::Mutant::RingStays) ? 0 : position;
}

// Whether command 0 of a control wavelet is taken off it, once the router has obeyed; `changed`:
// its switch has another position now.
inline bool pops(isa::PopMode mode, isa::Command command, bool changed) {
  switch (mode) {
    case isa::PopMode::Never: return false;
    case isa::PopMode::Always: return true;
    case isa::PopMode::OnAdvance: return changed || isa::mutant(isa::Mutant::PopMode);
    case isa::PopMode::OnAdvanceNop: return changed || command == isa::Command::Nop;
  }
  return false;
}

// The effect of a control wavelet that a router moves, or of an advance.
struct Obeyed {
  SwitchState now;
  std::uint32_t word = 0;  // the wavelet as it travels on
  Turn turn = Turn::Made;  // of the switch, or why there is none
};

// Lets command 0 of the control wavelet act on the switch that has moved it.
inline Obeyed obey(const SwitchState& before, std::uint32_t word) {
  const isa::Routing& routing = *before.routing;
  const isa::Command command = isa::command_of(word, 0).command;
  SwitchState now = before;
  switch (command) {
    case isa::Command::Nop: break;
    case isa::Command::Advance: now.position = next_position(routing, before.position); break;
    case isa::Command::Reset: now.position = 0; break;
    case isa::Command::Teardown: now.torn_down = true; break;
  }
  const bool changed = now.position != before.position;
  return {.now = now,
          .word = pops(routing.pop, command, changed) ? isa::popped(word) : word,
          .turn = turn_of(routing, word, changed)};
}

// Lets the sender's switch advance, after its last word or because its PE says so.
inline Obeyed obey_advance(const SwitchState& before) {
  SwitchState now = before;
  now.position = next_position(*before.routing, before.position);
  const bool changed = now.position != before.position;
  return {.now = now, .turn = changed ? Turn::Made : idle_advance(*before.routing)};
}

// Returns the switch after a write of its PE. A filter changes no switch; an advance is one of
// obey_advance().
inline SwitchState written(const SwitchState& before, ConfigurationWrite::Kind kind,
                           const isa::Routing* routing, std::uint32_t position) {
  using Kind = ConfigurationWrite::Kind;
  SwitchState now = before;
  switch (kind) {
    case Kind::Routing:
      now.routing = routing;
      now.position = 0;
      break;
    case Kind::Position: now.position = position; break;
    case Kind::TeardownExit: now.torn_down = false; break;
    case Kind::Filter:
    case Kind::Advance: break;
  }
  return now;
}

// Returns how many positions the colour has once its `written` routing acts; none: nothing has been
// written.
inline std::uint32_t positions_of(const isa::Routing* routing, const isa::Routing* written) {
  const isa::Routing* const next = written != nullptr ? written : routing;
  return next == nullptr ? 0 : static_cast<std::uint32_t>(next->positions.size());
}

// The first cycle in which the PE sees that the colour was torn down in cycle `now`.
inline Cycle teardown_seen(const isa::Profile& profile, Cycle now) {
  const Cycle late = isa::mutant(isa::Mutant::TeardownLate) ? 1 : 0;
  const Cycle early = isa::mutant(isa::Mutant::TeardownEarly) ? 1 : 0;
  return now + 1 + profile.ramp_latency_cycles + late - early;
}

// Whether the router keeps the control wavelet from its PE: command 0 says so.
inline bool is_hidden(std::uint32_t word) {
  return isa::command_of(word, 0).ignore && !isa::mutant(isa::Mutant::IgnoreBit);
}

// Whether no task is asked for: the control wavelet is dropped where it arrives.
inline bool is_unwanted(std::uint32_t word) { return isa::entry_of(word) == isa::kNoEntry; }

// The trap of a wavelet that would leave the grid where no stream takes it.
inline TrapReport off_grid(const isa::Image& image, PeId pe, std::uint32_t colour, isa::Port port,
                           bool control, const isa::Routing* routing, Cycle now) {
  return {
      .trap = isa::Trap::OffGrid,
      .cycle = now,
      .pe = pe,
      .detail = fmt::format("a {}wavelet of colour {} would leave the grid to the {}",
                            control ? "control " : "", image.colour_name(colour), isa::text(port)),
      .routing = routing};
}

// Calls visit(pe, queue) for each queue that the routing of the PE takes from or sends to, here and
// behind its links; for some of them more than once.
template <class Visit>
void for_each_queue(const isa::Topology& mesh, PeId pe, const isa::Routing& routing, Visit visit) {
  for (const isa::SwitchPosition& position : routing.positions) {
    visit(pe, input_queue(position.rx));
  }
  for_each_port(all_targets(routing), [&](isa::Port port) {
    if (port == isa::Port::Ramp) return visit(pe, QueuePort::DownRamp);
    const auto there = mesh.neighbour(pe, port);
    if (there) visit(*there, input_queue(isa::opposite(port)));
  });
}

// Returns what explanations ask of a channel of a transport.
template <class Channel>
ChannelState state_of(ChannelId id, const Channel& channel) {
  return {.id = id,
          .pe = channel.pe,
          .colour = channel.colour,
          .position = channel.position,
          .torn_down = channel.torn_down,
          .routing = channel.routing};
}

}  // namespace wse::vm
