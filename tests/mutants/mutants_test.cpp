// Every planted error of isa/support/mutants.def must be caught by the test that its row names;
// without any, all tests of the judges (test executables) pass. A judge that crashes counts as
// failing. Of random sequences two suffice. The suite OfEachKind has the first error of each kind,
// the suite Others the rest.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

struct Row {
  std::string_view kind;
  const char* text;
  const char* caught_by;
  const char* meaning;
};

constexpr Row kMutants[] = {
#define MUTANT(kind, name, text, caught_by, meaning) {#kind, text, caught_by, meaning},
#include "isa/support/mutants.def"
#undef MUTANT
};

// True if the tests of all judges that match `filter` pass with the named error planted ("" for
// none).
bool judges_pass(const std::string& mutant, const std::string& filter) {
  std::istringstream judges(WSE_JUDGES);
  for (std::string judge; judges >> judge;) {
    const std::string command = fmt::format(
        "WSE_MUTANT={} WSE_SEQUENCES=2 timeout 300 {} --gtest_fail_fast --gtest_filter='{}' "
        ">/dev/null 2>&1",
        mutant, judge, filter);
    if (std::system(command.c_str()) != 0) return false;
  }
  return true;
}

class PlantedError : public testing::TestWithParam<Row> {};

TEST_P(PlantedError, IsCaught) {
  EXPECT_FALSE(judges_pass(GetParam().text, GetParam().caught_by))
      << GetParam().caught_by << " did not notice: " << GetParam().meaning;
}

// The rows that are the first of their kind, or the rows that are not.
std::vector<Row> rows(bool first_of_kind) {
  std::vector<Row> chosen;
  std::string_view kind;
  for (const Row& row : kMutants) {
    if ((row.kind != kind) == first_of_kind) chosen.push_back(row);
    kind = row.kind;
  }
  return chosen;
}

std::string test_name(const testing::TestParamInfo<Row>& info) {
  std::string name = info.param.text;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
}

INSTANTIATE_TEST_SUITE_P(OfEachKind, PlantedError, testing::ValuesIn(rows(true)), test_name);
INSTANTIATE_TEST_SUITE_P(Others, PlantedError, testing::ValuesIn(rows(false)), test_name);

TEST(PlantedErrors, NoneMeansThatAllPass) { EXPECT_TRUE(judges_pass("", "*")); }

}  // namespace
