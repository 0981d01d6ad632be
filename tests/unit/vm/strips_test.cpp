// Strips of rows and their threads: how a mesh is cut, and what nobody may see of it.
#include "vm/strips/strips.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <new>
#include <stdexcept>
#include <system_error>

#include "asm/assembler.h"
#include "isa/machine/topology.h"
#include "tests/support/simulation.h"
#include "vm/strips/shared_memory.h"

namespace {

using namespace wse;
using vm::PeId;
using vm::PeRange;

isa::Image image_of(const std::string& name, const std::string& text,
                    const test_support::Values& values, const isa::Profile& profile) {
  assembler::Output output =
      assembler::assemble({name, text}, {.overrides = values, .profile = profile});
  EXPECT_TRUE(output.image) << isa::to_text(output.diagnostics, output.files);
  return std::move(*output.image);
}

isa::Image heat(const isa::Profile& profile) {
  return image_of("heat.wsa", test_support::program_text("heat"),
                  {{"W", "5"}, {"H", "7"}, {"steps", "6"}}, profile);
}

// Rows of each strip, top to bottom.
std::vector<std::uint32_t> rows(std::uint32_t width, std::uint32_t height,
                                const std::vector<PeId>& placed, std::uint32_t most) {
  const isa::Topology mesh = isa::Topology::mesh(width, height);
  std::vector<std::uint32_t> result;
  PeId next = 0;
  for (const PeRange& strip : vm::cut_rows(mesh, placed, most)) {
    EXPECT_EQ(strip.first, next);
    EXPECT_EQ(strip.size() % width, 0u);
    result.push_back(static_cast<std::uint32_t>(strip.size()) / width);
    next = strip.end;
  }
  EXPECT_EQ(next, width * height);
  return result;
}

using Rows = std::vector<std::uint32_t>;

TEST(Strips, AreCutWhereThePesAre) {
  std::vector<PeId> all(40);
  std::ranges::generate(all, [next = PeId{0}]() mutable { return next++; });
  EXPECT_EQ(rows(4, 10, all, 1), (Rows{10}));
  EXPECT_EQ(rows(4, 10, all, 2), (Rows{5, 5}));
  EXPECT_EQ(rows(4, 10, all, 3), (Rows{4, 3, 3}));
  EXPECT_EQ(rows(4, 10, {0, 1, 2, 3, 4, 5}, 2), (Rows{1, 9}));
  EXPECT_EQ(rows(4, 10, {36, 37, 38, 39}, 2), (Rows{9, 1}));
}

TEST(Strips, HaveARowAtLeast) {
  EXPECT_EQ(rows(4, 2, {}, 5), (Rows{1, 1}));
  EXPECT_EQ(rows(4, 3, {0}, 3), (Rows{1, 1, 1}));
  EXPECT_EQ(rows(4, 3, {11}, 3), (Rows{1, 1, 1}));
  EXPECT_EQ(rows(1, 1, {0}, 9), (Rows{1}));
}

std::vector<std::string> trace_on(std::uint32_t threads) {
  const isa::Profile profile = *isa::find_profile("wse2");
  const auto machine = *vm::Machine::create(heat(profile), profile, {.threads = threads});
  std::vector<std::string> lines;
  vm::RunOptions options;
  vm::TraceLines writer([&lines](std::string_view line) { lines.emplace_back(line); });
  options.trace = &writer;
  EXPECT_EQ(machine->run(options).threads, threads);
  return lines;
}

TEST(Strips, DoNotChangeTheOrderOfATrace) {
  const std::vector<std::string> one = trace_on(1);
  EXPECT_GT(one.size(), 1000u);
  EXPECT_EQ(trace_on(2), one);
  EXPECT_EQ(trace_on(3), one);
}

// A wavelet or a place that was lost at a border would leave somebody waiting.
TEST(Strips, MeetAtEveryBorder) {
  const isa::Profile profile = *isa::find_profile("wse2");
  std::optional<vm::Record> expected;
  for (const std::uint32_t threads : {1u, 2u, 5u}) {
    const auto machine = *vm::Machine::create(
        heat(profile), profile,
        {.threads = threads, .transport = vm::TransportChoice::Stepper, .engine = nullptr});
    const vm::Record record = machine->run({});
    EXPECT_EQ(record.status, vm::RunStatus::Halted);
    if (!expected) expected = record;
    EXPECT_EQ(record.cycles, expected->cycles);
    EXPECT_EQ(record.counters.hops, expected->counters.hops);
  }
}

// Marks and prints of all strips come in the order of cycles, then of PEs.
TEST(Strips, TellTheirPrintsInOneOrder) {
  const std::string text =
      ".grid 2, 6\n.program p(n: i32)\n  task main:\n    mov32 r1, n\n  next:\n    print \"left: "
      "{r1}\"\n"
      "    sub32 r1, r1, 1\n    bge r1, 0, next\n.place p at (0..1, 0..5) with n = x + y\n";
  const isa::Profile profile = *isa::find_profile("wse2");
  std::vector<std::string> printed[2];
  for (const std::uint32_t threads : {1u, 3u}) {
    const auto machine =
        *vm::Machine::create(image_of("p.wsa", text, {}, profile), profile, {.threads = threads});
    vm::RunOptions options;
    options.print = [&](std::string_view line) { printed[threads / 2].emplace_back(line); };
    EXPECT_EQ(machine->run(options).status, vm::RunStatus::Halted);
  }
  EXPECT_EQ(printed[0].size(), 48u);
  EXPECT_EQ(printed[1], printed[0]);
}

// The last row traps in cycle 5; the others run ahead of it in one stretch, and print in each of
// its cycles and of those after it.
TEST(Strips, TellNothingThatIsPrintedAfterATrap) {
  std::string text = ".grid 2, 4\n.program prints\n  task main:\n";
  for (int k = 0; k < 9; ++k) text += "    add32 r1, r1, 1\n    print \"after {r1}\"\n";
  text +=
      ".program traps\n  task main:\n    mov32 r1, 1\n    mov32 r1, 1\n    mov32 r1, 1\n"
      "    mov32 r1, 1\n    mov32 r1, 1\n    assert r1 == 2\n"
      ".place prints at (0..1, 0..2)\n.place traps at (0..1, 3)\n";
  const isa::Profile profile = *isa::find_profile("wse2");
  std::vector<std::string> printed[2];
  for (const std::uint32_t threads : {1u, 3u}) {
    const auto machine =
        *vm::Machine::create(image_of("t.wsa", text, {}, profile), profile, {.threads = threads});
    vm::RunOptions options;
    options.print = [&](std::string_view line) { printed[threads / 2].emplace_back(line); };
    const vm::Record record = machine->run(options);
    EXPECT_EQ(record.status, vm::RunStatus::Trap);
    EXPECT_NE(record.message.find("in cycle 5 at PE(0, 3)"), std::string::npos) << record.message;
  }
  EXPECT_EQ(printed[0].size(), 6u * 5);
  EXPECT_EQ(printed[1], printed[0]);
}

// The PEs of the first strips have halted, those of the last one wait for ever.
TEST(Strips, HaveHaltedOnceAllHave) {
  const std::string text =
      ".grid 2, 3\n.colour red\n.program ends\n  task main:\n    halt\n"
      ".program waits\n  task main:\n    mov32 r1, fabin(red)\n"
      ".place ends at (0..1, 0..1)\n.place waits at (0..1, 2)\n"
      ".route red at (0..1, 2): ramp -> ramp\n";
  const isa::Profile profile = *isa::find_profile("wse2");
  for (const std::uint32_t threads : {1u, 3u}) {
    const auto machine =
        *vm::Machine::create(image_of("w.wsa", text, {}, profile), profile, {.threads = threads});
    EXPECT_EQ(machine->run({}).status, vm::RunStatus::Deadlock);
  }
}

TEST(Strips, WhatAThreadThrowsComesOut) {
  const std::string text =
      ".grid 1, 4\n.program p\n  task main:\n    print \"here\"\n  next:\n    add32 r1, r1, 1\n"
      "    jmp next\n.place p at (0, 0..3)\n";
  const isa::Profile profile = *isa::find_profile("wse2");
  const auto machine =
      *vm::Machine::create(image_of("p.wsa", text, {}, profile), profile, {.threads = 2});
  vm::RunOptions options;
  options.print = [](std::string_view) { throw std::runtime_error("no more"); };
  EXPECT_THROW(machine->run(options), std::runtime_error);
}

TEST(Strips, WhatOneThrowsComesOutWhenAllAreOver) {
  const isa::Image image;
  const isa::Topology mesh = isa::Topology::mesh(1, 3);
  const vm::ChannelMap channels(image, mesh);
  vm::History history;
  vm::Tracer tracer(mesh);
  vm::Strips strips(channels, history, tracer);
  for (PeId pe = 0; pe < 3; ++pe) strips.add(pe, {pe, pe + 1});
  std::array<bool, 3> is_over = {};
  const auto work = [&is_over](std::size_t k) {
    is_over[k] = true;
    if (k > 0) throw std::bad_alloc();
  };
  EXPECT_THROW(strips.at_once(work), std::bad_alloc);
  EXPECT_TRUE(std::ranges::all_of(is_over, std::identity()));
}

// A place in a reduction of threads; after some cycles the machine has lost one of its strips.
class BrokenReduce final : public vm::Reduce {
 public:
  explicit BrokenReduce(vm::Reduce& whole) : whole_(whole) {}
  vm::StripReport join(const vm::StripReport& report, vm::Server* server) override {
    if (left_-- == 0) throw vm::LostStrip("strip 7 has ended");
    return whole_.join(report, server);
  }
  void meet(vm::Server* server) override { whole_.meet(server); }

