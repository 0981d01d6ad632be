// How many words each PE took, sent, lost and left, counted one by one: what explanations of a
// deadlock tell must be the same. Words are data wavelets.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace wse::oracle {

struct Tally {
  struct Words {
    std::uint64_t taken = 0;     // from the down-ramp, by instructions and data tasks
    std::uint64_t sent = 0;      // into the up-ramp
    std::uint64_t dropped = 0;   // by the filter
    std::uint64_t standing = 0;  // in the down-ramp, at the end
  };
  // Effects of control wavelets, and of sends that advance, at a router.
  struct Switching {
    std::uint64_t controls = 0;       // wavelets that it moved
    std::uint64_t turns = 0;          // those that moved the switch
    std::uint64_t idle_controls = 0;  // those that changed nothing
    std::uint64_t ended = 0;          // those without a way on
    std::uint64_t idle_advances = 0;
  };
  // Of an instruction that has not ended: words moved, and how many there should be, if bounded.
  struct Pending {
    std::uint64_t moved = 0;
    std::optional<std::uint64_t> of;
  };
  using Place = std::pair<std::uint32_t, std::uint32_t>;  // PE, and a colour, FIFO or task
  using Operand = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // PE, thread, colour

  std::map<Place, Words> words;            // by colour
  std::map<Place, Switching> switching;    // by colour
  std::map<Place, std::uint64_t> refused;  // elements that found the FIFO full
  std::map<Place, std::uint64_t> runs;     // by index of the task
  std::map<Operand, Pending> receiving;
  std::map<Operand, Pending> sending;
};

}  // namespace wse::oracle
