// Copies parts of exported arrays from a machine to a host, and back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "vm/run/array_part.h"
#include "vm/run/machine.h"

namespace wse::vm {

// Of arrays that are no streams.
class ArrayParts {
 public:
  // The machine must live longer.
  explicit ArrayParts(Machine& machine) : machine_(machine) {}

  // Errors: no such array, a rectangle that is empty or leaves that of the array, elements that it
  // does not have.
  isa::Result<PartShape> shape(std::string_view array, const ArrayPart& part) const;
  // Copies elements in the type of the array, little-endian, in C order; `bytes` has the size of
  // the shape. PEs without the array give zeros, and skip theirs.
  void read(std::string_view array, const PartShape& shape, std::span<std::byte> bytes) const;
  void write(std::string_view array, const PartShape& shape, std::span<const std::byte> bytes);
  // Sets all elements of any symbol at one PE, a word each. Errors: those of Machine::read_symbol;
  // a wrong number of words.
  isa::Status write_symbol(std::uint32_t x, std::uint32_t y, std::string_view symbol,
                           std::span<const std::uint32_t> words);

 private:
  Machine& machine_;
};

}  // namespace wse::vm
