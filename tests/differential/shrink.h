// The smallest program that still fails: delta debugging over lines, words, numbers and the numbers
// of the machine.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "tests/differential/generator.h"

namespace wse::differential {

// Whether a program fails as the first one did. False for one that does not assemble.
using Fails = std::function<bool(const Generated&)>;

// Returns the smallest program found for which `fails` is true, as it is for `failing`. Asks at
// most `most_questions` times.
Generated shrink(const Generated& failing, const Fails& fails, std::uint32_t most_questions = 6000);

// Returns the least number of cycles after which the program fails when all sides stop there: the
// cycle before is the first that differs. None if it fails at no such limit. Found by bisection;
// among the first 256 cycles by trying each, since a difference may vanish again.
std::optional<std::uint64_t> first_failing_limit(const Generated& failing, const Fails& fails);

}  // namespace wse::differential
