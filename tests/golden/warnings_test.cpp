// What the assembler warns of. Programs that end well give no warning: those of programs/, the
// chapters of instructions/, the measured ones of fidelity/, and those of clean/, each of which
// does something that a hasty check would take for a mistake. failing/ gets the warnings of
// failing/warnings.golden.
//
// Must never accept a warning of a program that is right: a false one is worse than one that is
// missed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "asm/assembler.h"
#include "tests/support/files.h"
#include "tests/support/golden.h"
#include "tests/support/golden_block.h"
#include "vm/run/machine.h"

namespace wse {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = WSE_SOURCE_DIR;

std::vector<fs::path> programs_in(std::string_view folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(kSource / folder)) {
    if (entry.path().extension() == ".wsa") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

assembler::Output assemble_on(const std::string& profile, const std::string& name,
                              const std::string& text,
                              const std::map<std::string, std::string>& files = {}) {
  const auto load = [&files](const std::string& path) -> isa::Result<std::optional<std::string>> {
    const auto found = files.find(path);
    return found == files.end() ? std::nullopt : std::optional(found->second);
  };
  return assembler::assemble(
      {name, text}, {.overrides = {}, .profile = *isa::find_profile(profile), .load = load});
}

std::string codes_of(const isa::Diagnostics& diagnostics) {
  std::string codes;
  for (const isa::Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.severity == isa::Severity::Warning) codes += " " + diagnostic.code;
  }
  return codes;
}

class RightPrograms : public testing::TestWithParam<const char*> {};

TEST_P(RightPrograms, GiveNoWarning) {
  std::size_t programs = 0;
  for (const fs::path& path : programs_in(GetParam())) {
    for (const std::string& profile : isa::profile_names()) {
      const auto output = assemble_on(profile, path.filename(), test_support::read_text(path));
      if (!output.image) continue;  // a part of others, or not for this machine
      ++programs;
      EXPECT_EQ(isa::to_text(output.diagnostics, output.files), "") << "on " << profile;
    }
  }
  EXPECT_GT(programs, 2u);
}

INSTANTIATE_TEST_SUITE_P(Folders, RightPrograms,
                         testing::Values("programs", "tests/golden/instructions",
                                         "tests/fidelity/programs"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::ranges::replace(name, '/', '_');
                           return name;
                         });

using test_support::GoldenProgram;

class Clean : public testing::TestWithParam<GoldenProgram> {};

TEST_P(Clean, EndsWellWithoutAWarning) {
  const GoldenProgram& golden = GetParam();
  for (const std::string profile : {"wse2", "model"}) {
    assembler::Output output = assemble_on(profile, golden.name(), golden.source, golden.files);
    ASSERT_TRUE(output.image) << isa::to_text(output.diagnostics, output.files);
    EXPECT_EQ(isa::to_text(output.diagnostics, output.files), "");
    EXPECT_FALSE(output.image->expectations.empty()) << "nothing is expected";
    auto machine = vm::Machine::create(std::move(*output.image), *isa::find_profile(profile));
    ASSERT_TRUE(machine) << machine.error().message;
    const vm::Record record = (*machine)->run({});
    EXPECT_EQ(record.status, vm::RunStatus::Halted) << record.message;
    for (const std::string& failure : (*machine)->failed_expectations(record)) {
      ADD_FAILURE() << failure;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Clean,
                         testing::ValuesIn(test_support::golden_programs("golden/clean")),
                         [](const auto& test) { return test.param.path.stem().string(); });

// Hosts send as many words as they like.
TEST(StreamsWithoutALength, GiveNoWarningOfFewWords) {
  const auto codes = [](std::string_view count) {
    const std::string text = fmt::format(R"(.grid 1, 1
.colour red
.program p
  .f32 v[9]
  task main:
    fmovs v, fabin(red)
.place p at (0, 0)
.route red at (0, 0): west -> ramp
.stream numbers: f32{} at (0, 0): west -> red
)",
                                         count);
    return codes_of(assemble_on("wse2", "stream.wsa", text).diagnostics);
  };
  EXPECT_EQ(codes("[1]"), " E227");
  EXPECT_EQ(codes("[9]"), "");
  EXPECT_EQ(codes(""), "");
}

TEST(FailingPrograms, GiveTheirWarnings) {
  std::string text;
  for (const GoldenProgram& golden : test_support::golden_programs("golden/failing")) {
    const std::string profile = golden.profile.empty() ? "model" : golden.profile;
    const auto output = assemble_on(profile, golden.name(), golden.source);
    const std::string codes = codes_of(output.diagnostics);
    if (!codes.empty()) text += golden.name() + ":" + codes + "\n";
  }
  const fs::path golden = kSource / "tests/golden/failing/warnings.golden";
  EXPECT_EQ(test_support::compare_with_golden(golden, text), "");
}

}  // namespace
}  // namespace wse
