// Reads the text files of a checkout and applies every rule.
// Must never hold a rule itself: lint.h says which file has which.
#include "tests/lint/lint.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <tuple>

#include "tests/support/files.h"

namespace wse::lint {
namespace {

constexpr std::array<std::string_view, 5> kCppEndings = {".h", ".cpp", ".def", ".rl", ".inc"};
constexpr std::array<std::string_view, 8> kTextEndings = {".lua", ".wsa", ".sh",   ".py",
                                                          ".md",  ".txt", ".json", ".cmake"};

bool ends_with_any(std::string_view path, auto endings) {
  return std::ranges::any_of(endings, [&](std::string_view end) { return path.ends_with(end); });
}

}  // namespace

bool is_word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

bool is_cpp(const std::string& path) { return ends_with_any(path, kCppEndings); }

std::vector<TextFile> read_tree(const std::filesystem::path& root) {
  std::vector<TextFile> files;
  for (const auto& path : test_support::project_files(root)) {
    const std::string name = path.generic_string();
    if (!is_cpp(name) && !ends_with_any(name, kTextEndings) && name != "dev") continue;
    files.push_back({name, test_support::split_lines(test_support::read_text(root / path))});
  }
  return files;
}

Violations lint_tree(const std::filesystem::path& root) {
  const std::vector<TextFile> files = read_tree(root);
  Violations violations;
  check_tree(root, violations);
  for (const TextFile& file : files) {
    check_text(file, violations);
    check_reserved(file, violations);
    check_classes(file, violations);
  }
  check_comments(files, violations);
  check_pages(files, violations);
  check_layers(files, violations);
  check_lua_layers(files, violations);
  std::ranges::stable_sort(violations, {}, [](const Violation& violation) {
    return std::tie(violation.file, violation.line);
  });
  return violations;
}

}  // namespace wse::lint
