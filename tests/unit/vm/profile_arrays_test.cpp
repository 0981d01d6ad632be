// Profiles: what each PE, ramp and link did, against numbers counted by hand and the record.
#include <gtest/gtest.h>

#include <numeric>

#include "asm/assembler.h"
#include "vm/run/machine.h"

namespace {

using namespace wse;
using Numbers = std::vector<std::uint64_t>;

// PE 0 sends eight words through PE 1 to PE 2, which takes six of them and then runs a
// task.
constexpr const char* kProfiled = R"(
.grid 3, 2
.colour red
.program sends
  .i32 v[8] = i
  task main:
    mov32 fabout(red), v
.program takes
  .i32 v[6]
  task more:
    halt
  task main:
    mov32 v, fabin(red)
    activate more
    end
.place sends at (0, 0)
.place takes at (2, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> east
.route red at (2, 0): west -> ramp
)";

std::unique_ptr<vm::Machine> profiled_machine(vm::TransportChoice transport) {
  const isa::Profile profile = *isa::find_profile("model");
  assembler::Output output =
      assembler::assemble({"profile.wsa", kProfiled}, {.overrides = {}, .profile = profile});
  EXPECT_TRUE(output.image) << isa::to_text(output.diagnostics, output.files);
  auto machine = vm::Machine::create(std::move(*output.image), profile,
                                     {.threads = 1, .transport = transport});
  return std::move(*machine);
}

std::uint64_t total(const Numbers& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0});
}

class ProfileArrays : public testing::TestWithParam<vm::TransportChoice> {};

TEST_P(ProfileArrays, SayWhatEachPeDid) {
  const auto machine = profiled_machine(GetParam());
  const vm::Record record = machine->run({.profile = true});
  const auto array = [&](std::string_view name) { return *machine->profile_array(name); };
  EXPECT_EQ(array("sent"), (Numbers{8, 0, 0, 0, 0, 0}));
  EXPECT_EQ(array("received"), (Numbers{0, 0, 6, 0, 0, 0}));
  EXPECT_EQ(array("ramp_up"), array("sent"));
  EXPECT_EQ(total(array("link_east")), record.counters.hops);
  EXPECT_EQ(array("ramp_down")[2], record.max_ramp_wavelets);
  EXPECT_EQ(array("elements"), (Numbers{8, 0, 6, 0, 0, 0}));
  EXPECT_EQ(array("tasks"), (Numbers{0, 0, 1, 0, 0, 0}));
  EXPECT_EQ(total(array("instructions")), record.counters.instructions);
  EXPECT_EQ(total(array("link_west")), 0u);
  EXPECT_LT(array("halted_at")[0], array("halted_at")[2]);
  EXPECT_EQ(array("halted_at")[1], 0xffffffffu);  // it has no program
}

TEST_P(ProfileArrays, HoldEveryCycleOfAPeWithAProgram) {
  for (const vm::Cycle limit : {vm::Cycle{3}, vm::Cycle{11}, vm::kNever}) {
    const auto machine = profiled_machine(GetParam());
    const vm::Record record = machine->run({.max_cycles = limit, .profile = true});
    Numbers cycles(6);
    std::size_t k = 0;
    for (const char* name : {"busy", "memory_stall", "wait_output", "wait_input", "idle"}) {
      const Numbers numbers = *machine->profile_array(name);
      EXPECT_EQ(total(numbers), record.counters.pe_cycles[k++]) << name << ", limit " << limit;
      for (std::size_t pe = 0; pe < cycles.size(); ++pe) cycles[pe] += numbers[pe];
    }
    EXPECT_EQ(cycles, (Numbers{record.cycles, 0, record.cycles, 0, 0, 0})) << "limit " << limit;
  }
}

// The receiver waits so long that its down-ramp is full, and all queues before it.
TEST_P(ProfileArrays, TheFullestQueueMayBeARamp) {
  constexpr const char* kLate = R"(
.grid 3, 1
.colour red
.program sends
  .i32 v[64] = i
  task main:
    mov32 fabout(red), v
.program takes
  .i32 v[64]
  task main:
    mov32 r1, 100
  again:
    sub32 r1, r1, 1
    bgt r1, 0, again
    mov32 v, fabin(red)
.place sends at (0, 0)
.place takes at (2, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> east
.route red at (2, 0): west -> ramp
)";
  const isa::Profile profile = *isa::find_profile("wse2");
  ASSERT_NE(profile.down_ramp_depth, profile.router_depth);
  assembler::Output output =
      assembler::assemble({"late.wsa", kLate}, {.overrides = {}, .profile = profile});
  ASSERT_TRUE(output.image) << isa::to_text(output.diagnostics, output.files);
  const auto machine = *vm::Machine::create(std::move(*output.image), profile,
                                            {.threads = 1, .transport = GetParam()});
  machine->run({.profile = true});
  EXPECT_EQ(*machine->profile_array("queue_peak"),
            (Numbers{profile.up_ramp_depth, profile.router_depth,
                     std::max(profile.down_ramp_depth, profile.router_depth)}));
}

TEST_P(ProfileArrays, AreThereOnlyIfSomebodyAsked) {
  const auto machine = profiled_machine(GetParam());
  machine->run({});
  const auto array = machine->profile_array("busy");
  ASSERT_FALSE(array);
  EXPECT_EQ(array.error(), "the run kept no profile");
  const auto kept = profiled_machine(GetParam());
  kept->run({.profile = true});
  const auto unknown = kept->profile_array("buzy");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error(), "a profile has no array 'buzy'");
}

INSTANTIATE_TEST_SUITE_P(OnBothTransports, ProfileArrays,
                         testing::Values(vm::TransportChoice::Stepper, vm::TransportChoice::Wafer));

}  // namespace
