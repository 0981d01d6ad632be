// Finds and loads the compiler's module, and LLVM with it.
// isa/support/own_module.h says where it lies; the environment variable WSEVM_JIT names another
// file by an absolute path.
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "isa/support/own_file.h"
#include "jit/compiler.h"

namespace wse::jit {

// The LLVM that wsevm was built with, "19", or "none"; nothing is loaded for it.
std::string_view llvm_version();

// Returns the files that may be the module, as isa::module_files_of.
std::vector<std::filesystem::path> module_files_of(const isa::OwnFile& own, const char* chosen);
// Returns those of this process; none if the system does not say where its file is.
std::vector<std::filesystem::path> module_files();

// Returns the folders from which this executable, or one installed in its tree, takes a module.
std::vector<std::filesystem::path> module_folders();

// Loads the module and makes its compiler. Errors: no module, LLVM is missing, a module of another
// build; each says what to do.
isa::Result<std::unique_ptr<Compiler>> load_compiler(const CompilerOptions& options);

}  // namespace wse::jit
