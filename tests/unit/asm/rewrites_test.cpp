// Edits that helps spell: what they write, and that a text which no edit of one line can hold, or
// which nobody wrote there, has none.
#include <gtest/gtest.h>

#include "asm/remedies.h"
#include "tests/unit/asm/support.h"

namespace wse::assembler {
namespace {

// The line of each edit after it was written, in the order of the diagnostics.
std::vector<std::string> rewritten_lines(std::string_view text) {
  std::vector<std::string> lines;
  for (const Remedy& remedy : assemble_text(text).remedies) {
    const std::string changed = with_edit(text, remedy.edit);
    std::size_t begin = 0;
    for (std::uint32_t k = 1; k < remedy.edit.where.line; ++k) {
      begin = changed.find('\n', begin) + 1;
    }
    lines.push_back(changed.substr(begin, changed.find('\n', begin) - begin));
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST(Rewrites, ReplaceRemoveEncloseAndInsert) {
  constexpr std::string_view kText = R"(.grid 2, 1
.colour a = 3, c = 3, b
.program p
  .i32 n[2] = 1, 2, 3
  .i32 m[2]
  task main = 4:
    add32 r1, r1, (x * 0.5)
    mov32 fabout(a, length=1 + 0.5), r1
    mov32 fabin(b, length=32767), 1
    mov32 m, m async 0
  task later = 29:
    halt
.place p at (0, 0)
.route b at (0, 0): ramp -> east
.route a at (0, 0): west, ramp -> ramp
.route c at (0, 0): [ramp -> ramp] [ east, ramp -> ]
)";
  EXPECT_EQ(
      rewritten_lines(kText),
      Lines({".colour a = 3, c, b", ".colour a = 3, c = a, b", "  .i32 n[] = 1, 2, 3",
             "  task main:", "    add32 r1, r1, int((x * 0.5))",
             "    mov32 fabout(a, length=int(1 + 0.5)), r1",
             "    mov32 fabin(b, length=endless), 1", "    mov32 fabin(b, length=32766 + 1), 1",
             "    mov32 m, m", "  task later:", ".route a at (0, 0): [west -> ramp] [ramp ->]",
             ".route c at (0, 0): [ramp -> ramp] [ east ->] [ramp -> ]"}));
}

// A line is inserted above, and an option goes with its comma.
TEST(Rewrites, KeepWhatStandsAround) {
  constexpr std::string_view kText = R"(.grid 2, 1
.colour red, blue
.program p
  .i32 n[2]
    mov32 fabout(red, length=2, advance), fabin(blue, length=endless)  ; all
    mov32 n, fabin(red, queue=0)
    mov32 n, fabin(blue, queue=0, length=2)
  task later:
    halt
.place p at (0, 0)
.route red at (0, 0): ramp -> east
)";
  EXPECT_EQ(rewritten_lines(kText),
            Lines({"  task main:", "  task main:",
                   "    mov32 fabout(red, length=2), fabin(blue, length=endless)  ; all",
                   "    mov32 n, fabin(blue, length=2)", ".route red at (1, 0): west -> ramp"}));
}

TEST(Rewrites, ATextOfSeveralLinesHasNone) {
  constexpr std::string_view kText = R"(.grid 2, 1
.colour red, blue
.program p
  .f32 v[8]
  task main:
    add32 r1, r1, (x *
      0.5)
    fmovs r1, v[1.5 +
      1]
    fmovs v, fabin(red,
      length=32767
      )
.place p at (0, 0)
.route red at (1, 0): west,
  ramp -> ramp
.route blue at (1, 0): -> west,
  ramp
)";
  const Output output = assemble_text(kText);
  EXPECT_EQ(output.diagnostics.size(), 5u) << isa::to_text(output.diagnostics, output.files);
  EXPECT_EQ(rewritten_lines(kText), Lines({"      length=endless", "      length=32766 + 1"}));
}

// The line of a macro is not that of the program that uses it.
TEST(Rewrites, AnExpansionHoldsNoLineOfItsUse) {
  constexpr std::string_view kText = R"(.grid 1, 1
.macro prepare
    mov32 r1, 1
.end
.program p
    prepare
  task later:
    halt
.place p at (0, 0)
)";
  const Output output = assemble_text(kText);
  EXPECT_NE(isa::to_text(output.diagnostics, output.files).find("E082"), std::string::npos);
  EXPECT_EQ(rewritten_lines(kText), Lines());
}

}  // namespace
}  // namespace wse::assembler
