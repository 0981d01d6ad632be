// Every planted error of isa/support/mutants.def must be caught by the test that its row names;
// without any, all tests of the judges (test executables) pass. A judge that crashes counts as
// failing. Of random sequences two suffice. The oracle is a judge too: `differential` compares the
// machine with it. The suite OfEachKind has the first error of each kind, the suite Others the
// rest.
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

constexpr std::string_view kOracle = "differential ";  // then the words that it is called with
constexpr const char* kOracleProgramsForAll = "1 100 wse2";

// Runs a judge with the named error planted ("" for none).
bool passes(const std::string& mutant, const std::string& command) {
  const std::string whole =
      fmt::format("WSE_MUTANT={} WSE_SEQUENCES=2 timeout 300 {} >/dev/null 2>&1", mutant, command);
  return std::system(whole.c_str()) == 0;
}

bool oracle_agrees(const std::string& mutant, std::string_view programs) {
  return passes(mutant, fmt::format("{} {}", WSE_ORACLE_JUDGE, programs));
}

// What `./dev test` builds for the first of each kind is without the oracle.
constexpr bool oracle_is_no_first_judge() {
  std::string_view kind;
  for (const Row& row : kMutants) {
    if (row.kind != kind && std::string_view(row.caught_by).starts_with(kOracle)) return false;
    kind = row.kind;
  }
  return true;
}
static_assert(oracle_is_no_first_judge(), "another row of the kind must be the first");

// True if the tests of all judges that match `filter` pass.
bool tests_pass(const std::string& mutant, std::string_view filter) {
  std::istringstream judges(WSE_JUDGES);
  for (std::string judge; judges >> judge;) {
    const std::string command =
        fmt::format("{} --gtest_fail_fast --gtest_filter='{}'", judge, filter);
    if (!passes(mutant, command)) return false;
  }
  return true;
}

bool is_caught(const Row& row) {
  const std::string_view by = row.caught_by;
  if (by.starts_with(kOracle)) return !oracle_agrees(row.text, by.substr(kOracle.size()));
  return !tests_pass(row.text, by);
}

class PlantedError : public testing::TestWithParam<Row> {};

TEST_P(PlantedError, IsCaught) {
  EXPECT_TRUE(is_caught(GetParam()))
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

TEST(PlantedErrors, NoneMeansThatAllPass) {
  EXPECT_TRUE(tests_pass("", "*"));
  EXPECT_TRUE(oracle_agrees("", kOracleProgramsForAll));
}

}  // namespace
