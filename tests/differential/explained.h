// Every number in the explanation of a machine that stands still against the oracle's tally.
//
// The texts are read as people get them, so a count that is right but is beside the wrong PE
// or colour is found too. A number that no claim explains is an error: whoever adds one to a text
// adds its comparison. Each kind of claim is noted in `met`, so that none can vanish unnoticed.
#pragma once

#include <string>

#include "tests/oracle/outcome.h"
#include "vm/run/machine.h"

namespace wse::differential {

// The claims of `text`, a message or a graph, that are not what `outcome` says; empty if all are.
std::string compare_explanation(const std::string& text, const isa::Image& image,
                                oracle::Outcome& outcome);

}  // namespace wse::differential
