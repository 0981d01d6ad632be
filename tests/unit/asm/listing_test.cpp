// The listing: the parts that people look for, in their order.
#include "asm/listing.h"

#include <fmt/format.h>

#include "asm/straight_line.h"
#include "isa/instruction/each_instruction.h"
#include "tests/unit/asm/support.h"

namespace wse::assembler {
namespace {

constexpr std::string_view kSource = R"(.grid 2, 1
.colour red
.program p
  .f32 v[8] exported
  .f32 total
  task main:
    mark begin
    fmovs v, fabin(red)   ; receive
    fadds total, v, 0
  again: add32 r1, r1, 1000000
    mov32 total, 5
.place p at (0, 0)
)";

TEST(Listing, ShowsWhatWasAdded) {
  const Output output = assemble_text(kSource);
  ASSERT_TRUE(output.image);
  const std::string text =
      listing(*output.image, output.files, output.numbers, *isa::find_profile("wse2"));
  const std::vector<std::string> wanted = {
      "program p\n",
      "  memory: ",
      "         0     32  .f32 v[8] exported\n",
      "        32      4  .f32 total\n",
      "test.wsa:8: fmovs v, fabin(red)   ; receive\n"
      "  +         1  4c000000               1      1  setd d0, v\n"
      "  +         2  4c100001               1      1  setd d1, fabin(red)\n"
      "            3  90822000 00000000   2/cycle +2   fmovs d0, d1\n",
      "fadds r15, d0, 0.0\n  + ",
      "test.wsa:10: again: add32 r1, r1, 1000000\n   ",
      "mov32 r15, 5\n  + ",
      "st32 total, r15\n  + ",
      "  halt\n"};
  std::size_t at = 0;
  for (const std::string& part : wanted) {
    const std::size_t found = text.find(part, at);
    ASSERT_NE(found, std::string::npos) << part << "---\n" << text;
    at = found;
  }
}

TEST(Listing, SaysWhatNamesBecame) {
  const Output output = assemble_text(
      ".grid 1, 1\n.colour red, blue = 3\n.program a\n .reg step, k = r4\n .microthread go\n"
      " task main:\n.program b\n .reg step\n task main:\n mov32 r0, step\n");
  ASSERT_TRUE(output.image);
  const std::string text =
      listing(*output.image, output.files, output.numbers, *isa::find_profile("wse2"));
  EXPECT_TRUE(text.starts_with("colours\n  red = colour 0\n  blue = colour 3\n\nprogram a\n"));
  EXPECT_NE(text.find("  names:\n    step = r0\n    k = r4\n    go = microthread 0\n"),
            std::string::npos);
  EXPECT_NE(text.find("  names:\n    step = r1\n"), std::string::npos) << text;
}

TEST(Listing, LinesOfAMacroAreAsWritten) {
  const Output output =
      assemble_text(".grid 1, 1\n.macro two\n halt\n halt\n.end\n.program a\n task main:\n  two\n");
  ASSERT_TRUE(output.image);
  const std::string text =
      listing(*output.image, output.files, output.numbers, *isa::find_profile("wse2"));
  EXPECT_NE(text.find("test.wsa:8: two\n"), std::string::npos) << text;
  EXPECT_EQ(text.find('+'), std::string::npos) << text;
}

// The prices of the instructions of main, in order: cycles, of vector instructions with a +.
std::string prices(const std::string& code, const isa::Profile& profile) {
  const Output output = assemble_text(
      ".grid 1, 1\n.program p\n  .f32 v[8]\n  .f32 w[8]\n  .f32 total\n"
      "  .fifo f = w\n  .dsr a, b, c\n  .microthread beside\n  task main:\n" +
      code + "\n.place p at (0, 0)\n");
  EXPECT_TRUE(output.image);
  if (!output.image) return {};
  StraightLine line(profile);
  std::string found;
  const isa::Program& program = output.image->programs[0];
  isa::for_each_instruction(program.code, [&](const isa::Instruction& instruction, std::uint32_t) {
    const bool is_vector = isa::info(instruction.op).is_vector();
    found += fmt::format("{}{} ", is_vector ? "+" : "", line.next(instruction, program).cycles);
  });
  return found;
}

// As wse2, with a descriptor that loads in 10 cycles: start is 2, drain 4, a load 2, a store 1.
isa::Profile slow_loads(std::uint32_t overlap) {
  isa::Profile profile = *isa::find_profile("wse2");
  profile.descriptor_load_cycles = 10;
  profile.vector_overlap = overlap;
  return profile;
}

TEST(Listing, AVectorInstructionHasItsSetUp) {
  const isa::Profile waits = slow_loads(0);
  EXPECT_EQ(prices("setd a, v\nsetd b, w\nfmovs a, b\nfmovs b, a\nmov32 r1, total", waits),
            "10 10 +6 +6 2 0 ");
  EXPECT_EQ(prices("fmovs a, 1.0 async beside\nmov32 r1, total", waits), "+6 2 0 ");
  EXPECT_EQ(prices("setd a, v\nfmovs a, 1.0", *isa::find_profile("model")), "0 +0 0 ");
}

TEST(Listing, OverlappingInstructionsShareTheirSetUp) {
  const isa::Profile profile = slow_loads(1);
  // Start once, after the loads; the drain where it is seen.
  EXPECT_EQ(prices("setd a, v\nsetd b, w\nfmovs a, b\nfmovs b, a\nmov32 r1, total", profile),
            "10 10 +2 +0 6 0 ");
  EXPECT_EQ(prices("fmovs a, 1.0", profile), "+0 4 ");
  EXPECT_EQ(prices("fmovs a, 1.0\nadd32 r1, r1, 1\nmov32 total, r1", profile), "+0 1 4 0 ");
  EXPECT_EQ(prices("fmovs a, 1.0\nsetdlen b, 3\nfmovs b, 1.0\nmov32 total, 0", profile),
            "+0 1 +2 1 4 0 ");
  EXPECT_EQ(prices("setdlen b, 3\nadd32 r1, r1, 1\nfmovs b, 1.0", profile), "1 1 +1 4 ");
  // A register or a FIFO is waited for as a whole.
  EXPECT_EQ(prices("fadds r1, r1, a\nmov32 r1, total", profile), "+4 2 0 ");
  EXPECT_EQ(prices("setd a, f\nfmovs a, 1.0\nmov32 r1, total", profile), "10 +6 2 0 ");
  EXPECT_EQ(prices("setd a, f\nmovd b, a\nfmovs c, b\nfmovs c, 1.0", profile), "10 1 +6 +0 4 ");
  // A microthread has start and drain of its own, and the main thread does not wait.
  EXPECT_EQ(prices("setdlen a, 2\nfmovs a, 1.0 async beside\nmov32 r1, total", profile),
            "1 +6 2 0 ");
  // Nothing is known behind a jump.
  EXPECT_EQ(prices("fmovs a, 1.0\njmp away\naway:\nmov32 r1, total", profile), "+0 3 2 0 ");
}

TEST(Listing, DescriptorsOfManyDimensionsCostMore) {
  const Output output = assemble_text(
      ".grid 1, 1\n.program p\n  .f32 m[4, 4, 4]\n  .dsr a\n  task main:\n    setd a, m[0:2, 0:2, "
      "0:2]\n"
      ".place p at (0, 0)\n");
  ASSERT_TRUE(output.image);
  const std::string text =
      listing(*output.image, output.files, output.numbers, *isa::find_profile("wse2"));
  EXPECT_TRUE(text.contains("  7      7  setd d")) << text;
}

TEST(Listing, SymbolTable) {
  const Output output = assemble_text(kSource);
  ASSERT_TRUE(output.image);
  EXPECT_EQ(symbol_table(*output.image),
            "program         name            address   bytes type   count\n"
            "p               v                     0      32 f32        8\n"
            "p               total                32       4 f32        1\n");
}

TEST(Listing, NeedsNoSource) {
  const Output output = assemble_text(".line 3 \"other.lua\"\n" + std::string(kSource));
  ASSERT_TRUE(output.image);
  const std::string text = listing(*output.image, {}, {}, *isa::find_profile("model"));
  EXPECT_NE(text.find("other.lua:3:"), std::string::npos);
  EXPECT_EQ(text.find('+'), std::string::npos);
}

}  // namespace
}  // namespace wse::assembler
