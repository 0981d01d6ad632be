// Wavelets in routers, and what they wait for.
#pragma once

#include "vm/ledger/cause_state.h"

namespace wse::vm::causes {

struct Move {
  PeId pe = 0;
  std::uint8_t colour = 0;
  bool is_from_ramp = false;
  std::uint32_t ports = 0;  // over which it goes, as bits
  std::uint32_t links = 0;  // of these, the links,
  Cycle interval = 1;       // which take a word in so many cycles
  std::uint32_t channel = 0;
  Words words{};
};

class RouterCauses {
 public:
  // The state must live longer.
  explicit RouterCauses(State& state) : state_(state) {}

  void moves(const Move& move, Cycle now);
  // The switch, route or filter of the channel acts otherwise from the next cycle on: after a move
  // of its router, or by its PE.
  void switches(PeId pe, std::uint32_t channel, bool by_move, Cycle now);
  // A word of a stream enters, over a link that was free from cycle `ready` on. Where it has waited
  // neither for the link nor for room, the host has let it wait, which no event explains: its cause
  // is the start of the run.
  void enters(PeId pe, std::uint8_t colour, const Place& place, Cycle ready, Cycle now);
  // The router drops a word.
  void drops(PeId pe, std::uint8_t colour, const Head& head, Cycle now);

 private:
  State& state_;
};

}  // namespace wse::vm::causes
