// Times with the steady clock; yardsticks that no compiler can leave away.
#include "tests/bench/measure.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

namespace wse::bench {
namespace {

constexpr double kLongSeconds = 1;  // of a run that needs no other before it

double rate_of(const Work& work) { return work.amount / work.by; }

Work integer_steps() {
  constexpr std::uint32_t kSteps = 30'000'000;
  const double seconds = seconds_of([] {
    volatile std::uint32_t seed = 1;
    std::uint32_t word = seed;
    for (std::uint32_t k = 0; k < kSteps; ++k) word = word * 1664525 + 1013904223;
    seed = word;
  });
  return {kSteps, seconds};
}

Work copied_bytes() {
  constexpr std::size_t kBytes = std::size_t{64} << 20;
  constexpr int kCopies = 8;
  thread_local std::vector<std::byte> from(kBytes, std::byte{1});
  thread_local std::vector<std::byte> to(kBytes);
  const double seconds = seconds_of([] {
    for (int k = 0; k < kCopies; ++k) {
      from[static_cast<std::size_t>(k)] = std::byte{2};
      std::memcpy(to.data(), from.data(), kBytes);
    }
  });
  return {to[0] == std::byte{2} ? double{kBytes} * kCopies : 0.0, seconds};
}

Work added_elements() {
  constexpr std::size_t kElements = 1024;
  constexpr int kRounds = 100'000;
  static std::vector<float> a(kElements, 1.0F);
  static std::vector<float> b(kElements, 0.5F);
  static std::vector<float> c(kElements);
  const double seconds = seconds_of([] {
    for (int round = 0; round < kRounds; ++round) {
      for (std::size_t k = 0; k < kElements; ++k) c[k] = a[k] + b[k];
      a[static_cast<std::size_t>(round) % kElements] = c[0];
    }
  });
  return {double{kElements} * kRounds, seconds};
}

// The same by two threads at a time: what a second core of this host adds at best, now.
template <Work (*work)()>
Work twice() {
  Work other;
  std::thread second([&other] { other = work(); });
  const Work mine = work();
  second.join();
  return {mine.amount + other.amount, std::max(mine.by, other.by)};
}

}  // namespace

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

Yardstick steps() { return {"steps", integer_steps}; }
Yardstick bytes() { return {"bytes", copied_bytes}; }
Yardstick adds() { return {"adds", added_elements}; }

std::array<Row, 5> yardsticks() {
  return {Row{"yardstick: integer loop", "steps/s", "multiply and add, each step needs the last",
              steps(), integer_steps},
          Row{"yardstick: integer loop, two threads", "steps/s", "the same loop in each", steps(),
              twice<integer_steps>},
          Row{"yardstick: memcpy", "bytes/s", "64 MiB from here to there", bytes(), copied_bytes},
          Row{"yardstick: memcpy, two threads", "bytes/s", "the same in each", bytes(),
              twice<copied_bytes>},
          Row{"yardstick: f32 loop", "adds/s", "a C++ loop, c[k] = a[k] + b[k] of 1024 elements",
              adds(), added_elements}};
}

Rate rate_of(const Row& row, int runs) {
  std::vector<double> rates;
  std::vector<double> ratios;
  for (int k = 0; k < runs; ++k) {
    const double host = rate_of(row.against.run());
    Work work;
    const double seconds = seconds_of([&] { work = row.run(); });
    if (k == 0 && seconds < kLongSeconds) work = row.run();
    rates.push_back(rate_of(work));
    ratios.push_back(host / rates.back());
  }
  std::ranges::sort(rates);
  std::ranges::sort(ratios);
  return {rates[rates.size() / 2], rates.front(), rates.back(), ratios[ratios.size() / 2]};
}

}  // namespace wse::bench
