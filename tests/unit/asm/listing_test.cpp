// The listing: the parts that people look for, in their order.
#include "asm/listing.h"

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
      "            3  90822000 00000000   2/cycle      fmovs d0, d1\n",
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
