// The text of a random program in which words, control wavelets, FIFOs and tasks share one colour.
#pragma once

#include <string>

#include "tests/support/random.h"

namespace wse::differential {

std::string mixed_text(test_support::Random& random);

}  // namespace wse::differential
