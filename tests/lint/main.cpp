// lint ROOT: prints `file:line: message` for every rule that the checkout breaks.
// Exit code: 0 clean, 1 something found, 2 wrong usage.
// Must never do more than call lint_tree() and print.
#include <fmt/format.h>

#include <filesystem>

#include "tests/lint/lint.h"

int main(int argc, char** argv) {
  if (argc != 2 || !std::filesystem::is_directory(argv[1])) {
    fmt::print(stderr, "usage: lint ROOT\n");
    return 2;
  }
  const auto violations = wse::lint::lint_tree(argv[1]);
  for (const auto& violation : violations) {
    fmt::print("{}:{}: {}\n", violation.file, violation.line, violation.message);
  }
  return violations.empty() ? 0 : 1;
}
