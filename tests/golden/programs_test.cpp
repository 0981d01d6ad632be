// Every program of programs/: what it prints and counts on each profile, to the cycle, is in
// programs/NAME/NAME.golden. Also: its image, disassembled, assembles to the same image again; and
// programs that move data keep their expectations in other sizes, the smallest among them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "asm/assembler.h"
#include "tests/golden/program_runs.h"
#include "tests/support/files.h"
#include "tests/support/golden.h"
#include "tests/support/simulation.h"

namespace {

namespace fs = std::filesystem;
using namespace wse;
using golden::kPrograms;
using golden::program_names;
using golden::run_text;
using golden::stable_text;

constexpr const char* kProfiles[] = {"model", "wse2", "wse3"};  // in the order of the goldens

// What the machine does not have of a program; empty if it has all.
std::string refusal_of(const std::string& name, const std::string& profile) {
  return test_support::refusal(test_support::program_text(name), {.profile = profile},
                               name + ".wsa");
}

class Program : public testing::TestWithParam<std::string> {};

TEST_P(Program, PrintsItsGoldenAndKeepsItsExpectations) {
  std::string text;
  for (const char* profile : kProfiles) text += run_text(GetParam(), profile);
  const fs::path golden = kPrograms / GetParam() / (GetParam() + ".golden");
  EXPECT_EQ(test_support::compare_with_golden(golden, text), "");
}

TEST_P(Program, CountsTheSameWithATrace) {
  if (GetParam() == "heat") return;  // a trace of millions of lines; what it does, smaller ones do
  const auto run = [](bool trace) {
    return test_support::simulate_program(GetParam(), {.profile = "wse2", .trace = trace}).record;
  };
  EXPECT_EQ(stable_text(run(true)), stable_text(run(false)));
}

TEST(Programs, RunOnEveryMachine) {
  for (const std::string& name : program_names()) {
    for (const char* profile : kProfiles) EXPECT_EQ(refusal_of(name, profile), "") << profile;
  }
}

// One run of a program per line: values as on the command line.
struct Sizes {
  const char* program;
  std::vector<test_support::Values> values;
};

const Sizes kSizes[] = {
    {"reduce-star", {{{"P", "2"}, {"B", "1"}}, {{"P", "3"}, {"B", "50"}}, {{"P", "64"}}}},
    {"reduce-tree", {{{"P", "2"}, {"B", "1"}}, {{"P", "4"}, {"B", "50"}}, {{"P", "128"}}}},
    {"reduce-two-phase",
     {{{"P", "4"}, {"S", "2"}, {"B", "1"}}, {{"P", "15"}, {"S", "5"}, {"B", "50"}}, {{"P", "64"}}}},
    {"gemv",
     {{{"W", "2"}, {"H", "2"}, {"M", "1"}, {"N", "1"}},
      {{"W", "5"}, {"H", "2"}, {"M", "3"}, {"N", "30"}},
      {{"W", "16"}, {"H", "20"}}}},
    {"spmv-grid",
     {{{"W", "2"}, {"H", "1"}, {"M", "1"}, {"N", "1"}, {"K", "1"}},
      {{"W", "5"}, {"H", "7"}, {"M", "9"}, {"N", "7"}, {"K", "5"}}}},
    {"cholesky", {{{"P", "1"}}, {{"P", "2"}}, {{"P", "13"}}}},
    {"fft-vectors",
     {{{"LOG2_N", "2"}, {"F16", "1"}}, {{"LOG2_N", "5"}, {"P", "1"}}, {{"LOG2_N", "9"}}}},
    {"fft-2d", {{{"LOG2_P", "1"}}, {{"LOG2_P", "3"}}}},
    {"one-colour-allreduce",
     {{{"W", "2"}, {"H", "2"}, {"B", "1"}}, {{"W", "5"}, {"H", "2"}}, {{"W", "9"}, {"H", "20"}}}},
    {"overlap", {{{"W", "2"}, {"N", "1"}}, {{"W", "3"}, {"N", "100"}}, {{"W", "10"}}}},
    {"star",
     {{{"W", "1"}, {"H", "1"}, {"N", "12"}, {"R", "7"}},
      {{"W", "5"}, {"H", "3"}, {"N", "9"}, {"R", "1"}, {"STEPS", "9"}},
      {{"W", "3"}, {"H", "4"}, {"N", "7"}, {"R", "7"}, {"STEPS", "1"}}}},
    {"life",
     {{{"W", "1"}, {"H", "1"}, {"N", "12"}, {"T", "25"}},
      {{"W", "9"}, {"H", "5"}, {"N", "2"}, {"T", "22"}},
      {{"W", "11"}, {"H", "14"}, {"N", "1"}, {"T", "27"}}}},
};

TEST(Programs, KeepTheirExpectationsInOtherSizes) {
  for (const Sizes& sizes : kSizes) {
    for (const test_support::Values& values : sizes.values) {
      for (const char* profile : kProfiles) {
        SCOPED_TRACE(std::string(sizes.program) + " " + values[0].first + "=" + values[0].second +
                     " on " + profile);
        const auto simulation =
            test_support::simulate_program(sizes.program, {.values = values, .profile = profile});
        EXPECT_EQ(simulation.record.status, vm::RunStatus::Halted) << simulation.record.message;
        for (const std::string& failure : simulation.failed_expectations) ADD_FAILURE() << failure;
      }
    }
  }
}

std::optional<isa::Image> assemble_text(const std::string& name, const std::string& text) {
  const isa::Profile profile = *isa::find_profile("wse2");
  assembler::Output output =
      assembler::assemble({name, text}, {.overrides = {}, .profile = profile});
  EXPECT_TRUE(output.image.has_value()) << isa::to_text(output.diagnostics, output.files);
  return std::move(output.image);
}

TEST_P(Program, SurvivesDisassembly) {
  for (const auto& entry : fs::directory_iterator(kPrograms / GetParam())) {
    if (entry.path().extension() != ".wsa") continue;
    const auto image =
        assemble_text(entry.path().filename().string(), test_support::read_text(entry.path()));
    ASSERT_TRUE(image);
    const std::string text = isa::disassemble(*image);
    const auto again = assemble_text("again.wsa", text);
    ASSERT_TRUE(again) << text;
    EXPECT_EQ(isa::write_image(*image), isa::write_image(*again)) << text;
    const auto read_back = isa::read_image(isa::write_image(*image));
    ASSERT_TRUE(read_back) << read_back.error();
    EXPECT_EQ(isa::disassemble(*read_back), text);
  }
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Programs, Program, testing::ValuesIn(program_names()), test_name);

}  // namespace
