// Filters between router and PE, and streams at the edge of the grid: what arrives, and when.
#include <gtest/gtest.h>

#include "asm/assembler.h"
#include "tests/support/engine.h"
#include "tests/support/simulation.h"

namespace wse::test_laws::filter {
namespace {

using test_support::simulate;
using test_support::Simulation;
using vm::RunStatus;
using Words = std::vector<std::uint32_t>;

// PE 0 sends 0x10000, 0x20001, 0x30002 ... : index k + 1, value k. PE 1 keeps what `filter` passes.
Simulation filtered(const std::string& filter, int sent, int kept, const std::string& more = "") {
  const std::string n = std::to_string(sent);
  return simulate(".grid 2, 1\n.colour red\n.program source\n  .i32 v[" + n +
                  "] = i + (i + 1) * 65536\n  task main:\n    mov32 fabout(red), v\n" + more +
                  ".program sink\n  .i32 got[" + std::to_string(kept) +
                  "]\n  task main:\n    mov32 got, fabin(red)\n"
                  ".place source at (0, 0)\n.place sink at (1, 0)\n"
                  ".route red at (0, 0): ramp -> east\n.route red at (1, 0): west -> ramp\n"
                  ".filter red at (1, 0): " +
                  filter + "\n");
}

Words values(const Simulation& s) {
  Words words = s.words(1, 0, "got");
  for (std::uint32_t& word : words) word &= 0xffff;
  return words;
}

TEST(Filter, RangeLooksAtTheUpperHalf) {
  const Simulation s = filtered("range 3..5", 8, 3);
  EXPECT_EQ(values(s), (Words{2, 3, 4}));
  EXPECT_EQ(s.record.wavelets_left, 0u);
  EXPECT_EQ(s.record.cycles, 7u + 5);  // the last word, issued in 7, moves in 11 to be rejected
  EXPECT_EQ(values(filtered("range x + 1..x + 1", 8, 1)), (Words{1}));
  EXPECT_EQ(values(filtered("none", 3, 3)), (Words{0, 1, 2}));
}

TEST(Filter, CounterPassesUpToItsMaximum) {
  EXPECT_EQ(values(filtered("counter max=0 limit=2", 7, 3)), (Words{0, 3, 6}));
  EXPECT_EQ(values(filtered("counter max=1 limit=3", 7, 4)), (Words{0, 1, 4, 5}));
  EXPECT_EQ(values(filtered("counter max=0 limit=2 start=2", 7, 2)), (Words{1, 4}));
  EXPECT_EQ(values(filtered("counter max=1 limit=3 start=3 - x", 7, 3)), (Words{2, 3, 6}));
}

TEST(Filter, SparseChangesItsLimitOnce) {
  // counter 2 (limit 2), then 0 1 2 3 4 0 ... (limit 4)
  EXPECT_EQ(values(filtered("sparse max=0 limit=2 start=2 then=4", 12, 3)), (Words{1, 6, 11}));
  EXPECT_EQ(values(filtered("sparse max=1 limit=1 then=65535", 12, 4)), (Words{0, 1, 2, 3}));
}

// A control wavelet before and after.
TEST(Filter, ControlCountsAndIsFilteredWhenAsked) {
  const std::string control = "    mov32 fabout(red, control), control(9, nop)\n";
  const auto left = [&](const std::string& filter) {
    return filtered(filter, 2, 2, control).record.wavelets_left;
  };
  EXPECT_EQ(left("range 0..9"), 1u);  // passes range filters, and nobody takes it
  EXPECT_EQ(left("counter max=1 limit=9"), 1u);
  EXPECT_EQ(left("counter max=1 limit=9 control=filtered"), 0u);
  EXPECT_EQ(left("counter max=2 limit=9 control=filtered"), 1u);
  const Simulation counted = filtered("counter max=0 limit=1 counts=control", 2, 2,
                                      control + "    mov32 fabout(red), 7\n");
  EXPECT_EQ(counted.record.wavelets_left, 1u);  // the word after the control wavelet is rejected
  const Simulation both =
      filtered("counter max=2 limit=9 counts=both", 2, 2, control + "    mov32 fabout(red), 7\n");
  EXPECT_EQ(both.record.wavelets_left, 1u);
}

// A rejected wavelet needs no room: 20 pass a PE that takes none of them.
TEST(Filter, RejectedWaveletsNeedNoRoom) {
  const Simulation s = filtered("range 20..20", 20, 1);
  EXPECT_EQ(s.record.cycles, 19u + 7);  // as a message of 20 words over one hop
  EXPECT_EQ(values(s), (Words{19}));
}

TEST(Filter, AProgramWritesItsFilter) {
  const Simulation s = simulate(R"(
.grid 1, 1
.colour red
.program p
  .i32 v[4] = i * 65536 + i
  .i32 got[2]
  .filtering mine = range width + 1..3
  task main:
    setfilter red, mine
    mov32 fabout(red), v
    mov32 got, fabin(red)
.place p at (0, 0)
.route red at (0, 0): ramp -> ramp
)");
  EXPECT_EQ(s.record.status, RunStatus::Halted);
  EXPECT_EQ(s.words(0, 0, "got"), (Words{0x20002, 0x30003}));
}

// Streams: elements enter one by one from the west, pass the row and leave to the east.
constexpr std::string_view kPipe = R"(
.const B = 5
.const W = 3
.grid W, 2
.colour red
.route red at (0..W-1, 0..1): west -> east
.stream a: i32[B] at (0, 0..1): west -> red
.stream b: i32[B] at (W-1, 0..1): red -> east
)";

TEST(Stream, PassesTheGridInOneWaveletPerCycle) {
  const wse::isa::Profile profile = *wse::isa::find_profile("model");
  auto output = wse::assembler::assemble({"pipe.wsa", std::string(kPipe)},
                                         {.overrides = {}, .profile = profile});
  ASSERT_TRUE(output.image) << wse::isa::to_text(output.diagnostics, output.files);
  auto machine = wse::vm::Machine::create(std::move(*output.image), profile,
                                          wse::test_support::test_machine());
  ASSERT_TRUE(machine) << machine.error().message;
  const wse::vm::ArrayInfo place = *(*machine)->array("a");
  EXPECT_EQ(place.width, 1u);
  EXPECT_EQ(place.height, 2u);
  EXPECT_EQ(place.count, 5u);
  const Words given = {1, 2, 3, 4, 5, 11, 12, 13, 14, 15};
  ASSERT_TRUE((*machine)->write_array("a", place, given));
  const wse::vm::Record record = (*machine)->run({});
  EXPECT_EQ(record.status, RunStatus::Halted);
  // Element k is at router 0 from cycle 1 + k on and leaves router W-1 in cycle W + k.
  EXPECT_EQ(record.cycles, 5u + 3);
  EXPECT_EQ(*(*machine)->read_array("b"), given);
  EXPECT_EQ(record.counters.wavelets, 10u);
}

Simulation stream_to_pe(const std::string& body, const std::string& more = "") {
  return simulate(".grid 1, 1\n.colour red, blue\n.program p\n  .i32 v[8] = i\n  task main:\n" +
                  body +
                  ".place p at (0, 0)\n.stream a: i32[8] at (0, 0): west -> red\n"
                  ".route red at (0, 0): west -> ramp\n" +
                  more);
}

TEST(Stream, ElementKIsInTheQueueFromCycleOnePlusK) {
  EXPECT_EQ(stream_to_pe("    mov32 v, fabin(red)\n").record.cycles, 8u + 3);  // the first in 3
  const Simulation late = stream_to_pe("    halt\n");
  EXPECT_EQ(late.record.wavelets_left, 8u);  // those outside the grid too
  EXPECT_EQ(late.record.cycles, 6u);         // four fill the ramp, two the link: 0..5
}

TEST(Stream, WhatLeavesMustFit) {
  const auto leave = [](const std::string& count) {
    return stream_to_pe("    mov32 fabout(blue), v\n    mov32 v, fabin(red)\n",
                        ".route blue at (0, 0): ramp -> north\n.stream b: i32[" + count +
                            "] at (0, 0): blue -> north\n");
  };
  const Simulation fits = leave("8");
  EXPECT_EQ(fits.record.status, RunStatus::Halted);
  EXPECT_EQ(*fits.machine->read_array("b"), (Words{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(leave("7").record.status, RunStatus::Trap);
}

}  // namespace
}  // namespace wse::test_laws::filter
