// Wrong programs and what the assembler says about them: tests/golden/wrong/*.wsa. Each file ends
// with a block `;;; expect` that holds the whole output on wse2, or the machine that a line
// `;;; on PROFILE` before it names; lines `;;; with NAME=VALUE` before it are
// the command line, `;;; file NAME` a file that can be included; secret.wsa is unreadable.
// WSE_BLESS=1 rewrites the blocks; read the difference before committing it. Must never accept a
// program here of which nothing is said: one that has warnings only gives an image.
#include <gtest/gtest.h>

#include <set>

#include "tests/golden/wrong_programs.h"

namespace wse::assembler {
namespace {

using test_support::GoldenProgram;

class WrongProgram : public testing::TestWithParam<GoldenProgram> {};

TEST_P(WrongProgram, IsExplained) {
  const Output output = assemble_golden(GetParam());
  EXPECT_FALSE(output.diagnostics.empty());
  EXPECT_EQ(output.image.has_value(), !isa::has_errors(output.diagnostics));
  const std::string actual = isa::to_text(output.diagnostics, output.files);
  EXPECT_EQ(test_support::compare_with_block(GetParam(), actual), "");
}

INSTANTIATE_TEST_SUITE_P(All, WrongProgram, testing::ValuesIn(wrong_programs()),
                         [](const auto& test) { return test.param.path.stem().string(); });

// A row of the table that nothing produces is untested or dead.
TEST(Diagnostics, EveryRowHasAWrongProgram) {
  const std::set<std::string> elsewhere = {"E001"};  // a source of 16 MB: unit/asm/robustness_test
  std::set<std::string> seen = elsewhere;
  for (const GoldenProgram& golden : wrong_programs()) {
    const Output output = assemble_golden(golden);
    for (const isa::Diagnostic& diagnostic : output.diagnostics) seen.insert(diagnostic.code);
  }
  constexpr std::string_view kCodes[] = {
#define DIAGNOSTIC(name, code, ...) code,
#define NOTE(...)
#include "asm/text/diagnostics.def"
#undef DIAGNOSTIC
#undef NOTE
  };
  for (const std::string_view code : kCodes) {
    EXPECT_TRUE(seen.contains(std::string(code))) << code << " is produced by no wrong program";
  }
  const std::set<std::string_view> distinct(std::begin(kCodes), std::end(kCodes));
  EXPECT_EQ(distinct.size(), std::size(kCodes)) << "two rows have one code";
}

}  // namespace
}  // namespace wse::assembler
