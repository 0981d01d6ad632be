// Literals, parameter slots and descriptor literals, each value once.
//
// They get their numbers in the order of the code that uses them first, so that disassembled text
// gives the same numbers again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "asm/names/globals.h"
#include "asm/program/descriptor_plan.h"
#include "isa/image/image.h"

namespace wse::assembler {

// They are put into the program.
class Pools {
 public:
  Pools(isa::Program& program, const Globals& globals) : program_(program), globals_(globals) {}

  std::uint32_t literal(std::uint32_t bits);
  // The slot that holds the value of a formula as a `type`.
  std::uint32_t slot(const isa::Formula& formula, isa::Type type);
  std::uint32_t descriptor(const DescriptorPlan& plan);
  // A constant, or the slot that holds the value.
  isa::SlotValue value(const isa::Formula& formula, isa::Type type);
  bool may_be_float(const isa::Formula& formula) const;

 private:
  std::optional<std::uint32_t> direct_slot(const isa::Formula& formula, isa::Type type) const;

  isa::Program& program_;
  const Globals& globals_;
  std::unordered_map<std::uint32_t, std::uint32_t> literals_;
  std::unordered_map<std::string, std::uint32_t> slots_;
  std::unordered_map<std::string, std::uint32_t> descriptors_;
};

}  // namespace wse::assembler
