// Times with the steady clock; yardsticks that no compiler can leave away.
#include "tests/bench/measure.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>

namespace wse::bench {
namespace {

double once(const Row& row) {
  const auto begin = std::chrono::steady_clock::now();
  const double done = row.run();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  return done / taken.count();
}

}  // namespace

Rate rate_of(const Row& row, int runs) {
  once(row);
  std::vector<double> rates;
  for (int k = 0; k < runs; ++k) rates.push_back(once(row));
  std::ranges::sort(rates);
  return {rates[rates.size() / 2], rates.front(), rates.back()};
}

Row integer_yardstick() {
  return {"yardstick: integer loop", "steps", [] {
            constexpr std::uint32_t kSteps = 100'000'000;
            volatile std::uint32_t seed = 1;
            std::uint32_t word = seed;
            for (std::uint32_t k = 0; k < kSteps; ++k) word = word * 1664525 + 1013904223;
            seed = word;
            return double{kSteps};
          }};
}

Row memory_yardstick() {
  return {"yardstick: memcpy", "bytes", [] {
            constexpr std::size_t kBytes = std::size_t{64} << 20;
            constexpr int kCopies = 8;
            static std::vector<std::byte> from(kBytes, std::byte{1});
            static std::vector<std::byte> to(kBytes);
            for (int k = 0; k < kCopies; ++k) {
              from[static_cast<std::size_t>(k)] = std::byte{2};
              std::memcpy(to.data(), from.data(), kBytes);
            }
            return to[0] == std::byte{2} ? double{kBytes} * kCopies : 0.0;
          }};
}

}  // namespace wse::bench
