// A random program in many copies on one mesh, so that PEs do alike: each tile is what the whole
// mesh was, and nothing goes from one to the next.
#pragma once

#include <cstdint>
#include <string>

namespace wse::differential {

// Repeats the mesh of a text whose colours never leave it, at most until there are so many PEs.
std::string in_tiles(const std::string& text, std::uint32_t most);

}  // namespace wse::differential
