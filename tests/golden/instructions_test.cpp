// Every row of the instruction table is executed by a program: those of programs/ and those of
// tests/golden/instructions, one for each chapter of the table, whose .expect lines are written by
// hand. A row that no program executes fails here, and is named.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "asm/assembler.h"
#include "isa/instruction/codec.h"
#include "tests/support/engine.h"
#include "tests/support/files.h"
#include "tests/support/simulation.h"

namespace wse {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = WSE_SOURCE_DIR;
const fs::path kChapters = kSource / "tests/golden/instructions";

std::vector<fs::path> programs_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".wsa") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

constexpr std::string_view kOfWse2 = "descriptor_colour.wsa";  // WSE-3 does not have what it does

class Chapter : public testing::TestWithParam<fs::path> {};

TEST_P(Chapter, KeepsItsExpectations) {
  for (const std::string& profile : isa::profile_names()) {
    const std::string text = test_support::read_text(GetParam());
    const std::string name = GetParam().filename().string();
    const std::string refused = test_support::refusal(text, {.profile = profile}, name);
    EXPECT_EQ(refused.empty(), profile != "wse3" || name != kOfWse2) << refused;
    if (!refused.empty()) continue;
    const test_support::Simulation s = test_support::simulate(text, {.profile = profile}, name);
    EXPECT_EQ(s.record.status, vm::RunStatus::Halted) << s.record.message;
    EXPECT_FALSE(s.machine->image().expectations.empty()) << "nothing is expected";
    for (const std::string& failure : s.failed_expectations) ADD_FAILURE() << failure;
  }
}

INSTANTIATE_TEST_SUITE_P(Instructions, Chapter, testing::ValuesIn(programs_in(kChapters)),
                         [](const auto& file) { return file.param.stem().string(); });

// The same image with a division by zero, which has one word, in the place of every word of that
// row's instructions; false if it has none.
bool plant(isa::Image& image, isa::Op op) {
  isa::Instruction division{.op = isa::Op::DivideSigned32};
  division.scalar_kind = static_cast<std::uint32_t>(isa::ScalarKind::Immediate);
  std::vector<std::uint32_t> never;
  isa::encode(division, never);
  bool planted = false;
  for (isa::Program& program : image.programs) {
    for (std::size_t pc = 0; pc < program.code.size();) {
      const isa::Op here = isa::decode(std::span(program.code).subspan(pc))->op;
      const std::size_t next = pc + isa::info(here).words();
      if (here == op) {
        std::fill(program.code.begin() + static_cast<std::ptrdiff_t>(pc),
                  program.code.begin() + static_cast<std::ptrdiff_t>(next), never[0]);
        planted = true;
      }
      pc = next;
    }
  }
  return planted;
}

// Whether a run of the program gets to an instruction of that row.
bool executes(const isa::Image& program, isa::Op op) {
  isa::Image image = program;
  if (!plant(image, op)) return false;
  auto machine = vm::Machine::create(std::move(image), *isa::find_profile("model"),
                                     test_support::test_machine());
  if (!machine) return false;
  vm::RunOptions options;
  options.max_cycles = 1'000'000;
  return (*machine)->run(options).status == vm::RunStatus::Trap;
}

std::set<isa::Op> executed_by(const fs::path& file, const std::set<isa::Op>& wanted) {
  assembler::Output output =
      assembler::assemble({file.filename().string(), test_support::read_text(file)},
                          {.overrides = {}, .profile = *isa::find_profile("model")});
  std::set<isa::Op> executed;
  if (!output.image) return executed;  // a part of another program
  for (const isa::Op op : wanted) {
    if (executes(*output.image, op)) executed.insert(op);
  }
  return executed;
}

TEST(Instructions, EveryRowIsExecutedByAProgram) {
  std::set<isa::Op> missing;
  for (const isa::InstructionInfo& row : isa::kInstructions) missing.insert(row.op);
  for (const fs::path& folder : {kChapters, kSource / "programs"}) {
    for (const fs::path& file : programs_in(folder)) {
      for (const isa::Op op : executed_by(file, missing)) missing.erase(op);
    }
  }
  for (const isa::Op op : missing) {
    const isa::InstructionInfo& row = isa::info(op);
    ADD_FAILURE() << row.name << " (" << row.mnemonic
                  << ") is executed by no program: add a line, and what it must give, to one of "
                     "tests/golden/instructions";
  }
}

}  // namespace
}  // namespace wse
