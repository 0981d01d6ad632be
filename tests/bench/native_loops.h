// What a vector instruction is compared with: the same loop in C++, compiled for this very host.
//
// In the order of `kind` of programs/vectors.wsa. Must never call what isa/ has: this is what
// somebody would write who has no machine.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace wse::bench {

struct NativeLoop {
  std::string_view name;
  std::string_view text;
  // Does it so often with so many elements, as many as kMostElements.
  void (*run)(std::size_t elements, std::size_t rounds);
};

inline constexpr std::size_t kMostElements = 4096;
inline constexpr std::size_t kNativeLoops = 8;

const std::array<NativeLoop, kNativeLoops>& native_loops();

}  // namespace wse::bench
