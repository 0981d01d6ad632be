// Scalar operands, loads and stores.
//
// Each reads, checks, then writes, so that a trap leaves the state whole.
#pragma once

#include <cstring>

#include "isa/instruction/instruction.h"
#include "isa/semantics/state.h"
#include "isa/semantics/values.h"

namespace wse::isa::semantics {

inline Word scalar_operand(const PeState& s, const Instruction& i) {
  switch (i.scalar_operand()) {
    case ScalarKind::Register: return s.r[i.scalar];
    case ScalarKind::Immediate: return static_cast<Word>(i.immediate());
    case ScalarKind::Literal: return s.view->literals[i.scalar];
    case ScalarKind::Slot: return s.view->slots[i.scalar];
  }
  return 0;
}

// True if the `bytes` at `address` may be used, which must be a multiple of `unit`; otherwise the
// trap is in the state.
inline bool check_address(ScalarState& s, Word address, Word bytes, Word unit) {
  s.trap_address = address;
  s.trap = address % unit != 0 ? Trap::Misaligned : Trap::OutsideMemory;
  return address % unit == 0 && address < s.memory_bytes && s.memory_bytes - address >= bytes;
}

inline bool load32(ScalarState& s, Word address, Word& value) {
  if (!check_address(s, address, 4, 4)) return false;
  std::memcpy(&value, s.memory + address, 4);
  return true;
}

inline bool store32(ScalarState& s, Word address, Word value) {
  if (!check_address(s, address, 4, 4)) return false;
  std::memcpy(s.memory + address, &value, 4);
  return true;
}

// Zero-extends, as every 16-bit result.
inline bool load16(ScalarState& s, Word address, Word& value) {
  if (!check_address(s, address, 2, 2)) return false;
  std::uint16_t half = 0;
  std::memcpy(&half, s.memory + address, 2);
  value = half;
  return true;
}

inline bool store16(ScalarState& s, Word address, Word value) {
  if (!check_address(s, address, 2, 2)) return false;
  const auto half = static_cast<std::uint16_t>(value);
  std::memcpy(s.memory + address, &half, 2);
  return true;
}

}  // namespace wse::isa::semantics
