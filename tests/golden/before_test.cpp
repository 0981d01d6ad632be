// Do the machines of scripts/machines that are profiles with their former constants take the cycles
// that were told then? wse2-before.golden and wse3-before.golden hold what every program of that
// time printed and counted on the profile.
#include <gtest/gtest.h>

#include "tests/golden/program_runs.h"
#include "tests/support/files.h"
#include "tests/support/golden.h"

namespace wse::golden {
namespace {

// The programs of which the golden tells.
std::vector<std::string> programs_of(const std::string& golden) {
  std::vector<std::string> names;
  constexpr std::string_view kHead = "\n== ";
  const std::string text = "\n" + golden;
  for (std::size_t at = text.find(kHead); at != std::string::npos; at = text.find(kHead, at + 1)) {
    const std::size_t begin = at + kHead.size();
    names.push_back(text.substr(begin, text.find(' ', begin) - begin));
  }
  return names;
}

class Before : public testing::TestWithParam<std::string> {};

TEST_P(Before, EveryProgramTakesItsFormerCycles) {
  const std::filesystem::path golden =
      std::filesystem::path(WSE_SOURCE_DIR) / "tests/golden" / (GetParam() + ".golden");
  const std::vector<std::string> names = programs_of(test_support::read_text(golden));
  EXPECT_GT(names.size(), 40u);
  std::string text;
  for (const std::string& name : names) text += run_text(name, GetParam());
  EXPECT_EQ(test_support::compare_with_golden(golden, text), "");
}

INSTANTIATE_TEST_SUITE_P(Machines, Before, testing::Values("wse2-before", "wse3-before"),
                         [](const auto& parameter) { return parameter.param.substr(0, 4); });

}  // namespace
}  // namespace wse::golden
