// Programs that are slow for a reason each, and what their profiles say of it: findings.txt is read
// as somebody would who does not know the program.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "asm/assembler.h"
#include "isa/support/diagnostics.h"
#include "tests/support/files.h"
#include "tests/support/golden.h"
#include "tests/support/simulation.h"
#include "vm/page/findings.h"
#include "vm/profile/collect.h"

namespace {

using namespace wse;
namespace fs = std::filesystem;

struct Case {
  const char* why;
  const char* file;  // below the checkout
  test_support::Values values = {};
};

// Causes first, then two that are slow by nobody's fault.
const std::vector<Case>& cases() {
  static const std::vector<Case> kCases = {
      {"two arrays in one bank", "tests/report/slow/bank.wsa"},
      {"two messages over one link", "tests/report/slow/full-link.wsa"},
      {"one PE with more work", "tests/report/slow/uneven.wsa"},
      {"a receiver that is slow", "tests/report/slow/slow-receiver.wsa"},
      {"vectors of two elements", "tests/report/slow/short-vectors.wsa"},
      {"a barrier that nobody needs", "tests/report/slow/barriers.wsa"},
      {"a star: one ramp for all",
       "programs/reduce-star/reduce-star.wsa",
       {{"P", "32"}, {"B", "64"}}},
      {"a tree of long vectors",
       "programs/reduce-tree/reduce-tree.wsa",
       {{"P", "32"}, {"B", "256"}}},
      {"a chain of one word: nobody's fault",
       "programs/reduce-chain/reduce-chain.wsa",
       {{"P", "32"}, {"B", "1"}}},
      {"the same work everywhere: nobody's fault", "tests/report/slow/even.wsa"},
  };
  return kCases;
}

std::string findings_of(const Case& of) {
  const isa::Profile machine_profile = *isa::find_profile("wse2");
  const fs::path path = fs::path(WSE_SOURCE_DIR) / of.file;
  assembler::Output output =
      assembler::assemble({path.filename(), test_support::read_text(path)},
                          {.overrides = of.values, .profile = machine_profile});
  EXPECT_TRUE(output.image) << of.file << "\n" << isa::to_text(output.diagnostics, output.files);
  if (!output.image) return {};
  const auto machine = *vm::Machine::create(std::move(*output.image), machine_profile, {});
  EXPECT_TRUE(machine->count_lines());
  const vm::Record record = machine->run({.profile = true});
  const auto profile = *vm::collect_profile(*machine, record, {of.file, of.values, &output.files});
  std::string text;
  for (const vm::Finding& finding : vm::find_findings(profile)) {
    text += fmt::format("  {}: {}\n", finding.rule, finding.text);
  }
  return text;
}

TEST(SlowPrograms, SayWhy) {
  std::string text;
  for (const Case& of : cases()) {
    text += fmt::format("{} ({})\n{}\n", of.why, of.file, findings_of(of));
  }
  EXPECT_EQ(test_support::compare_with_golden(
                fs::path(WSE_SOURCE_DIR) / "tests/report/findings.txt", text),
            "");
}

}  // namespace
