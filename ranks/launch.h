// Whether this process is one of several that a launcher started, by its environment alone: nothing
// is loaded for it.
//
//     mpirun (Open MPI)         OMPI_COMM_WORLD_SIZE, OMPI_COMM_WORLD_RANK
//     srun --mpi=pmix           PMIX_RANK, SLURM_STEP_NUM_TASKS
//     srun --mpi=pmi2, others   PMI_RANK, PMI_SIZE
//
// Slurm's own variables alone do not count: a batch script has them too, and `srun` without MPI
// starts tasks that know nothing of each other.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace wse::ranks {

struct Launch {
  std::string launcher;  // for messages
  int rank = 0;
  int size = 1;
};

// `variable` returns the value of an environment variable, or null. Nothing: no launcher, or what
// it says is not 0 <= rank < size.
std::optional<Launch> find_launch(const std::function<const char*(const char* name)>& variable);

// Returns that of this process.
std::optional<Launch> find_launch();

}  // namespace wse::ranks
