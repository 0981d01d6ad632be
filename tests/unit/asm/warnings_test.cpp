// Which warnings are shown: what callers and lines of the source want of them, whose lines they are
// of, which PEs they name, and remedies that were tried.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "asm/warnings/pe_set.h"
#include "tests/unit/asm/support.h"

namespace wse::assembler {
namespace {

constexpr std::string_view kLost = R"(.grid 2, 1
.colour red, blue
.program p
  task main:
    mov32 fabout(red), 1
    mov32 fabout(blue), 2
.place p at (0, 0)
)";

Output assemble_with(std::string_view text, std::vector<WarningChoice> warnings, Loader load = {}) {
  return assemble({"test.wsa", std::string(text)}, {.overrides = {},
                                                    .profile = *isa::find_profile("wse2"),
                                                    .load = std::move(load),
                                                    .warnings = std::move(warnings)});
}

Output assemble_on(const isa::Profile& profile, const std::string& text) {
  return assemble({"test.wsa", text}, {.overrides = {}, .profile = profile});
}

// "warning E231 5", for each.
std::vector<std::string> findings(const Output& output) {
  std::vector<std::string> found;
  for (const isa::Diagnostic& diagnostic : output.diagnostics) {
    if (diagnostic.severity == isa::Severity::Note) continue;
    const bool is_error = diagnostic.severity == isa::Severity::Error;
    found.push_back(fmt::format("{} {} {}", is_error ? "error" : "warning", diagnostic.code,
                                diagnostic.where.line));
  }
  return found;
}

using Found = std::vector<std::string>;

TEST(Warnings, AreOffOrErrorsAsTheCallerWants) {
  EXPECT_EQ(findings(assemble_with(kLost, {})), Found({"warning E231 5", "warning E231 6"}));
  EXPECT_EQ(findings(assemble_with(kLost, {{.code = "E231"}})), Found());
  const Output errors = assemble_with(kLost, {{.code = "E231", .is_error = true}});
  EXPECT_EQ(findings(errors), Found({"error E231 5", "error E231 6"}));
  EXPECT_FALSE(errors.image);
  EXPECT_EQ(findings(assemble_with(kLost, {{.code = "E231", .is_error = true}, {.code = "E231"}})),
            Found());
  EXPECT_EQ(findings(assemble_with(kLost, {{.code = "E228"}})).size(), 2u);
}

TEST(Warnings, AChoiceNamesAWarning) {
  EXPECT_TRUE(warning_choice("E231", "off"));
  EXPECT_TRUE(warning_choice("E231", "error")->is_error);
  EXPECT_EQ(warning_choice("E29", "off").error(),
            "no warning has the code 'E29'; did you mean 'E229'?");
  EXPECT_EQ(warning_choice("E012", "off").error(), "E012 is an error, not a warning");
  EXPECT_EQ(warning_choice("E231", "on").error(), "E231 can be off or error, not 'on'");
}

TEST(Warnings, AreSilentWhereALineAllowsThem) {
  const auto with = [](std::string_view at_red, std::string_view before_blue) {
    return findings(
        assemble_with(fmt::format(".grid 2, 1\n.colour red, blue\n.program p\n  task main:\n"
                                  "    mov32 fabout(red), 1 {}\n{}\n    mov32 fabout(blue), 2\n"
                                  ".place p at (0, 0)\n",
                                  at_red, before_blue),
                      {}));
  };
  EXPECT_EQ(with("", ""), Found({"warning E231 5", "warning E231 7"}));
  EXPECT_EQ(with(";! allow E231", ""), Found({"warning E231 7"}));
  EXPECT_EQ(with("", "  ;! allow E229, E231 ; on purpose"), Found({"warning E231 5"}));
  EXPECT_EQ(with("", "  ;! allow E231\n  ;! allow E228"),
            Found({"warning E231 5"}));  // both belong to the line below
  EXPECT_EQ(with("; ;! allow E231", ""), Found({"warning E231 5", "warning E231 7"}));
  // One at the end of a line is not for the next.
  EXPECT_EQ(with(";! allow E231 E228", "").size(), 1u);
  EXPECT_EQ(with(";! allow E228", "").size(), 2u);
  EXPECT_EQ(with(";! allow E29", ""), Found({"error E009 5"}));
}

// fabric.wsa comes with wsevm: advice about its lines is of no use, and what its macros certainly
// do wrong is said of the line that uses them.
TEST(Warnings, AreNeverOfLinesThatComeWithWsevm) {
  const std::string text = R"(.const W = 2
.const H = 1
.include "fabric.wsa"
.grid 2, 1
.program p
  .i32 mine[40]
  .i32 theirs[50]
  .reg k
  .microthread sending
  task main:
    mov32 k, 0
  next:
    send_east mine, sending
    add32 k, k, 1
    bgt   k, 0, next
.program q
  .i32 theirs[41]
  task main:
    receive_from_west theirs
.place p at (0, 0)
.place q at (1, 0)
)";
  const Output output = assemble_with(text, {});
  for (const isa::Diagnostic& diagnostic : output.diagnostics) {
    if (diagnostic.severity == isa::Severity::Note) continue;
    EXPECT_EQ(output.files[diagnostic.where.file].name, "test.wsa") << diagnostic.message;
    EXPECT_NE(diagnostic.code, "E230");
  }
  const std::string short_send = R"(.const W = 2
.const H = 1
.include "fabric.wsa"
.grid 2, 1
.program p
  .i32 mine[40]
  .microthread sending
  task main:
    send_east mine, sending
.program q
  .i32 theirs[41]
  task main:
    receive_from_west theirs
.place p at (0, 0)
.place q at (1, 0)
)";
  EXPECT_EQ(findings(assemble_with(short_send, {})), Found({"warning E227 13"}));
}

