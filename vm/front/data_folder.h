// Where wsevm finds the files that came with it, from any current folder: the data folder.
//
//     PREFIX/bin/wsevm           PREFIX/share/wsevm     (installed; the tree may be moved)
//     PREFIX/lib/libwsevm.so.0   the same
//     CHECKOUT/build/wsevm       CHECKOUT               (built; also CHECKOUT/build/debug/wsevm)
//
// Must never be asked for outputs, and must never know an absolute path from the time of the build.
#pragma once

#include <filesystem>
#include <string>

#include "vm/front/failure.h"

namespace wse::front {

// Names the data folder in the environment, instead of the one that belongs to the executable.
constexpr const char* kDataVariable = "WSEVM_DATA";

// Returns the data folder of an executable or of the library; `chosen` (may be null or empty) goes
// before it. Empty if there is none.
std::filesystem::path data_folder_of(const std::filesystem::path& own_file, const char* chosen);

// Returns the data folder of this process.
std::filesystem::path data_folder();

// Returns the path at which an input file is to be read. A relative file that does not exist is
// looked for in the data folder, unless it begins with ./ or ../; "-" is stdin. A failure says
// where the file was looked for. A file that exists is not opened: its reader reports what is
// wrong.
Outcome<std::string> find_input(const std::string& file, const std::filesystem::path& data);
Outcome<std::string> find_input(const std::string& file);

}  // namespace wse::front
