// What is a user told who made a mistake? Every script of wrong/ fails; the .txt beside it holds
// the message. WSE_BLESS=1 rewrites it; read the difference before committing it.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/script/script_support.h"
#include "tests/support/files.h"
#include "tests/support/golden.h"

namespace wse::script {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(WSE_SOURCE_DIR) / "tests/script/wrong";

std::vector<std::string> names() {
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".lua") found.push_back(entry.path().stem().string());
  }
  std::ranges::sort(found);
  return found;
}

// Messages may name folders of the checkout.
std::string without_checkout(std::string text) {
  const std::string checkout = WSE_SOURCE_DIR;
  for (std::size_t at = text.find(checkout); at != std::string::npos; at = text.find(checkout)) {
    text.replace(at, checkout.size(), "CHECKOUT");
  }
  return text;
}

class Wrong : public testing::TestWithParam<std::string> {};

TEST_P(Wrong, IsExplained) {
  const fs::path script = kFolder / (GetParam() + ".lua");
  Options options = test_options();
  options.file = GetParam() + ".lua";
  options.path = script.string();
  options.arguments = {{"size", "large"}};
  const Ran ran = run_text(test_support::read_text(script), options);
  EXPECT_NE(ran.outcome.ending, Ending::Fine) << "nothing is wrong with it";
  const fs::path golden = kFolder / (GetParam() + ".txt");
  EXPECT_EQ(test_support::compare_with_golden(golden, without_checkout(ran.outcome.message) + "\n"),
            "");
}

INSTANTIATE_TEST_SUITE_P(Scripts, Wrong, testing::ValuesIn(names()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace wse::script
