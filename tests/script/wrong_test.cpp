// What is a user told who made a mistake? Every script of wrong/ fails. A block at its end holds
// the message, each line as a comment; it is no part of the script that runs:
//
//     --- expect
//     --- a line of the message
//
// WSE_BLESS=1 rewrites the block; read the difference before committing it. Must never accept a
// script that ends well.
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

constexpr std::string_view kExpect = "--- expect\n";
constexpr std::string_view kLine = "--- ";

struct WrongScript {
  std::string text;      // that runs
  std::string expected;  // "" without a block
};

WrongScript read_script(const fs::path& path) {
  const std::string whole = test_support::read_text(path);
  const std::size_t block = whole.find(kExpect);
  if (block == std::string::npos) return {whole, ""};
  WrongScript script{whole.substr(0, block), ""};
  for (const std::string& line : test_support::split_lines(whole.substr(block + kExpect.size()))) {
    script.expected += line.substr(std::min(line.size(), kLine.size())) + "\n";
  }
  return script;
}

std::string with_block(const WrongScript& script, const std::string& message) {
  std::string whole = script.text + std::string(kExpect);
  for (const std::string& line : test_support::split_lines(message)) {
    whole += line.empty() ? "---\n" : std::string(kLine) + line + "\n";
  }
  return whole;
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
  const fs::path path = kFolder / (GetParam() + ".lua");
  const WrongScript script = read_script(path);
  Options options = test_options();
  options.file = GetParam() + ".lua";
  options.path = path.string();
  options.arguments = {{"size", "large"}};
  const Ran ran = run_text(script.text, options);
  EXPECT_NE(ran.result.ending, Ending::Fine) << "nothing is wrong with it";
  const std::string message = without_checkout(ran.result.message) + "\n";
  if (test_support::is_blessing()) {
    test_support::write_text(path, with_block(script, message));
  } else {
    EXPECT_EQ(message, script.expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Scripts, Wrong, testing::ValuesIn(names()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace wse::script
