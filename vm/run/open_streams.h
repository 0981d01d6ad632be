// Streams without length: a host sends elements into a machine that it holds, and receives those
// that leave it.
//
// For a machine that began with RunOptions::launches.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "vm/run/machine.h"

namespace wse::vm {

class OpenStreams {
 public:
  // The machine must live longer.
  explicit OpenStreams(Machine& machine) : machine_(machine) {}

  bool has(std::string_view name) const;
  // Elements of each PE of the stream, in C order [height][width][n], that enter in the first cycle
  // that was not done, or when there is room. Errors: no such stream, or one that leaves; words
  // that are not as many for each PE.
  isa::Status send(std::string_view stream, std::span<const std::uint32_t> words);
  // Takes the first n elements of each PE that have left, in that order. Errors: no such stream, or
  // one that enters; fewer have left at a PE, which is named: nothing is taken.
  isa::Result<std::vector<std::uint32_t>> receive(std::string_view stream, std::size_t n);
  // How many elements receive() gives at most. Errors: no such stream, or one that enters.
  isa::Result<std::size_t> arrived(std::string_view stream) const;

 private:
  Machine& machine_;
};

}  // namespace wse::vm
