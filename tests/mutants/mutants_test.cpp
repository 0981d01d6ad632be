// Every planted error of isa/support/mutants.def must be caught: with it, one of the judges (test
// executables) fails; without any, all pass. A judge that crashes counts as failing.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace {

struct Row {
  const char* text;
  const char* meaning;
};

constexpr Row kMutants[] = {
#define MUTANT(name, text, meaning) {text, meaning},
#include "isa/support/mutants.def"
#undef MUTANT
};

// True if all judges pass with the named error planted ("" for none).
bool judges_pass(const std::string& mutant) {
  std::istringstream judges(WSE_JUDGES);
  for (std::string judge; judges >> judge;) {
    const std::string command = fmt::format(
        "WSE_MUTANT={} timeout 300 {} --gtest_fail_fast >/dev/null 2>&1", mutant, judge);
    if (std::system(command.c_str()) != 0) return false;
  }
  return true;
}

class PlantedError : public testing::TestWithParam<Row> {};

TEST_P(PlantedError, IsCaught) {
  EXPECT_FALSE(judges_pass(GetParam().text)) << "nobody noticed: " << GetParam().meaning;
}

std::string test_name(const testing::TestParamInfo<Row>& info) {
  std::string name = info.param.text;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
}

INSTANTIATE_TEST_SUITE_P(Mutants, PlantedError, testing::ValuesIn(kMutants), test_name);

TEST(PlantedErrors, NoneMeansThatAllPass) { EXPECT_TRUE(judges_pass("")); }

}  // namespace
