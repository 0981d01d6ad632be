// Files for scripts, as functions of the host module. A byte counts as an instruction, and so does
// what the system does for each file, so that no script fills a disk unseen.
#pragma once

#include <span>

#include "scripts/host/binding.h"

namespace wse::script {

// Whatever becomes of it: to look for a file, make its folders, replace it.
inline constexpr std::uint64_t kInstructionsPerFile = 10'000;

// To start a program that converts a picture, and to wait for it.
inline constexpr std::uint64_t kInstructionsPerConversion = 10'000'000;

// read_text(file) -> text; write_text(file, text)
Returned read_text(lua_State* L);
Returned write_text(lua_State* L);
// write_picture(file, svg): as SVG, PNG or PDF, by how the name ends
Returned write_picture(lua_State* L);
// append_text(file, text): makes the file if there is none
Returned append_text(lua_State* L);
// continue_text(file) -> text; makes the file if there is none. It says that the script will write
// the file again with what it held: from then on it is no input. A file that the command itself
// reads, as the script or an array, is refused.
Returned continue_text(lua_State* L);

// Writes a file of the script; no results.
Returned write_file(lua_State* L, const std::string& file, std::span<const std::byte> bytes);

}  // namespace wse::script
