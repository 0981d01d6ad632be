// Intersection of strided sets: boxes, then the words of the shorter set one by one.
#include "vm/pe/word_set.h"

namespace wse::vm {
namespace {

constexpr std::int64_t kWordBytes = 2;

bool contains(const WordSet& set, std::int64_t address) {
  if (address < set.low() || address >= set.high()) return false;
  const std::int64_t pitch = set.stride < 0 ? -set.stride : set.stride;
  return pitch == 0 || (address - set.low()) % pitch < set.width;
}

bool is_dense(const WordSet& set) {
  return set.count == 1 || (set.stride <= set.width && -set.stride <= set.width);
}

}  // namespace

WordSet words_of(const isa::Descriptor& memory, std::uint32_t length, std::uint32_t element_bytes) {
  return {.first = memory.address,
          .stride = std::int64_t{memory.stride} * element_bytes,
          .count = length,
          .width = element_bytes};
}

bool intersect(const WordSet& a, const WordSet& b) {
  if (a.count == 0 || b.count == 0) return false;
  if (a.low() >= b.high() || b.low() >= a.high()) return false;
  if (is_dense(a) && is_dense(b)) return true;
  const WordSet& few = a.count <= b.count ? a : b;
  const WordSet& many = a.count <= b.count ? b : a;
  for (std::int64_t k = 0; k < few.count; ++k) {
    const std::int64_t element = few.first + k * few.stride;
    for (std::int64_t word = element; word < element + few.width; word += kWordBytes) {
      if (contains(many, word)) return true;
    }
  }
  return false;
}

}  // namespace wse::vm
