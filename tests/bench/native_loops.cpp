// Compiled with -O3 -march=native, alone of all files of this project.
#include "tests/bench/native_loops.h"

#include <cmath>
#include <cstdint>

namespace wse::bench {
namespace {

// f16 as C++ has it: numbers of 16 bits in memory, computed in f32.
#if defined(__FLT16_MANT_DIG__)
using Half = _Float16;
#else
using Half = float;
#endif

constexpr std::size_t kShift = 64;  // elements between the sources, as in vectors.wsa
constexpr float kFactor = 0.75F;

template <class Element>
struct Array {
  Array() {
    for (std::size_t k = 0; k < kMostElements + kShift; ++k) {
      at[k] = static_cast<Element>(static_cast<float>(k) / 1024);
    }
  }
  alignas(64) Element at[kMostElements + kShift];
};

// w[k] = function(v[k], u[k]); each round needs another from the one before it.
template <class Result, class A, class B, class Function>
void repeat(std::size_t elements, std::size_t rounds, A* v, const B* u, Function function) {
  static Array<Result> to;
  Result* const w = to.at;
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t k = 0; k < elements; ++k) w[k] = function(v[k], u[k]);
    v[round % elements] = static_cast<A>(w[0]);
  }
}

template <class Element>
void add(std::size_t elements, std::size_t rounds) {
  static Array<Element> from;
  repeat<Element>(elements, rounds, from.at, from.at + kShift,
                  [](Element a, Element b) { return static_cast<Element>(a + b); });
}

template <class Element>
void multiply_add(std::size_t elements, std::size_t rounds) {
  static Array<Element> from;
  repeat<Element>(elements, rounds, from.at, from.at + kShift, [](Element a, Element b) {
    return static_cast<Element>(std::fma(static_cast<float>(b), kFactor, static_cast<float>(a)));
  });
}

void multiply_add_mixed(std::size_t elements, std::size_t rounds) {
  static Array<float> from;
  static Array<Half> factors;
  repeat<float>(elements, rounds, from.at, factors.at,
                [](float a, Half b) { return a + static_cast<float>(b) * kFactor; });
}

void sum(std::size_t elements, std::size_t rounds) {
  static Array<float> from;
  float total = 0;
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t k = 0; k < elements; ++k) total += from.at[k];
  }
  from.at[0] = total;
}

}  // namespace

const std::array<NativeLoop, kNativeLoops>& native_loops() {
  static constexpr std::array<NativeLoop, kNativeLoops> kLoops = {{
      {"add i16", "w[k] = v[k] + u[k]", add<std::int16_t>},
      {"add i32", "w[k] = v[k] + u[k]", add<std::int32_t>},
      {"add f16", "w[k] = v[k] + u[k] of _Float16", add<Half>},
      {"add f32", "w[k] = v[k] + u[k]", add<float>},
      {"multiply-add f16", "in f32, w[k] = fma(u[k], 0.75, v[k]) of _Float16", multiply_add<Half>},
      {"multiply-add f32", "w[k] = fma(u[k], 0.75, v[k])", multiply_add<float>},
      {"multiply-add mixed", "w[k] = v[k] + u[k] * 0.75, u of _Float16", multiply_add_mixed},
      {"sum f32", "sum += v[k]", sum},
  }};
  return kLoops;
}

}  // namespace wse::bench
