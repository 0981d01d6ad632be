// Is a launcher recognised by its environment, and nothing else taken for one? What is said where
// the module cannot be had?
#include "ranks/launch.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>

#include "ranks/load_ranks.h"

namespace wse::ranks {
namespace {

using Environment = std::map<std::string, std::string>;

std::optional<Launch> launch_in(const Environment& environment) {
  return find_launch([&environment](const char* name) -> const char* {
    const auto found = environment.find(name);
    return found == environment.end() ? nullptr : found->second.c_str();
  });
}

void expect_launch(const Environment& environment, const char* launcher, int rank, int size) {
  const std::optional<Launch> launch = launch_in(environment);
  ASSERT_TRUE(launch) << launcher;
  EXPECT_EQ(launch->launcher, launcher);
  EXPECT_EQ(launch->rank, rank);
  EXPECT_EQ(launch->size, size);
}

TEST(Launch, OfEachLauncher) {
  expect_launch({{"OMPI_COMM_WORLD_RANK", "2"}, {"OMPI_COMM_WORLD_SIZE", "5"}}, "mpirun", 2, 5);
  expect_launch({{"PMIX_RANK", "0"}, {"SLURM_STEP_NUM_TASKS", "4"}}, "srun", 0, 4);
  expect_launch({{"PMI_RANK", "3"}, {"PMI_SIZE", "4"}}, "a launcher with PMI", 3, 4);
}

TEST(Launch, OpenMpiInAJobOfSlurm) {
  expect_launch({{"OMPI_COMM_WORLD_RANK", "1"},
                 {"OMPI_COMM_WORLD_SIZE", "2"},
                 {"PMIX_RANK", "1"},
                 {"SLURM_STEP_NUM_TASKS", "7"}},
                "mpirun", 1, 2);
}

TEST(Launch, NothingElseIsOne) {
  EXPECT_FALSE(launch_in({}));
  EXPECT_FALSE(launch_in({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}}));  // a batch script
  EXPECT_FALSE(launch_in({{"SLURM_PROCID", "3"}, {"SLURM_STEP_NUM_TASKS", "4"}}));
  EXPECT_FALSE(launch_in({{"OMPI_COMM_WORLD_RANK", "0"}}));
  for (const char* const rank : {"", "-1", "5", "x", "1 ", "99999999999"}) {
    EXPECT_FALSE(launch_in({{"OMPI_COMM_WORLD_RANK", rank}, {"OMPI_COMM_WORLD_SIZE", "5"}}))
        << rank;
  }
}

TEST(LoadRanks, SaysWhatIsMissing) {
  setenv("WSEVM_MPI", "/nowhere/wsevm-mpi.so", 1);
  const auto missing = load_ranks();
  setenv("WSEVM_MPI", "wsevm-mpi.so", 1);
  const auto relative = load_ranks();
  unsetenv("WSEVM_MPI");
  ASSERT_FALSE(missing);
  EXPECT_TRUE(missing.error().contains("/nowhere/wsevm-mpi.so")) << missing.error();
  EXPECT_TRUE(missing.error().contains("there is no such file")) << missing.error();
  EXPECT_TRUE(missing.error().contains("openmpi-bin")) << missing.error();
  ASSERT_FALSE(relative);
  EXPECT_TRUE(relative.error().contains("WSEVM_MPI must be an absolute path")) << relative.error();
}

}  // namespace
}  // namespace wse::ranks
