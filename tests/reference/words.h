// Words of symbols as numbers, and the inputs that programs make themselves.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/simulation.h"

namespace wse::test_reference {

inline std::vector<double> floats(const std::vector<std::uint32_t>& words) {
  std::vector<double> values;
  for (const std::uint32_t word : words) values.push_back(std::bit_cast<float>(word));
  return values;
}

inline std::vector<double> halves(const std::vector<std::uint32_t>& words) {
  std::vector<double> values;
  for (const std::uint32_t word : words) {
    values.push_back(
        static_cast<double>(std::bit_cast<_Float16>(static_cast<std::uint16_t>(word))));
  }
  return values;
}

inline std::vector<std::int32_t> integers(const std::vector<std::uint32_t>& words) {
  return {words.begin(), words.end()};
}

inline std::uint32_t word(double value) {
  return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

inline constexpr const char* kMachines[] = {"model", "wse2", "wse3"};

}  // namespace wse::test_reference
