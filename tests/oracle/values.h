// What instructions compute, one element at a time.
//
// Integers are plain C++, floats the integer-made references of tests/support. Must never call the
// machine's own meanings.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "isa/instruction/instruction.h"

namespace wse::oracle {

// Sources in the order of a line. Nothing if an integer is divided by zero.
std::optional<std::uint32_t> compute(std::string_view mnemonic, std::uint32_t a, std::uint32_t b,
                                     std::uint32_t c);

// Whether a branch is taken.
bool branches(std::string_view mnemonic, std::uint32_t a, std::uint32_t b);

// Whether two values compare so.
bool compares(isa::Condition condition, isa::Type type, std::uint32_t a, std::uint32_t b);

}  // namespace wse::oracle
