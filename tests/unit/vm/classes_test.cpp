// Classes of PEs: few for regular programs, and each difference that counts makes one.
#include <gtest/gtest.h>

#include <string>

#include "asm/assembler.h"
#include "tests/support/engine.h"
#include "vm/run/books.h"

namespace wse::vm {
namespace {

PeClasses classes_after(const std::string& text, Cycle max_cycles = kNever,
                        TransportChoice transport = TransportChoice::Auto) {
  const isa::Profile profile = *isa::find_profile("wse2");
  assembler::Output output =
      assembler::assemble({"test.wsa", text}, {.overrides = {}, .profile = profile});
  EXPECT_TRUE(output.image) << isa::to_text(output.diagnostics, output.files);
  auto machine = Machine::create(
      std::move(*output.image), profile,
      {.threads = 1, .transport = transport, .engine = test_support::test_engine()});
  (*machine)->run({.max_cycles = max_cycles});
  return Books(**machine).classes();
}

// A chain that adds up: the last PE begins, those between receive, add and send, the first ends.
constexpr const char* kChain = R"(.const P = 8
.grid P, 2
.colour red
.colour blue
.program relay(rx: colour, tx: colour)
  .f32 v[4] = x
  task main:
    fadds fabout(tx), v, fabin(rx)
    halt
.program last(tx: colour)
  .f32 v[4] = x
  task main:
    mov32 fabout(tx), v
    halt
.program first(rx: colour)
  .f32 v[4] = x
  task main:
    fadds v, v, fabin(rx)
.place first at (0, 0) with rx = red
.place relay at (1..P-2, 0) with rx = x % 2 ? blue : red, tx = x % 2 ? red : blue
.place last at (P-1, 0) with tx = red
.route red at (1..P-1 step 2, 0): ramp -> west
.route red at (0..P-2 step 2, 0): east -> ramp
.route blue at (2..P-2 step 2, 0): ramp -> west
.route blue at (1..P-3 step 2, 0): east -> ramp
)";

TEST(Classes, AChainHasThree) {
  const PeClasses classes = classes_after(kChain);
  ASSERT_EQ(classes.of_pe.size(), 16u);
  ASSERT_EQ(classes.texts.size(), 3u);
  EXPECT_EQ(classes.of_pe[0], 0u);
  for (std::size_t pe = 1; pe < 7; ++pe) EXPECT_EQ(classes.of_pe[pe], 1u) << pe;
  EXPECT_EQ(classes.of_pe[7], 2u);
  for (std::size_t pe = 8; pe < 16; ++pe) EXPECT_EQ(classes.of_pe[pe], PeClasses::kNone) << pe;
  using Text = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(classes.texts[0], (Text{{"program", "first"}, {"main thread", "has halted"}}));
  EXPECT_EQ(classes.texts[1], (Text{{"program", "relay"}, {"main thread", "has halted"}}));
}

TEST(Classes, TellLinesOfARunThatWasCut) {
  for (const TransportChoice transport : {TransportChoice::Stepper, TransportChoice::Wafer}) {
    const PeClasses classes = classes_after(kChain, 25, transport);
    ASSERT_GT(classes.texts.size(), 3u) << "those that have sent, and those that wait";
    std::size_t waiting = 0;
    for (const auto& text : classes.texts) {
      for (const auto& [name, value] : text) waiting += name == "thread 0" ? 1 : 0;
    }
    EXPECT_GE(waiting, 2u);
  }
}

// Two PEs run one program, and one of them sends, and moves its switch, once more.
TEST(Classes, TellPositionsOfSwitches) {
  const PeClasses classes = classes_after(R"(.grid 3, 2
.colour red
.program sender(n: i32)
  .i32 v[1] = 7
  task main:
    mov32 r1, n
  next:
    mov32 fabout(red, advance), v
    sub32 r1, r1, 1
    bgt r1, 0, next
    halt
.program receiver
  .i32 got[1]
  task main:
    mov32 got, fabin(red)
    halt
.place sender at (1, 0..1) with n = y + 1
.place receiver at (0, 0..1)
.place receiver at (2, 1)
.route red at (1, 0..1): [ramp -> west] [-> east] [-> west]
.route red at (0, 0..1): east -> ramp
.route red at (2, 0..1): west -> ramp
)");
  ASSERT_EQ(classes.texts.size(), 3u);
  EXPECT_EQ(classes.of_pe, (std::vector<std::uint32_t>{0, 1, PeClasses::kNone, 0, 2, 0}));
  EXPECT_EQ(classes.texts[2].back(), (std::pair<std::string, std::string>("red position", "2")));
}

}  // namespace
}  // namespace wse::vm
