// Splices of two assembly texts: lines, blocks or words of one in the middle of the other.
//
// Most splices of valid texts are nearly valid, so they reach what random bytes never do: names
// that mean something else, a program placed twice, a route of another grid, a task in the wrong
// program. Must give the same text for the same seed on every host.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace wse::fuzz {

// At most `max_bytes` long, cut at the end of a line where that is possible.
std::string splice(std::string_view text, std::string_view donor, std::uint32_t seed,
                   std::size_t max_bytes);

}  // namespace wse::fuzz