// What E230 says of a loop with these statements: "N descriptors, M cycles"; or nothing.
std::string told_loads(const std::string& body, const isa::Profile& profile) {
  const Output output = assemble_on(
      profile,
      ".grid 1, 1\n.program p\n  .f32 d[4]\n  .f32 e[4]\n  .f32 g[4]\n  .f32 m[4, 4, 4]\n"
      "  .reg k\n  .microthread go\n  task main:\n    mov32 k, 10\n  again:\n" +
          body + "    sub32 k, k, 1\n    bgt k, 0, again\n.place p at (0, 0)\n");
  for (const isa::Diagnostic& diagnostic : output.diagnostics) {
    if (diagnostic.code != "E230") continue;
    const std::string& text = diagnostic.message;
    return text.substr(0, text.find(' ')) + text.substr(text.rfind(" takes ") + 6);
  }
  return {};
}

TEST(Warnings, ALoopThatLoadsDescriptorsPaysForEachOfThem) {
  isa::Profile wse2 = *isa::find_profile("wse2");
  wse2.descriptor_load_cycles = 10;
  wse2.vector_overlap = 0;
  const std::string three = "    fadds d, d, 1.0\n    fadds e, e, d\n    fadds g, d, 2.0\n";
  EXPECT_EQ(told_loads(three, wse2), "3 30 cycles");
  // Two dimensions more, each a load and a simple instruction.
  EXPECT_EQ(told_loads(three + "    fadds m[0:2, 0:2, 0:2], m[0:2, 0:2, 0:2], 1.0\n", wse2),
            "4 46 cycles");
  wse2.descriptor_load_cycles = 3;
  wse2.descriptor_fetch_cycles = 50;  // of others
  EXPECT_EQ(told_loads(three, wse2), "3 9 cycles");
  wse2.descriptor_load_cycles = 1;
  EXPECT_EQ(told_loads(three, wse2), "");  // the elements take six
  // Where start counts from the load, each instruction that loads one has it too, but where a
  // microthread waits for it.
  wse2.vector_overlap = 1;
  EXPECT_EQ(told_loads(three, wse2), "3 9 cycles");
  EXPECT_EQ(told_loads("    fadds d, d, 1.0 async go\n    wait go\n    fadds e, e, e\n"
                       "    fadds g, g, 2.0\n    fadds g, e, 2.0\n",
                       wse2),
            "");
  wse2.descriptor_load_cycles = 0;
  wse2.vector_start_cycles = 0;
  EXPECT_EQ(told_loads(three, wse2), "");
}

// The banks that help says are right.
TEST(Warnings, AConflictIsToldAsTheMachineHasIt) {
  isa::Profile profile = *isa::find_profile("wse2");
  const auto told = [&profile](const std::string& operation, const std::string& gap) {
    const Output output = assemble_on(
        profile, ".grid 1, 1\n.program p\n  .f32 a[64]\n" + gap +
                     "  .f32 b[64]\n  .f32 c[64]\n"
                     "  .reg k\n  task main:\n    mov32 k, 10\n  again:\n    " +
                     operation +
                     " c, a, b\n    sub32 k, k, 1\n    bgt k, 0, again\n.place p at (0, 0)\n");
    std::string found;
    for (const isa::Diagnostic& diagnostic : output.diagnostics) {
      if (diagnostic.code == "E229") found += diagnostic.message + "; " + diagnostic.help;
    }
    return found;
  };
  const std::string gap = "  .i32 gap\n";  // two banks
  EXPECT_TRUE(told("fmuls", "").contains("takes 2 cycles"));
  EXPECT_EQ(told("fmuls", gap), "");
  profile.bank_conflict_cycles = 3;
  EXPECT_TRUE(told("fmuls", "").contains("takes 3 cycles"));
  // A product compares the two words of its element: two banks further they do not meet.
  profile.bank_conflict_width = 1;
  profile.bank_conflict_banks = 8;
  EXPECT_TRUE(told("fmuls", "").contains("takes 3 cycles"));
  EXPECT_EQ(told("fmuls", gap), "");
  // A sum has issues of two elements, four words: of 4 banks they always meet.
  EXPECT_TRUE(told("fadds", gap).contains("takes 3 cycles"));
  profile.bank_conflict_banks = 4;
  EXPECT_EQ(told("fadds", ""), "");
  // Of three ports one serves banks 0, 3 and 6, and help names another.
  profile.bank_conflict_width = 0;
  profile.bank_conflict_banks = 3;
  EXPECT_TRUE(told("fmuls", "").contains("`bank=2`"));
  EXPECT_EQ(told("fmuls", gap), "");
  EXPECT_TRUE(told("fmuls", "  .i32 gap[3]\n").contains("`bank=2`"));
}

