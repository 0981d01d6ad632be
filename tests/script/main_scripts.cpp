// The table of scripts that people run.
#include "tests/script/main_scripts.h"

#include <filesystem>
#include <ranges>

#include "tests/script/script_support.h"
#include "tests/support/files.h"

namespace wse::script {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostCycles = 100'000;
constexpr std::uint64_t kMostInstructions = 200'000'000;

const fs::path kScripts = fs::path(WSE_SOURCE_DIR) / "scripts";
const fs::path kTable = fs::path(WSE_SOURCE_DIR) / "tests/script/main_scripts.txt";

// An indented line belongs to the script above it.
std::vector<MainScript> read_table() {
  std::vector<MainScript> scripts;
  for (const std::string& line : test_support::split_lines(test_support::read_text(kTable))) {
    if (line.empty() || line.starts_with('#')) continue;
    if (!line.starts_with("  ")) {
      const std::size_t blank = line.find(' ');
      scripts.push_back({line.substr(blank + 1), line.substr(0, blank), "", {}});
      continue;
    }
    const std::string arguments = line == "  -" ? "" : line.substr(2);
    scripts.back().smallest.push_back(arguments);
  }
  for (MainScript& script : scripts) {
    script.small = script.smallest.front();
    script.smallest.erase(script.smallest.begin());
  }
  return scripts;
}

}  // namespace

void PrintTo(const MainScript& script, std::ostream* out) { *out << script.file; }

const std::vector<MainScript>& main_scripts() {
  static const std::vector<MainScript> scripts = read_table();
  return scripts;
}

std::vector<std::pair<std::string, std::string>> arguments_of(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> arguments;
  for (const auto part : text | std::views::split(' ')) {
    const std::string word(part.begin(), part.end());
    const std::size_t equals = word.find('=');
    if (equals != std::string::npos)
      arguments.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  }
  return arguments;
}

std::string text_of(const MainScript& script) {
  return test_support::read_text(kScripts / script.file);
}

Options options_of(const MainScript& script) {
  Options options = command_options(kScripts / script.file);
  options.defaults.max_cycles = kMostCycles;
  options.threads = 1;
  options.limits.memory_bytes = std::uint64_t{512} << 20;
  options.limits.instructions = kMostInstructions;
  return options;
}

}  // namespace wse::script
