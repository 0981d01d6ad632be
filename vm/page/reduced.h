// An array of a profile in three numbers, and elements of arrays that a profile may lack.
#pragma once

#include <cstddef>
#include <cstdint>

#include "vm/profile/profile.h"

namespace wse::vm {

// An array reduced: the sum, and the first of the largest.
struct Reduced {
  std::uint64_t sum = 0;
  std::uint64_t most = 0;
  std::size_t at = 0;

  explicit Reduced(const Numbers& numbers) {
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      sum += numbers[k];
      if (numbers[k] > most) {
        most = numbers[k];
        at = k;
      }
    }
  }
};

// An element of an array that a profile may lack.
inline std::uint64_t value(const Numbers& numbers, std::size_t k) {
  return numbers.empty() ? 0 : numbers[k];
}

}  // namespace wse::vm
