// Wrong programs and what the assembler says about them: tests/golden/wrong/*.wsa. Each file ends
// with a block `;;; expect` that holds the whole output; lines `;;; with NAME=VALUE` before it are
// the command line. WSE_BLESS=1 rewrites the blocks; read the difference before committing it.
// Must never accept a program without errors here.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "asm/assembler.h"
#include "tests/support/files.h"

namespace wse::assembler {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kWith = ";;; with ";
constexpr std::string_view kExpect = ";;; expect";

const fs::path kFolder = fs::path(WSE_SOURCE_DIR) / "tests" / "golden" / "wrong";

struct Golden {
  std::string source;  // the whole file: the block is comments
  std::string head;    // the file up to the block
  std::vector<std::pair<std::string, std::string>> overrides;
  std::string expected;
};

Golden read_golden(const fs::path& path) {
  Golden golden{
      .source = test_support::read_text(path), .head = {}, .overrides = {}, .expected = {}};
  bool in_block = false;
  for (const std::string& line : test_support::split_lines(golden.source)) {
    if (in_block) {
      golden.expected += line.substr(std::min<std::size_t>(line.size(), 4)) + "\n";
      continue;
    }
    golden.head += line + "\n";
    in_block = line == kExpect;
    if (!line.starts_with(kWith)) continue;
    const std::string given = line.substr(kWith.size());
    const std::size_t equals = std::min(given.find('='), given.size());
    golden.overrides.emplace_back(given.substr(0, equals),
                                  given.substr(std::min(equals + 1, given.size())));
  }
  return golden;
}

Output assemble_golden(const fs::path& path, const Golden& golden) {
  const Options options{.overrides = golden.overrides, .profile = *isa::find_profile("wse2")};
  return assemble({path.filename().string(), golden.source}, options);
}

void bless(const fs::path& path, const Golden& golden, const std::string& actual) {
  std::string text = golden.head;
  for (const std::string& line : test_support::split_lines(actual)) {
    text += line.empty() ? ";;;\n" : fmt::format(";;; {}\n", line);
  }
  test_support::write_text(path, text);
}

std::vector<fs::path> wrong_programs() {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(kFolder)) paths.push_back(entry.path());
  std::ranges::sort(paths);
  return paths;
}

class WrongProgram : public testing::TestWithParam<fs::path> {};

TEST_P(WrongProgram, IsExplained) {
  const Golden golden = read_golden(GetParam());
  const Output output = assemble_golden(GetParam(), golden);
  EXPECT_FALSE(output.image.has_value());
  const std::string actual = isa::to_text(output.diagnostics, output.files);
  if (std::getenv("WSE_BLESS") != nullptr) return bless(GetParam(), golden, actual);
  EXPECT_EQ(actual, golden.expected);
}

INSTANTIATE_TEST_SUITE_P(All, WrongProgram, testing::ValuesIn(wrong_programs()),
                         [](const auto& test) { return test.param.stem().string(); });

// A row of the table that nothing produces is untested or dead.
TEST(Diagnostics, EveryRowHasAWrongProgram) {
  const std::set<std::string> elsewhere = {"E001"};  // a source of 16 MB: asm_robustness_test
  std::set<std::string> seen = elsewhere;
  for (const fs::path& path : wrong_programs()) {
    const Output output = assemble_golden(path, read_golden(path));
    for (const isa::Diagnostic& diagnostic : output.diagnostics) seen.insert(diagnostic.code);
  }
  constexpr std::string_view kCodes[] = {
#define DIAGNOSTIC(name, code, ...) code,
#define NOTE(...)
#include "asm/diagnostics.def"
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
