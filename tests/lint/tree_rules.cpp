// What the checkout looks like from above: the names at its top, and a README in each folder people
// enter. Must never look into ignored folders.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "tests/lint/lint.h"
#include "tests/support/files.h"

namespace wse::lint {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 14> kTopLevel = {"CHANGELOG.md",
                                                        "CMakeLists.txt",
                                                        "CMakePresets.json",
                                                        "LICENSE",
                                                        "README.md",
                                                        "asm",
                                                        "dev",
                                                        "isa",
                                                        "jit",
                                                        "programs",
                                                        "ranks",
                                                        "scripts",
                                                        "tests",
                                                        "vm"};

constexpr std::array<std::string_view, 12> kFoldersWithReadme = {
    "isa", "asm",   "vm",      "vm/cli",       "vm/front", "vm/library",
    "jit", "ranks", "scripts", "scripts/host", "programs", "tests"};

void want_readme(const fs::path& root, const fs::path& folder, Violations& violations) {
  if (!fs::is_directory(root / folder) || fs::exists(root / folder / "README.md")) return;
  violations.push_back({folder.generic_string(), 1, "a folder without README.md"});
}

}  // namespace

void check_tree(const fs::path& root, Violations& violations) {
  for (const std::string& name : test_support::top_level_names(root)) {
    if (std::ranges::find(kTopLevel, name) != kTopLevel.end()) continue;
    violations.push_back({name, 1, "has no place at the top of the checkout"});
  }
  for (const std::string_view folder : kFoldersWithReadme) want_readme(root, folder, violations);
  if (!fs::is_directory(root / "programs")) return;
  for (const auto& entry : fs::directory_iterator(root / "programs")) {
    if (entry.is_directory()) {
      want_readme(root, entry.path().lexically_relative(root), violations);
    }
  }
}

}  // namespace wse::lint
