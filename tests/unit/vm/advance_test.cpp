// Machines that stop on the way, are looked at, and go on.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "asm/assembler.h"
#include "vm/run/machine.h"

namespace {

using namespace wse;

// A row of PEs passes words on; each adds its own numbers, alone and beside a send.
constexpr const char* kStopped = R"(
.const P = 6
.const B = 40
.grid P, 2
.colour red, blue
.program first
  .f32 x[B] exported = i + 1
  task main:
    fadds x, x, 1.0
    fmovs fabout(red), x
    halt
.program middle(in: colour, out: colour)
  .f32 x[B] exported = i
  .i32 n exported
  .reg k
  task main:
    mov32 k, 30
  again:
    sub32 k, k, 1
    st32  n, k
    blt   0, k, again
    fadds fabout(out), fabin(in), x
    fmuls x, x, 2.0
    halt
.program last(in: colour)
  .f32 y[B] exported
  task main:
    fmovs y, fabin(in)
    halt
.place first at (0, 0)
.place middle at (1, 0) with in = red, out = blue
.place middle at (2, 0) with in = blue, out = red
.place last at (5, 0) with in = red
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp
.route blue at (1, 0): ramp -> east
.route blue at (2, 0): west -> ramp
.route red at (2, 0): ramp -> east
.route red at (3..4, 0): west -> east
.route red at (5, 0): west -> ramp
)";

struct On {
  std::string profile;
  vm::TransportChoice transport = vm::TransportChoice::Stepper;
  std::uint32_t threads = 1;
};

std::unique_ptr<vm::Machine> stopping_machine(const On& on) {
  const isa::Profile profile = *isa::find_profile(on.profile);
  assembler::Output output =
      assembler::assemble({"advance.wsa", kStopped}, {.overrides = {}, .profile = profile});
  EXPECT_TRUE(output.image) << isa::to_text(output.diagnostics, output.files);
  return std::move(*vm::Machine::create(std::move(*output.image), profile,
                                        {.threads = on.threads, .transport = on.transport}));
}

// All that can be seen of a machine where it stands.
std::string seen(vm::Machine& machine) {
  const vm::Record& record = machine.record();
  std::string text =
      fmt::format("{} {} {} {} {} {} {}", vm::text(record.status), record.cycles, record.message,
                  record.counters.instructions, record.counters.elements, record.counters.hops,
                  fmt::join(record.counters.pe_cycles, " "));
  for (const char* name : {"x", "y", "n"}) {
    text += fmt::format("\n{} {}", name, fmt::join(*machine.read_array(name), " "));
  }
  for (const std::string& name : machine.profile_arrays()) {
    text += fmt::format("\n{} {}", name, fmt::join(*machine.profile_array(name), " "));
  }
  return text;
}

class Advance : public testing::TestWithParam<On> {};

TEST_P(Advance, EachStopIsARunUpToThere) {
  for (const vm::Cycle step : {1, 3, 7, 50}) {
    const auto machine = stopping_machine(GetParam());
    machine->begin({.profile = true});
    bool is_over = false;
    for (vm::Cycle until = step; !is_over; until += step) {
      is_over = machine->advance(until).is_over;
      const auto whole = stopping_machine(GetParam());
      whole->run({.max_cycles = until, .profile = true});
      ASSERT_EQ(seen(*machine), seen(*whole)) << "until " << until << " by " << step;
      ASSERT_LT(until, 1000u);
    }
    EXPECT_EQ(machine->record().status, vm::RunStatus::Halted) << machine->record().message;
  }
}

TEST_P(Advance, AStopThatNobodyLooksAtChangesNothing) {
  const auto machine = stopping_machine(GetParam());
  machine->begin({.profile = true});
  for (vm::Cycle until = 1; !machine->advance(until).is_over; ++until) ASSERT_LT(until, 1000u);
  const auto whole = stopping_machine(GetParam());
  whole->run({.profile = true});
  EXPECT_EQ(seen(*machine), seen(*whole));
}

TEST_P(Advance, WhatIsOverStaysSo) {
  const auto machine = stopping_machine(GetParam());
  machine->begin({.profile = true});
  EXPECT_TRUE(machine->advance(vm::kNever).is_over);
  const std::string end = seen(*machine);
  const vm::Stop again = machine->advance(vm::kNever);
  EXPECT_TRUE(again.is_over);
  EXPECT_EQ(again.status, vm::RunStatus::Halted);
  EXPECT_EQ(seen(*machine), end);
}

INSTANTIATE_TEST_SUITE_P(OnAll, Advance,
                         testing::Values(On{"model", vm::TransportChoice::Stepper, 1},
                                         On{"wse2", vm::TransportChoice::Stepper, 2},
                                         On{"wse3", vm::TransportChoice::Stepper, 1},
                                         On{"model", vm::TransportChoice::Wafer, 1},
                                         On{"wse2", vm::TransportChoice::Wafer, 1},
                                         On{"wse3", vm::TransportChoice::Wafer, 2}),
                         [](const auto& info) {
                           const bool wafer = info.param.transport == vm::TransportChoice::Wafer;
                           return fmt::format("{}{}On{}Threads", info.param.profile,
                                              wafer ? "Wafer" : "Stepper", info.param.threads);
                         });

}  // namespace
