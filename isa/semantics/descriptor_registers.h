// The descriptor registers of a PE.
//
// Most PEs of a program load the same descriptors, so a register points to one that they share;
// what an instruction changes becomes the register's own first. The owner of a shared descriptor
// keeps it where it is. An own one lies where it lay once the register had one: nothing is
// allocated again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "isa/descriptor/descriptor.h"

namespace wse::isa {

class DescriptorRegisters {
 public:
  DescriptorRegisters() { at_.fill(&kUnset); }
  DescriptorRegisters(const DescriptorRegisters&) = delete;
  DescriptorRegisters& operator=(const DescriptorRegisters&) = delete;

  const Descriptor& operator[](std::size_t number) const { return *at_[number]; }
  // Null where it is the register's own: then it may change.
  const Descriptor* shared(std::size_t number) const {
    return (own_mask_ >> number & 1) != 0 ? nullptr : at_[number];
  }

  // False if it was never loaded.
  bool is_loaded(std::size_t number) const { return at_[number] != &kUnset; }

  // True if none of the registers of the set, as bits, has one of its own.
  bool all_shared(std::uint32_t set) const { return (own_mask_ & set) == 0; }

  // The descriptor must stay as it is.
  void share(std::size_t number, const Descriptor& descriptor) {
    at_[number] = &descriptor;
    own_mask_ &= static_cast<std::uint16_t>(~(1u << number));
  }
  void set(std::size_t number, const Descriptor& descriptor) { own(number) = descriptor; }
  void copy(std::size_t to, std::size_t from) {
    if (shared(from) != nullptr) {
      share(to, *at_[from]);
    } else {
      set(to, *at_[from]);
    }
  }
  // To be changed.
  Descriptor& own(std::size_t number);

 private:
  static constexpr Descriptor kUnset{};

  std::array<const Descriptor*, kDescriptorRegisters> at_;
  std::unique_ptr<std::array<Descriptor, kDescriptorRegisters>> own_;  // once one was needed
  std::uint16_t own_mask_ = 0;
};
static_assert(kDescriptorRegisters <= 16);

inline Descriptor& DescriptorRegisters::own(std::size_t number) {
  if (own_ == nullptr) own_ = std::make_unique<std::array<Descriptor, kDescriptorRegisters>>();
  Descriptor& descriptor = (*own_)[number];
  if (shared(number) != nullptr) {
    descriptor = *at_[number];
    at_[number] = &descriptor;
    own_mask_ |= static_cast<std::uint16_t>(1u << number);
  }
  return descriptor;
}

}  // namespace wse::isa
