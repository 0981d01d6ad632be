// The list of cases in tests/README.md names every test of this area, each once, and no other.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/faults/faults.h"

namespace wse::faults {
namespace {

constexpr std::size_t kLeastCases = 60;

// "Suite.Case" of all tests; one with parameters counts once.
std::set<std::string> registered() {
  std::set<std::string> names;
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  for (int s = 0; s < all.total_test_suite_count(); ++s) {
    const testing::TestSuite& suite = *all.GetTestSuite(s);
    const std::string suite_name = suite.name();
    if (suite_name == "TheList") continue;
    for (int t = 0; t < suite.total_test_count(); ++t) {
      const std::string name = suite.GetTestInfo(t)->name();
      names.insert(suite_name + "." + name.substr(0, name.find('/')));
    }
  }
  return names;
}

// The last cells of the rows "| 7 | what | Suite.Case |", in order.
std::vector<std::string> listed() {
  std::vector<std::string> names;
  const fs::path readme = fs::path(WSE_SOURCE_DIR) / "tests" / "README.md";
  for (const std::string& line : test_support::split_lines(test_support::read_text(readme))) {
    const std::string start = "| " + std::to_string(names.size() + 1) + " | ";
    if (!line.starts_with(start)) continue;
    const std::size_t end = line.rfind(" |");
    const std::size_t begin = line.rfind("| ", end - 1) + 2;
    names.push_back(line.substr(begin, end - begin));
  }
  return names;
}

TEST(TheList, NamesEveryTestOnce) {
  const std::vector<std::string> names = listed();
  EXPECT_GE(names.size(), kLeastCases);
  const std::set<std::string> distinct(names.begin(), names.end());
  EXPECT_EQ(distinct.size(), names.size());
  EXPECT_EQ(distinct, registered());
}

}  // namespace
}  // namespace wse::faults
