// What PEs and routers are at between two cycles, in words: for whoever compares machines.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace wse::oracle {

struct Channel;

using State = std::vector<std::pair<std::string, std::string>>;  // names and values

// Appends the position, whether it is torn down, and the queues that are not empty.
void add_state(const Channel& channel, const std::string& colour, State& state);

}  // namespace wse::oracle
