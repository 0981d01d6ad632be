// Cycles and PEs: the two numbers by which everything in the machine is ordered.
#pragma once

#include <cstdint>

namespace wse::vm {

using Cycle = std::uint64_t;
using PeId = std::uint32_t;  // y * width + x

inline constexpr Cycle kNever = ~Cycle{0};

}  // namespace wse::vm
