// The instructions on descriptor registers: load, copy, store, and one field at a time.
//
// A register holds nothing that a setd could not have given it, whatever memory or a register says:
// other values trap, and the state stays whole. The trap names the register.
#pragma once

#include <bit>
#include <cstring>
#include <type_traits>

#include "isa/instruction/instruction.h"
#include "isa/semantics/memory.h"

namespace wse::isa::semantics {

inline Step descriptor_trap(ScalarState& s, Trap trap, std::uint32_t number) {
  s.trap = trap;
  s.trap_address = number;
  return Step::Trap;
}

inline Step load_descriptor(ScalarState& s, const Instruction& i) {
  s.d->share(i.destination, *s.view->descriptors[i.target]);
  return Step::Next;
}

inline Step copy_descriptor(ScalarState& s, const Instruction& i) {
  s.d->copy(i.destination, i.source_a);
  return Step::Next;
}

inline Step fetch_descriptor(ScalarState& s, const Instruction& i) {
  const Word address = scalar_operand(s, i);
  StoredDescriptor words;
  if (!check_address(s, address, sizeof words, sizeof(Word))) return Step::Trap;
  std::memcpy(words.data(), s.memory + address, sizeof words);
  const std::optional<Descriptor> made = descriptor_of(words);
  if (!made) return descriptor_trap(s, Trap::BadDescriptor, i.destination);
  s.d->set(i.destination, *made);
  return Step::Next;
}

inline Step store_descriptor(ScalarState& s, const Instruction& i) {
  const Descriptor& d = (*s.d)[i.source_a];
  if (d.kind == DescriptorKind::None) return descriptor_trap(s, Trap::UnsetDescriptor, i.source_a);
  const StoredDescriptor words = stored(d);
  const Word address = scalar_operand(s, i);
  if (!check_address(s, address, sizeof words, sizeof(Word))) return Step::Trap;
  std::memcpy(s.memory + address, words.data(), sizeof words);
  return Step::Next;
}

// Tell whether a field can hold a value.
inline bool any_value(Word) { return true; }
inline bool is_length(Word value) { return value <= kMaxLength; }
inline bool is_colour(Word value) { return value < kMaxColours; }
inline bool is_stride(Word value) {
  return as_signed(value) >= -kMaxStride && as_signed(value) <= kMaxStride;
}

template <auto kField, auto kHas, auto kFits>
Step set_field(ScalarState& s, const Instruction& i) {
  const DescriptorKind kind = (*s.d)[i.destination].kind;
  if (!kHas(kind)) return descriptor_trap(s, Trap::UnsetDescriptor, i.destination);
  const Word value = scalar_operand(s, i);
  if (!kFits(value)) return descriptor_trap(s, Trap::BadDescriptor, i.destination);
  Descriptor& d = s.d->own(i.destination);
  d.*kField = std::bit_cast<std::remove_cvref_t<decltype(d.*kField)>>(value);
  return Step::Next;
}

template <auto kField, auto kHas>
Step get_field(ScalarState& s, const Instruction& i) {
  const Descriptor& d = (*s.d)[i.source_a];
  if (!kHas(d.kind)) return descriptor_trap(s, Trap::UnsetDescriptor, i.source_a);
  s.r[i.destination] = static_cast<Word>(d.*kField);
  return Step::Next;
}

// Gives an endless descriptor a bound, too: every number is a length.
inline Step set_length(ScalarState& s, const Instruction& i) {
  const Step step = set_field<&Descriptor::length, has_length, is_length>(s, i);
  if (step == Step::Next) s.d->own(i.destination).options.endless = false;
  return step;
}
inline Step set_base(ScalarState& s, const Instruction& i) {
  return set_field<&Descriptor::address, has_address, any_value>(s, i);
}
inline Step set_position(ScalarState& s, const Instruction& i) {
  return set_field<&Descriptor::position, is_memory, any_value>(s, i);
}
inline Step set_stride(ScalarState& s, const Instruction& i) {
  return set_field<&Descriptor::stride, has_address, is_stride>(s, i);
}
inline Step set_colour(ScalarState& s, const Instruction& i) {
  return set_field<&Descriptor::colour, has_colour, is_colour>(s, i);
}
inline Step get_length(ScalarState& s, const Instruction& i) {
  return get_field<&Descriptor::length, has_length>(s, i);
}
inline Step get_base(ScalarState& s, const Instruction& i) {
  return get_field<&Descriptor::address, has_address>(s, i);
}
inline Step get_position(ScalarState& s, const Instruction& i) {
  return get_field<&Descriptor::position, is_memory>(s, i);
}
inline Step get_stride(ScalarState& s, const Instruction& i) {
  return get_field<&Descriptor::stride, has_address>(s, i);
}
inline Step get_colour(ScalarState& s, const Instruction& i) {
  return get_field<&Descriptor::colour, has_colour>(s, i);
}

}  // namespace wse::isa::semantics
