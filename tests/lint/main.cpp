// lint ROOT: prints `file:line: message` for every rule that the checkout breaks.
// lint ROOT FOLDER: prints how many sentences of comments without a subject each file below has.
// Exit code: 0 clean, 1 something found, 2 wrong usage.
// Must never do more than ask lint.h and print.
#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "tests/lint/lint.h"

namespace {

int count_headless(const char* root, std::string folder) {
  if (!folder.ends_with('/')) folder += '/';
  std::size_t all = 0;
  for (const wse::lint::TextFile& file : wse::lint::read_tree(root)) {
    if (!file.path.starts_with(folder)) continue;
    const std::size_t found = wse::lint::headless_sentences(file);
    if (found > 0) fmt::print("{:5} {}\n", found, file.path);
    all += found;
  }
  fmt::print("{:5} in all\n", all);
  return all == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3 || !std::filesystem::is_directory(argv[1])) {
    fmt::print(stderr, "usage: lint ROOT [FOLDER]\n");
    return 2;
  }
  if (argc == 3) return count_headless(argv[1], argv[2]);
  const auto violations = wse::lint::lint_tree(argv[1]);
  for (const auto& violation : violations) {
    fmt::print("{}:{}: {}\n", violation.file, violation.line, violation.message);
  }
  return violations.empty() ? 0 : 1;
}
