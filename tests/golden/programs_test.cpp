// Every program of programs/: what it prints and counts on each profile, to the cycle, stands in
// programs/NAME/NAME.golden. Also: its image, disassembled, assembles to the same image again.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "asm/assembler.h"
#include "tests/support/files.h"
#include "tests/support/golden.h"
#include "tests/support/simulation.h"
#include "vm/cli/reports.h"

namespace {

namespace fs = std::filesystem;
using namespace wse;

const fs::path kPrograms = fs::path(WSE_SOURCE_DIR) / "programs";

std::vector<std::string> program_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kPrograms)) {
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

// The record for people, less its wall time.
std::string stable_text(const vm::Record& record) {
  const std::string text = cli::record_text(record);
  return text.substr(0, text.find("wall time"));
}

std::string run_text(const std::string& name, const std::string& profile) {
  const test_support::Simulation simulation =
      test_support::simulate_program(name, {.profile = profile});
  std::string text =
      fmt::format("== {} on {}: {}\n", name, profile, vm::text(simulation.record.status));
  if (!simulation.record.message.empty()) text += simulation.record.message + "\n";
  for (const std::string& line : simulation.printed) text += line + "\n";
  for (const std::string& failure : simulation.failed_expectations) text += failure + "\n";
  return text + stable_text(simulation.record);
}

class Program : public testing::TestWithParam<std::string> {};

TEST_P(Program, PrintsItsGolden) {
  const std::string text = run_text(GetParam(), "model") + run_text(GetParam(), "wse2");
  const fs::path golden = kPrograms / GetParam() / (GetParam() + ".golden");
  EXPECT_EQ(test_support::compare_with_golden(golden, text), "");
}

TEST_P(Program, KeepsItsOwnExpectations) {
  for (const char* profile : {"model", "wse2"}) {
    const auto simulation = test_support::simulate_program(GetParam(), {.profile = profile});
    EXPECT_EQ(simulation.record.status, vm::RunStatus::Halted) << simulation.record.message;
    for (const std::string& failure : simulation.failed_expectations) ADD_FAILURE() << failure;
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
