// Loads the module. It is never unloaded: Open MPI has threads of its own.
#include "ranks/load_ranks.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "isa/support/own_module.h"
#include "ranks/module.h"

namespace wse::ranks {
namespace fs = std::filesystem;
namespace {

constexpr isa::OwnModule kModule{"wsevm-mpi.so", "WSEVM_MPI"};

std::unexpected<std::string> cannot_load(const fs::path& file, std::string_view why) {
  return isa::fail(fmt::format(
      "cannot load {}, by which the processes of a launcher work together: {}; it needs "
      "Open MPI (Debian: apt-get install openmpi-bin libopenmpi-dev, then build wsevm "
      "again). Without it start one process, or shares of a sweep with points=K/N",
      file.string(), why));
}

}  // namespace

std::vector<fs::path> module_folders() { return isa::module_folders(kModule); }

isa::Result<std::unique_ptr<Ranks>> load_ranks() {
  const auto file = isa::find_module(kModule);
  if (!file) return cannot_load(file.error().file, file.error().why);
  // Open MPI loads parts of its own, which look for its symbols among those of all.
  void* const library = dlopen(file->c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) return cannot_load(*file, dlerror());
  const auto* const found = static_cast<const RanksModule*>(dlsym(library, kModuleSymbol));
  if (found == nullptr) return cannot_load(*file, "it is no module of wsevm");
  if (found->interface != kInterface) {
    return cannot_load(*file, "it is of another version of wsevm");
  }
  std::string why;
  Ranks* const ranks = found->join(why);
  if (ranks == nullptr) return cannot_load(*file, why);
  return std::unique_ptr<Ranks>(ranks);
}

}  // namespace wse::ranks