 private:
  vm::Reduce& whole_;
  std::uint32_t left_ = 9;
};

class BrokenMedium final : public vm::Medium {
 public:
  std::unique_ptr<vm::Communicator> connect(std::uint32_t strips) const override {
    return std::make_unique<Ends>(strips);
  }
  std::uint32_t threads(std::uint32_t strips) const override { return strips; }

 private:
  class Ends final : public vm::Communicator {
   public:
    explicit Ends(std::uint32_t strips) : whole_(strips) {
      for (std::uint32_t k = 0; k < strips; ++k) reduces_.emplace_back(whole_.reduce(k));
    }
    vm::Link& link(std::uint32_t strip) override { return whole_.link(strip); }
    vm::Reduce& reduce(std::uint32_t strip) override { return reduces_[strip]; }
    bool runs(std::uint32_t /*strip*/) const override { return true; }

   private:
    vm::SharedMemory whole_;
    std::deque<BrokenReduce> reduces_;
  };
};

TEST(Strips, ALostStripComesOutOfAllThreads) {
  const isa::Profile profile = *isa::find_profile("wse2");
  const BrokenMedium medium;
  const auto machine =
      *vm::Machine::create(heat(profile), profile, {.threads = 3, .medium = &medium});
  try {
    machine->run({});
    FAIL() << "a strip was lost";
  } catch (const vm::LostStrip& error) {
    EXPECT_STREQ(error.what(), "strip 7 has ended");
  }
}

}  // namespace
