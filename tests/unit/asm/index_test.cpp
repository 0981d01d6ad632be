// The index of names: which words mean the same, in macros, loops, libraries and included files.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "asm/analysis.h"
#include "isa/machine/profile.h"

namespace wse::assembler {
namespace {

using Files = std::map<std::string, std::string>;

Analysis analysis_of(const std::string& text, const Files& files = {}) {
  const auto load = [&files](const std::string& path) -> isa::Result<std::optional<std::string>> {
    const auto found = files.find(path);
    if (found == files.end()) return std::nullopt;
    return found->second;
  };
  return analyse(
      {"main.wsa", text},
      {.overrides = {}, .profile = *isa::find_profile("wse2"), .path = "main.wsa", .load = load});
}

// "2:5 4:3": lines and columns of the words that are renamed with the `number`-th `word`, which is
// searched in the source, counted from 1.
std::string places(const Analysis& analysis, std::string_view word, int number = 1) {
  const std::string& text = analysis.files[0].text;
  std::size_t at = text.find(word);
  while (--number > 0) at = text.find(word, at + 1);
  const auto mentions = analysis.names.at(0, static_cast<std::uint32_t>(at));
  if (mentions.empty()) return "none";
  std::string found;
  const auto group = analysis.names.symbols()[mentions.front().symbol].group;
  for (const Mention& mention : analysis.names.of_group(group)) {
    const std::string& file = analysis.files[mention.where.file].text;
    const std::string before = file.substr(0, mention.where.offset);
    const auto line = 1 + std::ranges::count(before, '\n');
    const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;
    found += fmt::format("{}{}{}:{}", found.empty() ? "" : " ",
                         mention.where.file == 0 ? "" : analysis.files[mention.where.file].name,
                         line, column);
  }
  return found;
}

TEST(Index, ALabelAndDataOfOneNameAreTwo) {
  const Analysis analysis = analysis_of(
      ".program p\n"
      "  .i32 loop\n"
      "  task main:\n"
      "  loop:\n"
      "    add32 loop, loop, 1\n"
      "    jmp loop\n");
  EXPECT_EQ(places(analysis, "loop"), "2:8 5:11 5:17");
  EXPECT_EQ(places(analysis, "loop:"), "4:3 6:9");
}

TEST(Index, CoordinatesAreNoData) {
  const Analysis analysis = analysis_of(
      ".program p\n"
      "  .f32 x[4] = x + 1\n"
      "  task main:\n"
      "    fmovs x, x[x]\n"
      "    fmovs x[1], (x)\n");
  EXPECT_EQ(places(analysis, "x[4]"), "2:8 4:11 4:14 5:11");
}

TEST(Index, ProgramsHaveTheirOwnNames) {
  const Analysis analysis = analysis_of(
      ".const n = 2\n"
      ".program p(k: i32)\n"
      "  .reg a\n"
      "  task main:\n"
      "    mov32 a, k + n\n"
      ".program q(n: i32)\n"
      "  .reg a\n"
      "  task main:\n"
      "    mov32 a, n\n"
      ".place p at (0, 0) with k = n\n"
      ".place q at (1, 0) with n = n\n");
  EXPECT_EQ(places(analysis, "a\n"), "3:8 5:11");
  EXPECT_EQ(places(analysis, "k:"), "2:12 5:14 10:25");
  EXPECT_EQ(places(analysis, "n ="), "1:8 5:18 10:29 11:29");
  EXPECT_EQ(places(analysis, "n: i32"), "6:12 9:14 11:25");
  EXPECT_EQ(places(analysis, "q("), "6:10 11:8");
}

TEST(Index, LoopsHaveTheirVariablesAndLabels) {
  const Analysis analysis = analysis_of(
      ".program p\n"
      "  .reg a\n"
      "  task main:\n"
      "  .for k = 1..2\n"
      "  again:\n"
      "    add32 a, a, k\n"
      "    blt a, k, again\n"
      "  .end\n"
      "  .for k = 3..4\n"
      "    add32 a, a, k\n"
      "  .end\n");
  EXPECT_EQ(places(analysis, "k ="), "4:8 6:17 7:12");
  EXPECT_EQ(places(analysis, "k =", 2), "9:8 10:17");
  EXPECT_EQ(places(analysis, "again"), "5:3 7:15");
}

TEST(Index, AMacroMeansTheNamesOfThoseThatUseIt) {
  const Analysis analysis = analysis_of(
      ".macro twice(v)\n"
      "  add32 sum, sum, v\n"
      "  outer\n"
      ".end\n"
      ".macro outer\n"
      "  mov32 count, 1\n"
      ".end\n"
      ".program p\n"
      "  .reg sum, count\n"
      "  task main:\n"
      "    twice 1\n"
      ".program q\n"
      "  .reg sum, count\n"
      "  task main:\n"
      "    outer\n");
  EXPECT_EQ(places(analysis, "sum"), "2:9 2:14 9:8") << "q does not use it";
  EXPECT_EQ(places(analysis, "count"), "6:9 9:13 13:13");
  EXPECT_EQ(places(analysis, "v)"), "1:14 2:19");
  EXPECT_EQ(places(analysis, "outer"), "3:3 5:8 15:5");
}

TEST(Index, ArgumentsOfMacrosMayBeAnything) {
  const Analysis analysis = analysis_of(
      ".macro go(where, thread, name)\n"
      "  mark name\n"
      "  wait thread\n"
      "  jmp where\n"
      ".end\n"
      ".program p\n"
      "  .microthread t\n"
      "  task main:\n"
      "  l:\n"
      "    go l, t, begin\n"
      "    mark begin\n");
  EXPECT_EQ(places(analysis, "l:"), "9:3 10:8");
  EXPECT_EQ(places(analysis, "t\n  task"), "7:16 10:11");
  EXPECT_EQ(places(analysis, "begin"), "10:14 11:10");
  EXPECT_EQ(places(analysis, "name)"), "1:26 2:8");
}

TEST(Index, ExpectationsMeanDataOfAllProgramsThatHaveThem) {
  const Analysis analysis = analysis_of(
      ".program p\n  .i32 y\n"
      ".program q\n  .i32 y\n"
      ".program r\n  .i32 z\n"
      ".expect y at (0, 0) == y\n");
  EXPECT_EQ(places(analysis, "y"), "2:8 4:8 7:9") << "behind == it is the coordinate";
  EXPECT_EQ(places(analysis, "z"), "6:8");
}

TEST(Index, AFileThatIsIncludedTwiceHasOneText) {
  const Files files = {{"part.wsa", "  .reg a\n"}};
  const Analysis analysis = analysis_of(
      ".program p\n.include \"part.wsa\"\n  task main:\n    mov32 a, 1\n"
      ".program q\n.include \"part.wsa\"\n  task main:\n    mov32 a, 2\n",
      files);
  EXPECT_EQ(places(analysis, "a, 1"), "4:11 8:11 part.wsa1:8");
}

TEST(Index, ABrokenLineHasNoNames) {
  const Analysis analysis =
      analysis_of(".program p\n  .reg a\n  task main:\n    mov32 a, (\n    mov32 a, 1\n");
  EXPECT_EQ(places(analysis, "a\n"), "2:8");
  const Analysis other =
      analysis_of(".program p\n  .reg a\n  task main:\n    mov32 a, )\n    mov32 a, 1\n");
  EXPECT_EQ(places(other, "a\n"), "2:8 5:11");
}

TEST(Index, NamesThatCannotBeRenamed) {
  const Analysis analysis =
      analysis_of(".include \"math.wsa\"\n.program p\n  task main:\n    mov32 r1, unknown\n");
  const auto refusal = [&](std::string_view name, const std::string& to) {
    for (const IndexedSymbol& symbol : analysis.names.symbols()) {
      if (symbol.name != name) continue;
      const auto found = places_to_rename(analysis, symbol.group, to);
      return found ? std::string("none") : found.error();
    }
    return std::string("no such symbol");
  };
  EXPECT_EQ(refusal("main", "other"), "every PE begins with the task 'main'");
  EXPECT_EQ(refusal("p", "other"), "none");
  EXPECT_EQ(refusal("p", "fabin"), "'fabin' has a meaning in the language");
  EXPECT_EQ(refusal("p", "a b"), "'a b' is not a name: letters, digits and _ are");
  EXPECT_EQ(refusal("p", "main"), "'main' is a name already");
  EXPECT_EQ(refusal("unknown", "other"), "no such symbol");
  const auto library =
      std::ranges::find(analysis.names.symbols(), SymbolKind::Function, &IndexedSymbol::kind);
  ASSERT_NE(library, analysis.names.symbols().end());
  EXPECT_NE(refusal(library->name, "other").find("comes with wsevm"), std::string::npos);
}

}  // namespace
}  // namespace wse::assembler
