// Events of routers.
#include "vm/ledger/router_causes.h"

#include <bit>

namespace wse::vm::causes {

void RouterCauses::moves(const Move& move, Cycle now) {
  state_.forget(now);
  Last last;
  state_.consider_words(last, move.words, move.is_from_ramp ? StepKind::Ramp : StepKind::Link);
  for (std::uint32_t rest = move.ports; rest != 0; rest &= rest - 1) {
    const Port port = state_.port(move.pe, static_cast<std::size_t>(std::countr_zero(rest)));
    last.consider({port.free, port.event, StepKind::Link, true});
  }
  state_.consider_fronts(last, move.words, now);
  state_.consider_places(last, move.words, now);
  if (const Change* const change = state_.changes.find(move.channel)) {
    last.consider({change->cycle + 1, change->event, StepKind::Switch});
  }
  const EventId moved = state_.caused(last, {.cycle = now, .pe = move.pe, .colour = move.colour});
  state_.pes[move.pe].router.move = moved;
  state_.note(moved, now + 1);
  for (std::uint32_t rest = move.ports; rest != 0; rest &= rest - 1) {
    const bool is_link = (rest & (~rest + 1) & move.links) != 0;
    const bool takes_more = is_link && !isa::mutant(isa::Mutant::CauseInterval);
    state_.set_port(move.pe, static_cast<std::size_t>(std::countr_zero(rest)),
                    {now + (takes_more ? move.interval : 1), moved});
  }
  state_.take_and_put(move.words, moved, now);
}

void RouterCauses::switches(PeId pe, std::uint32_t channel, bool by_move, Cycle now) {
  if (isa::mutant(isa::Mutant::CauseSwitch)) return;
  Change& change = state_.changes[channel];
  change.cycle = now;
  change.event = by_move ? state_.pes[pe].router.move : state_.cores[pe].main;
}

void RouterCauses::enters(PeId pe, std::uint8_t colour, const Place& place, Cycle ready,
                          Cycle now) {
  state_.forget(now);
  const auto before = state_.entries.try_emplace(place.queue, kNoEvent).first;
  Last last;
  last.consider({ready, before->second, StepKind::Link});
  state_.consider_places(last, {{}, {&place, 1}}, now);
  last.consider({now, EventTree::kStart, StepKind::Link});
  const EventId entered = state_.caused(last, {.cycle = now, .pe = pe, .colour = colour});
  state_.note(entered, now + 1);
  before->second = entered;
  state_.take_and_put({{}, {&place, 1}}, entered, now);
}

void RouterCauses::drops(PeId pe, std::uint8_t colour, const Head& head, Cycle now) {
  Last last;
  if (!isa::mutant(isa::Mutant::CauseFilter))
    state_.consider_words(last, {{&head, 1}, {}}, StepKind::Ramp);
  state_.consider_fronts(last, {{&head, 1}, {}}, now);
  const EventId dropped = state_.caused(last, {.cycle = now, .pe = pe, .colour = colour});
  state_.take_and_put({{&head, 1}, {}}, dropped, now);
}

}  // namespace wse::vm::causes
