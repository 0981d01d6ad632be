// Reads the environment.
#include "ranks/launch.h"

#include <charconv>
#include <cstdlib>
#include <cstring>

namespace wse::ranks {
namespace {

struct Launcher {
  const char* name;
  const char* rank;
  const char* size;
};

// The first whose variables are both there.
constexpr Launcher kLaunchers[] = {
    {"mpirun", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    {"srun", "PMIX_RANK", "SLURM_STEP_NUM_TASKS"},
    {"a launcher with PMI", "PMI_RANK", "PMI_SIZE"},
};

std::optional<int> number_of(const char* text) {
  if (text == nullptr) return std::nullopt;
  int number = 0;
  const char* const end = text + std::strlen(text);
  const auto [rest, error] = std::from_chars(text, end, number);
  if (error != std::errc() || rest != end) return std::nullopt;
  return number;
}

}  // namespace

std::optional<Launch> find_launch(const std::function<const char*(const char* name)>& variable) {
  for (const Launcher& launcher : kLaunchers) {
    const std::optional<int> rank = number_of(variable(launcher.rank));
    const std::optional<int> size = number_of(variable(launcher.size));
    if (rank && size && 0 <= *rank && *rank < *size) return Launch{launcher.name, *rank, *size};
  }
  return std::nullopt;
}

std::optional<Launch> find_launch() {
  return find_launch([](const char* name) -> const char* { return std::getenv(name); });
}

}  // namespace wse::ranks
