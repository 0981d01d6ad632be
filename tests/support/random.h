// Random words that are the same on every machine and in every run.
// Must never be seeded from time or device.
#pragma once

#include <cstdint>
#include <random>

namespace wse::test_support {

class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}

  std::uint32_t word() { return static_cast<std::uint32_t>(engine_()); }
  // 0 .. limit - 1
  std::uint32_t below(std::uint32_t limit) { return word() % limit; }
  bool one_in(std::uint32_t n) { return below(n) == 0; }

 private:
  std::mt19937 engine_;
};

}  // namespace wse::test_support
