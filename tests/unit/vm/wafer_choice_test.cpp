// Which machines the wafer transport takes, what it leaves to the stepper, and that both end alike.
#include <gtest/gtest.h>

#include "asm/assembler.h"
#include "tests/support/simulation.h"
#include "vm/wafer/refusal.h"

namespace {

using namespace wse;
using vm::TransportChoice;

const isa::Profile& model() {
  static const isa::Profile kModel = *isa::find_profile("model");
  return kModel;
}

isa::Image with_descriptor(isa::DescriptorKind kind, const isa::FabricOptions& options = {}) {
  isa::Image image;
  isa::DescriptorLiteral descriptor;
  descriptor.kind = kind;
  descriptor.options = options;
  image.programs.emplace_back().descriptors.push_back(descriptor);
  return image;
}

isa::Image program(const std::string& name, const test_support::Values& values) {
  assembler::Output output = assembler::assemble({name + ".wsa", test_support::program_text(name)},
                                                 {.overrides = values, .profile = model()});
  EXPECT_TRUE(output.image) << isa::to_text(output.diagnostics, output.files);
  return std::move(*output.image);
}

vm::Record run(const isa::Image& image, TransportChoice transport, bool traced,
               std::uint32_t threads) {
  auto machine = vm::Machine::create(image, model(), {.threads = threads, .transport = transport});
  EXPECT_TRUE(machine);
  vm::RunOptions options;
  if (traced) options.trace = [](std::string_view) {};
  return (*machine)->run(options);
}

TEST(WaferChoice, LeavesWhatItHasNotToTheStepper) {
  using wse::vm::wafer::refusal;
  EXPECT_EQ(refusal({}, model()), "");
  isa::Image image;
  image.filters.emplace_back();
  EXPECT_EQ(refusal(image, model()), "filters");
  image = {};
  image.streams.emplace_back();
  EXPECT_EQ(refusal(image, model()), "streams");
  image = {};
  image.hypercube_dimensions = 3;
  EXPECT_EQ(refusal(image, model()), "a hypercube");
  image = {};
  image.programs.emplace_back().filters.emplace_back();
  EXPECT_EQ(refusal(image, model()), "filters");
  image = {};
  image.programs.emplace_back().fifos.emplace_back();
  EXPECT_EQ(refusal(image, model()), "FIFOs");
  using Kind = isa::DescriptorKind;
  EXPECT_EQ(refusal(with_descriptor(Kind::Memory), model()), "");
  EXPECT_EQ(refusal(with_descriptor(Kind::Indexed), model()), "operands that wavelets name");
  EXPECT_EQ(refusal(with_descriptor(Kind::FabricIn, {.packed = true}), model()), "packed wavelets");
  EXPECT_EQ(
      refusal(with_descriptor(Kind::FabricIn, {.on_control = isa::OnControl::Terminate}), model()),
      "instructions that take control wavelets");
}

TEST(WaferChoice, LeavesMachinesWithMorePlanesThanItHasToTheStepper) {
  const auto refused = [](std::uint32_t isa::Profile::* member, std::uint32_t value) {
    isa::Profile profile = model();
    profile.*member = value;
    return !vm::wafer::refusal({}, profile).empty();
  };
  EXPECT_FALSE(refused(&isa::Profile::hop_latency_cycles, 8));
  EXPECT_TRUE(refused(&isa::Profile::hop_latency_cycles, 9));
  EXPECT_FALSE(refused(&isa::Profile::ramp_latency_cycles, 8));
  EXPECT_TRUE(refused(&isa::Profile::ramp_latency_cycles, 9));
  EXPECT_FALSE(refused(&isa::Profile::router_depth, 16));
  EXPECT_TRUE(refused(&isa::Profile::router_depth, 17));
  EXPECT_TRUE(refused(&isa::Profile::up_ramp_depth, 17));
  EXPECT_TRUE(refused(&isa::Profile::down_ramp_depth, 17));
  EXPECT_TRUE(refused(&isa::Profile::link_interval_cycles, 2));
  EXPECT_FALSE(refused(&isa::Profile::bank_conflict_cycles, 2));
  EXPECT_TRUE(refused(&isa::Profile::bank_conflict_cycles, 3));
}

TEST(WaferChoice, IsToldInTheRecord) {
  const isa::Image image = program("reduce-chain", {{"P", "9"}, {"B", "20"}});
  const vm::Record stepped = run(image, TransportChoice::Stepper, false, 1);
  const vm::Record automatic = run(image, TransportChoice::Auto, false, 1);
  const vm::Record moved = run(image, TransportChoice::Wafer, false, 2);
  const vm::Record traced = run(image, TransportChoice::Wafer, true, 1);
  EXPECT_EQ(stepped.transport, "stepper");
  EXPECT_EQ(automatic.transport, "stepper");
  EXPECT_EQ(moved.transport, "wafer");
  EXPECT_EQ(moved.transport_reason, "");
  EXPECT_EQ(traced.transport, "stepper");
  EXPECT_EQ(traced.transport_reason, "a trace");
  for (const vm::Record* record : {&automatic, &moved, &traced}) {
    EXPECT_EQ(record->status, vm::RunStatus::Halted);
    EXPECT_EQ(record->cycles, stepped.cycles);
    EXPECT_EQ(record->counters.hops, stepped.counters.hops);
    EXPECT_EQ(record->counters.pe_cycles, stepped.counters.pe_cycles);
  }
}

// Rows that begin in the middle of a word, and blocks that begin in the middle of a row.
TEST(WaferChoice, EndsAsTheStepperDoesOnMeshesOfSeveralBlocks) {
  for (const auto& [width, height] : {std::pair{"70", "40"}, {"600", "3"}, {"33", "33"}}) {
    const isa::Image image = program("broadcast-2d", {{"W", width}, {"H", height}, {"B", "37"}});
    const vm::Record stepped = run(image, TransportChoice::Stepper, false, 1);
    const vm::Record moved = run(image, TransportChoice::Wafer, false, 1);
    EXPECT_EQ(moved.transport, "wafer");
    EXPECT_EQ(moved.status, vm::RunStatus::Halted);
    EXPECT_EQ(moved.message, stepped.message);
    EXPECT_EQ(moved.cycles, stepped.cycles);
    EXPECT_EQ(moved.counters.hops, stepped.counters.hops);
    EXPECT_EQ(moved.counters.max_distance, stepped.counters.max_distance);
    EXPECT_EQ(moved.counters.pe_cycles, stepped.counters.pe_cycles);
    EXPECT_EQ(moved.max_link_load, stepped.max_link_load);
    EXPECT_EQ(moved.links_used, stepped.links_used);
  }
}

}  // namespace
