// The instructions that are more than a function of values: division, control, time.
// Memory is in memory.h, descriptors in descriptors.h.
//
// Each reads, checks, then writes, so that a trap leaves the state whole.
#pragma once

#include "isa/instruction/instruction.h"
#include "isa/instruction/types.h"
#include "isa/semantics/memory.h"
#include "isa/semantics/values.h"

namespace wse::isa::semantics {

// Quotients and remainders: true and `result`, or false and the trap in the state. The smallest
// number divided by -1 wraps.
inline bool check_divisor(ScalarState& s, Word b) {
  s.trap = Trap::DivisionByZero;
  return b != 0;
}

inline bool divide_signed32(ScalarState& s, Word a, Word b, Word& result) {
  if (!check_divisor(s, b)) return false;
  result = b == ~Word{0} ? negate32(a) : static_cast<Word>(as_signed(a) / as_signed(b));
  return true;
}

inline bool remainder_signed32(ScalarState& s, Word a, Word b, Word& result) {
  if (!check_divisor(s, b)) return false;
  result = b == ~Word{0} ? 0 : static_cast<Word>(as_signed(a) % as_signed(b));
  return true;
}

inline bool divide_unsigned32(ScalarState& s, Word a, Word b, Word& result) {
  if (!check_divisor(s, b)) return false;
  result = a / b;
  return true;
}

inline bool remainder_unsigned32(ScalarState& s, Word a, Word b, Word& result) {
  if (!check_divisor(s, b)) return false;
  result = a % b;
  return true;
}

// Call and return set the pc themselves; `words` is the length of the instruction.
inline Step call(ScalarState& s, const Instruction& i, std::uint32_t words) {
  s.r[i.destination] = s.pc + words;
  s.pc = i.target;
  return Step::Next;
}

inline Step return_to(ScalarState& s, const Instruction& i, std::uint32_t) {
  const Word target = s.r[i.source_a];
  s.trap = Trap::BadReturn;
  s.trap_address = target;
  if (target >= s.view->code_words || s.view->begins[target] == 0) return Step::Trap;
  s.pc = target;
  return Step::Next;
}

// The counter as the instruction begins.
inline std::uint64_t cycle_counter(const ScalarState& s) {
  return s.start_cycle + s.cycles_charged;
}

inline Word read_tsc(const ScalarState& s) { return static_cast<Word>(cycle_counter(s)); }

inline Word read_tsc_high(const ScalarState& s) {
  return low_half(static_cast<Word>(cycle_counter(s) >> 32));
}

inline Word read_left(const ScalarState& s) { return s.left; }

// A shift register with feedback x^23 + x^18 + 1: each bit is the exclusive-or of the bits made 23
// and 18 steps before. 128 steps, 16 at a time.
inline Word random16(ScalarState& s) {
  for (int block = 0; block < 128 / 16; ++block) {
    const Word made = low_half(s.random >> 7 ^ s.random >> 2);
    s.random = s.random << 16 | made;
  }
  return low_half(s.random);
}

inline bool always(Word, Word) { return true; }

// A point at which the machine, not the instruction stream, continues: vector start, wait, halt.
inline Step stop_point(ScalarState&, const Instruction&) { return Step::Stop; }

// Something for people: mark, print.
inline Step service(ScalarState&, const Instruction&) { return Step::Service; }

template <class Value>
bool compare_values(Condition condition, Value a, Value b) {
  switch (condition) {
#define CONDITION(name, text, comparison) \
  case Condition::name: return a comparison b;
#include "isa/instruction/conditions.def"
#undef CONDITION
  }
  return false;
}

// Compares what the bits stand for as values of the type.
inline bool compare(Condition condition, Type type, Word a, Word b) {
  switch (type) {
    case Type::I32: return compare_values(condition, as_signed(a), as_signed(b));
    case Type::U32:
    case Type::Colour: return compare_values(condition, a, b);
    case Type::F32: return compare_values(condition, as_float(a), as_float(b));
    case Type::I16: return compare_values(condition, as_signed16(a), as_signed16(b));
    case Type::U16: return compare_values(condition, low_half(a), low_half(b));
    case Type::F16: return compare_values(condition, half_value(a), half_value(b));
  }
  return false;
}

inline Step check(ScalarState& s, const Instruction& i) {
  s.trap = Trap::Assertion;
  const bool holds =
      compare(static_cast<Condition>(i.condition), static_cast<Type>(i.compared_type),
              s.r[i.source_a], scalar_operand(s, i));
  return holds ? Step::Next : Step::Trap;
}

}  // namespace wse::isa::semantics
