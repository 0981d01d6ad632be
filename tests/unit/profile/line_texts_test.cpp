// Lines of sources by the names that images have for them: plain texts, and generated ones that say
// where their lines come from.
#include "vm/profile/line_texts.h"

#include <gtest/gtest.h>

namespace wse {
namespace {

using Lines = std::vector<std::string_view>;

TEST(LineTexts, AreThoseOfAPlainText) {
  const isa::SourceFiles sources = {{"a.wsa", ".program p\r\n  task main:\n\n    halt"},
                                    {"b.inc", "mov32 r1, 1\n"}};
  const vm::LineTexts texts(sources);
  EXPECT_EQ(texts.lines_of("p", "a.wsa"), (Lines{".program p", "  task main:", "", "    halt"}));
  EXPECT_EQ(texts.lines_of("q", "a.wsa").size(), 4u) << "the only text of that name";
  EXPECT_EQ(texts.lines_of("p", "b.inc"), (Lines{"mov32 r1, 1"}));
  EXPECT_TRUE(texts.lines_of("p", "c.wsa").empty());
  EXPECT_TRUE(vm::LineTexts().lines_of("p", "a.wsa").empty());
}

// Two programs of a script come from texts with one name, each of which begins with line 1 again;
// the whole text has this name too.
TEST(LineTexts, AreThoseOfTheProgramWhereNamesAreEqual) {
  const isa::SourceFiles sources = {{"s.lua(9)", R"text(.grid 2, 1
.lines 1 "s.lua(9)"
.program leaf(tx: colour)
  task main:
    halt
.line 12 "s.lua"
.place leaf at (0, 0)
.lines 3 "s.lua(9)"
  .program root ; the other one
  task main:
)text"}};
  const vm::LineTexts texts(sources);
  EXPECT_EQ(texts.lines_of("leaf", "s.lua(9)"),
            (Lines{".program leaf(tx: colour)", "  task main:", "    halt"}));
  EXPECT_EQ(texts.lines_of("leaf(tx=1)", "s.lua(9)").size(), 3u);
  EXPECT_EQ(texts.lines_of("root", "s.lua(9)"),
            (Lines{"", "", "  .program root ; the other one", "  task main:"}));
  EXPECT_TRUE(texts.lines_of("roo", "s.lua(9)").empty()) << "three texts, none of which has it";
  EXPECT_TRUE(texts.lines_of("leaf", "s.lua").empty()) << "the script is no source";
}

TEST(LineTexts, ReadDirectivesAsTheAssemblerDoes) {
  const isa::SourceFiles sources = {{"g.wsa", R"text(a
 .lines 2 "x \"y\".gen"
b
.line 5
c
.lines 4
.program p
.line 0
  halt
)text"}};
  const vm::LineTexts texts(sources);
  EXPECT_EQ(texts.lines_of("p", "x \"y\".gen"), (Lines{"", "", "", ".program p"}));
  EXPECT_TRUE(texts.lines_of("q", "x \"y\".gen").empty()) << "two parts";
  EXPECT_TRUE(texts.lines_of("p", "g.wsa").empty()) << "two parts: line 1, and line 9";
  const isa::SourceFiles one = {{"g.wsa", ".linesman\n.line 9 \"q\"\ne\n"}};
  EXPECT_EQ(vm::LineTexts(one).lines_of("p", "g.wsa"), (Lines{".linesman"}));
  const isa::SourceFiles all = {{"g.wsa", ".line 9 \"q\"\n.line 0\nx\n.lines 99999999 \"z\"\nd\n"}};
  EXPECT_EQ(vm::LineTexts(all).lines_of("p", "g.wsa"), (Lines{"", "", "x"}));
  EXPECT_TRUE(vm::LineTexts(all).lines_of("p", "z").empty());
}

}  // namespace
}  // namespace wse
