// Descriptors by their values: one copy for all registers that hold an equal one.
//
// A register that was changed has a descriptor of its own, which changes again. Its copy stays, so
// the plans of instructions can be found by it (plans.h). A program may make any number of
// descriptors; only the first kMost are copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "isa/descriptor/descriptor.h"

namespace wse::vm {

class DescriptorCopies {
 public:
  static constexpr std::size_t kMost = 1u << 12;

  // The copy; null if there is none.
  const isa::Descriptor* find(const isa::Descriptor& descriptor) const {
    return places_.empty() ? nullptr : places_[place_of(descriptor)];
  }

  // The same, made if need be; null if there are too many.
  const isa::Descriptor* keep(const isa::Descriptor& descriptor) {
    if (places_.empty()) places_.resize(2 * kMost);
    const isa::Descriptor*& place = places_[place_of(descriptor)];
    if (place == nullptr && copies_.size() < kMost) place = &copies_.emplace_back(descriptor);
    return place;
  }

 private:
  // Of what instructions change one by one, and of what tells literals of a program apart.
  static std::size_t hash(const isa::Descriptor& d) {
    const auto pair = [](std::uint32_t high, std::uint32_t low) {
      return std::uint64_t{high} << 32 | low;
    };
    std::uint64_t sum = 0;
    for (const std::uint64_t part :
         {pair(d.address, d.position), pair(d.length, static_cast<std::uint32_t>(d.stride)),
          pair(d.ring, d.index << 8 | d.colour)}) {
      sum = ((sum >> 32) ^ sum ^ part) * 0x9e3779b97f4a7c15u;
    }
    return static_cast<std::size_t>(sum >> 32);
  }

  // Where it is, or belongs.
  std::size_t place_of(const isa::Descriptor& descriptor) const {
    const std::size_t mask = places_.size() - 1;
    std::size_t k = hash(descriptor) & mask;
    while (places_[k] != nullptr && *places_[k] != descriptor) k = (k + 1) & mask;
    return k;
  }

  std::deque<isa::Descriptor> copies_;          // never moves them
  std::vector<const isa::Descriptor*> places_;  // twice as many as kMost; none at first
};

}  // namespace wse::vm