TEST(Warnings, NamePesAsRectangles) {
  const auto text = [](const std::vector<std::pair<std::uint32_t, std::uint32_t>>& members) {
    PeSet set;
    for (const auto& [x, y] : members) set.add(x, y);
    return set.text() + " | " + set.place();
  };
  EXPECT_EQ(text({{3, 1}}), "PE (3, 1) | (3, 1)");
  EXPECT_EQ(text({{0, 0}, {1, 0}, {2, 0}}), "PEs (0..2, 0) | (0..2, 0)");
  EXPECT_EQ(text({{1, 0}, {5, 0}, {3, 0}}), "PEs (1..5 step 2, 0) | (1..5 step 2, 0)");
  EXPECT_EQ(text({{0, 0}, {4, 0}, {0, 2}, {4, 2}}),
            "PEs (0..4 step 4, 0..2 step 2) | (0..4 step 4, "
            "0..2 step 2)");
  EXPECT_EQ(text({{0, 0}, {1, 0}, {3, 0}}), "PE (0, 0) and 2 others in (0..3, 0) | (0, 0)");
  EXPECT_EQ(text({{0, 0}, {1, 1}}), "PE (0, 0) and 1 other in (0..1, 0..1) | (0, 0)");
}

// One warning for all PEs of a line, which is followed once for each colour.
TEST(Warnings, OfLostWordsNameAllPesAtOnce) {
  const Output output = assemble_with(R"(.grid 101, 60
.colour a, b
.program p(tx: colour)
  task main:
    mov32 fabout(tx), 1
.place p at (0..100, 0..59) with tx = x % 2 ? a : b
.route a at (1..99 step 2, 0..59): ramp -> east
.route a at (2..100 step 2, 0..59): west -> ramp
)",
                                      {});
  const std::string said = isa::to_text(output.diagnostics, output.files);
  EXPECT_TRUE(said.contains("colour 'a', which is sent here by PEs (1..99 step 2, 0..59)")) << said;
  EXPECT_TRUE(
      said.contains("colour 'b', which is sent here, from the ramp of PEs (0..100 step 2, "
                    "0..59)"))
      << said;
  EXPECT_EQ(findings(output).size(), 2u);
}

// `sum` is moved: `acc` would take it along, and each further bank would conflict again.
TEST(Remedies, OfBanksWereTried) {
  const std::string text = R"(.grid 1, 1
.program p
  .f32 acc[32] bank=4 = i
  .f32 got[32]
  .f32 sum[32] exported
  .reg k
  task main:
    mov32 k, 0
  again:
    fadds sum, sum, acc
    add32 k, k, 1
    blt k, 7, again
.place p at (0, 0)
)";
  const Output output = assemble_with(text, {});
  ASSERT_EQ(findings(output), Found({"warning E229 10"}));
  EXPECT_EQ(output.diagnostics[0].help,
            "write `bank=6` after 'sum', which then begins in another bank");
  ASSERT_EQ(output.remedies.size(), 1u);
  const isa::SourceRange where = output.remedies[0].edit.where;
  EXPECT_EQ(where.line, 5u);
  EXPECT_EQ(output.remedies[0].edit.text, " bank=6");
  const std::size_t at = text.find("  .f32 sum") + where.column - 1;
  const std::string changed = text.substr(0, at) + " bank=6" + text.substr(at);
  EXPECT_EQ(findings(assemble_with(changed, {})), Found());
}

// Both places are pinned.
TEST(Remedies, AreNotOfferedWhereNoneHelps) {
  const Output output = assemble_with(R"(.grid 1, 1
.program p
  .f32 a[32] address=0
  .f32 b[32] address=128
  .reg k
  task main:
    mov32 k, 0
  again:
    fadds a, a, b
    add32 k, k, 1
    blt k, 7, again
.place p at (0, 0)
)",
                                      {});
  ASSERT_EQ(findings(output), Found({"warning E229 9"}));
  EXPECT_EQ(output.diagnostics[0].help, "");
  EXPECT_TRUE(output.remedies.empty());
}

}  // namespace
}  // namespace wse::assembler
