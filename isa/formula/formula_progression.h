// A formula that is an arithmetic progression over the elements of an array: most initial data are
// `x + i` or the like, and are known without a walk over the nodes for each element.
//
// It must never report anything: what is no progression, and what has no value, is left to others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "isa/formula/formula.h"

namespace wse::isa {

struct Progression {  // of 64-bit integers; no element overflows
  std::int64_t first = 0;
  std::int64_t step = 0;

  // Of `count` elements, at least one. The product alone may overflow.
  std::int64_t last(std::uint32_t count) const {
    const std::uint64_t rise = static_cast<std::uint64_t>(step) * (count - 1);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(first) + rise);
  }
};

// Of elements 0 .. count - 1, where each is what evaluate() gives for that `i` at `place`. Nothing:
// not found to be one.
std::optional<Progression> progression_of(const Formula& formula, const FormulaPlace& place,
                                          std::uint32_t count);

// Writes the elements as an array of `type`. False, and nothing written: one does not fit.
bool store(const Progression& progression, Type type, std::uint32_t count, std::byte* to);

}  // namespace wse::isa
