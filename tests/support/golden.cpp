// Compares a text with its golden, line by line.
// Must never print more of a long difference than a person reads.
#include "tests/support/golden.h"

#include <algorithm>
#include <cstdlib>

#include "tests/support/files.h"

namespace wse::test_support {
namespace {

constexpr size_t kShownLines = 5;

}  // namespace

bool is_blessing() {
  const char* const value = std::getenv("WSE_BLESS");
  return value != nullptr && std::string_view(value) == "1";
}

std::string compare_with_golden(const std::filesystem::path& golden, std::string_view actual) {
  if (is_blessing()) write_text(golden, actual);
  const std::string expected = read_text(golden);
  if (expected == actual) return {};
  if (!std::filesystem::exists(golden))
    return golden.string() + ": no golden; WSE_BLESS=1 makes one\n";
  const auto before = split_lines(expected);
  const auto after = split_lines(actual);
  const auto [first, other] = std::ranges::mismatch(before, after);
  const auto line = static_cast<size_t>(first - before.begin());
  std::string text = golden.string() + ":" + std::to_string(line + 1) + ": differs from here on\n";
  for (size_t i = line; i < std::min(before.size(), line + kShownLines); ++i)
    text += "-" + before[i] + "\n";
  for (size_t i = line; i < std::min(after.size(), line + kShownLines); ++i)
    text += "+" + after[i] + "\n";
  return text;
}

}  // namespace wse::test_support
