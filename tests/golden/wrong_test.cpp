// Wrong programs and what the assembler says about them: tests/golden/wrong/*.wsa. Each file ends
// with a block `;;; expect` that holds the whole output on wse2, or the machine that a line
// `;;; on PROFILE` before it names; lines `;;; with NAME=VALUE` before it are
// the command line, `;;; file NAME` a file that can be included; secret.wsa is unreadable.
// WSE_BLESS=1 rewrites the blocks; read the difference before committing it. Must never accept a
// program here of which nothing is said: one that has warnings only gives an image.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "asm/remedies.h"
#include "tests/support/golden_block.h"

namespace wse::assembler {
namespace {

using test_support::GoldenProgram;

std::vector<GoldenProgram> wrong_programs() {
  return test_support::golden_programs("golden/wrong");
}

Output assemble_golden(const GoldenProgram& golden) {
  const auto load = [&golden](const std::string& path) -> isa::Result<std::optional<std::string>> {
    if (path == "secret.wsa") return isa::fail("permission denied");
    const auto file = golden.files.find(path);
    if (file == golden.files.end()) return std::nullopt;
    return file->second;
  };
  const std::string profile = golden.profile.empty() ? "wse2" : golden.profile;
  const Options options{.overrides = golden.values,
                        .profile = *isa::find_profile(profile),
                        .path = golden.name(),
                        .include_folders = {"lib"},
                        .load = load};
  return assemble({golden.name(), golden.source}, options);
}

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

// Whether the diagnostic with that index is said again of the same place.
bool is_repeated(const isa::Diagnostic& diagnostic, const Output& second) {
  return std::ranges::any_of(second.diagnostics, [&](const isa::Diagnostic& other) {
    return other.code == diagnostic.code && other.where.file == diagnostic.where.file &&
           other.where.line == diagnostic.where.line && other.message == diagnostic.message;
  });
}

// Text that a help proposes is written, alone, and the program is assembled again.
TEST(Remedies, DoWhatTheySay) {
  std::size_t tried = 0;
  for (const GoldenProgram& golden : wrong_programs()) {
    const Output output = assemble_golden(golden);
    for (const Remedy& remedy : output.remedies) {
      const isa::Diagnostic& diagnostic = output.diagnostics[remedy.diagnostic];
      EXPECT_EQ(diagnostic.help, remedy.help);
      if (remedy.edit.where.file != 0) continue;  // of the command line, or of a file beside it
      GoldenProgram changed = golden;
      changed.source = with_edit(golden.source, remedy.edit);
      const Output second = assemble_golden(changed);
      EXPECT_FALSE(is_repeated(diagnostic, second))
          << golden.name() << ":" << diagnostic.where.line << ": " << diagnostic.message
          << "\nhelp: " << remedy.help << "\n"
          << isa::to_text(second.diagnostics, second.files);
      ++tried;
    }
  }
  EXPECT_GT(tried, 30u);
}

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
