// What `./dev bench` measures. A workload that fails ends the program: a rate of something that did
// not work is no rate.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/bench/measure.h"

namespace wse::bench {

// Assembling a program of a million lines; the unit is a line.
Row assembly();

// Assembling once, loading and running programs/NAME/NAME.wsa with these values; the unit is a
// cycle of a PE that has a program. Loading counts.
Row program(const std::string& name,
            const std::vector<std::pair<std::string, std::string>>& values);

}  // namespace wse::bench
