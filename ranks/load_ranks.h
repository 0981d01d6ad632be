// Finds and loads the module wsevm-mpi.so, and Open MPI with it. isa/support/own_module.h says
// where it lies; the environment variable WSEVM_MPI names another file by an absolute path.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "ranks/ranks.h"

namespace wse::ranks {

// Returns the folders from which this executable takes the module.
std::vector<std::filesystem::path> module_folders();

// Loads the module and joins the launch; once in a process. Errors: no module, Open MPI is missing,
// a module of another build; each says what to do.
isa::Result<std::unique_ptr<Ranks>> load_ranks();

}  // namespace wse::ranks
