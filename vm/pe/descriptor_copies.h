// Descriptors by their values: one copy for all registers that hold an equal one.
//
// A register that was changed has a descriptor of its own, which changes again. Its copy stays, so
// the plans of instructions can be found by it (plans.h), and cores that do the same may share it
// (cohorts.h). A program may make any number of descriptors; only those that come again are copied,
// and the first kMost of these.
#pragma once

#include <array>
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

  // Returns the copy, which is made if an equal descriptor was asked for lately; null if it was
  // not, or if there are too many.
  const isa::Descriptor* keep(const isa::Descriptor& descriptor) {
    if (const isa::Descriptor* const copy = find(descriptor)) return copy;
    const std::uint32_t seen = hash(descriptor);
    std::uint32_t& last = seen_[seen % kSeen];
    if (last != seen || copies_.size() == kMost) {
      last = seen;
      return nullptr;
    }
    if (places_.empty()) places_.resize(2 * kMost);
    return places_[place_of(descriptor)] = &copies_.emplace_back(descriptor);
  }

 private:
  static constexpr std::size_t kSeen = 1024;

  // Mixes what instructions change one by one, and what tells literals of a program apart.
  static std::uint32_t hash(const isa::Descriptor& d) {
    const auto pair = [](std::uint32_t high, std::uint32_t low) {
      return std::uint64_t{high} << 32 | low;
    };
    std::uint64_t sum = 0;
    for (const std::uint64_t part :
         {pair(d.address, d.position), pair(d.length, static_cast<std::uint32_t>(d.stride)),
          pair(d.ring, d.index << 8 | d.colour)}) {
      sum = ((sum >> 32) ^ sum ^ part) * 0x9e3779b97f4a7c15u;
    }
    return static_cast<std::uint32_t>(sum >> 32);
  }

  // Where it is, or belongs.
  std::size_t place_of(const isa::Descriptor& descriptor) const {
    const std::size_t mask = places_.size() - 1;
    std::size_t k = hash(descriptor) & mask;
    while (places_[k] != nullptr && *places_[k] != descriptor) k = (k + 1) & mask;
    return k;
  }

  std::array<std::uint32_t, kSeen> seen_ = {};  // hashes of those that were asked for last
  std::deque<isa::Descriptor> copies_;          // never moves them
  std::vector<const isa::Descriptor*> places_;  // twice as many as kMost; none at first
};

}  // namespace wse::vm
