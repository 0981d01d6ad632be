// Where modules of wsevm lie: parts with a library of others, which are loaded when they are
// needed.
//
//     PREFIX/bin/wsevm          PREFIX/lib/wsevm/NAME.so   (installed)
//     PREFIX/lib/libwsevm.so.0  the same
//     build/wsevm               build/NAME.so              (built; beside a test lies a link to it)
//
// The real executable, or the library where this code is in one, decides where a module is looked
// for, never the current folder. A module has an x bit, as every build gives it: files of scripts
// have none (scripts/host/code_places.h).
#pragma once

#include <filesystem>
#include <vector>

#include "isa/support/own_file.h"
#include "isa/support/result.h"

namespace wse::isa {

struct OwnModule {
  const char* file;      // "wsevm-jit.so"
  const char* variable;  // of the environment: another file, by an absolute path
};

// Returns the files that may be the module of an executable or a library, in the order in which
// they are looked for, whether or not they exist. `chosen` (may be null or empty) is the only one
// if it is given.
std::vector<std::filesystem::path> module_files_of(const OwnModule& module, const OwnFile& own,
                                                   const char* chosen);
// Returns those of this process; none if the system does not say where its file is.
std::vector<std::filesystem::path> module_files(const OwnModule& module);

// Returns the folders from which this executable, or one installed in its tree, takes the module.
std::vector<std::filesystem::path> module_folders(const OwnModule& module);

struct ModuleProblem {
  std::filesystem::path file;
  std::string why;
};

// Finds the first file that exists and may be loaded.
std::expected<std::filesystem::path, ModuleProblem> find_module(const OwnModule& module);

}  // namespace wse::isa
