// Reads and rewrites the blocks.
#include "tests/support/golden_block.h"

#include <algorithm>

#include "tests/support/files.h"
#include "tests/support/golden.h"

namespace wse::test_support {
namespace {

constexpr std::string_view kWith = ";;; with ";
constexpr std::string_view kOn = ";;; on ";
constexpr std::string_view kFile = ";;; file ";
constexpr std::string_view kFileLine = ";;; | ";
constexpr std::string_view kExpect = ";;; expect";
constexpr std::string_view kLine = ";;; ";

GoldenProgram read_program(const std::filesystem::path& path) {
  GoldenProgram program{.path = path,
                        .source = read_text(path),
                        .values = {},
                        .profile = {},
                        .expected = {},
                        .files = {}};
  bool in_block = false;
  std::string file;
  for (const std::string& line : split_lines(program.source)) {
    if (in_block) program.expected += line.substr(std::min(line.size(), kLine.size())) + "\n";
    in_block |= line == kExpect;
    if (line.starts_with(kFile)) program.files[file = line.substr(kFile.size())];
    if (line.starts_with(kFileLine)) program.files[file] += line.substr(kFileLine.size()) + "\n";
    if (!in_block && line.starts_with(kOn)) program.profile = line.substr(kOn.size());
    if (in_block || !line.starts_with(kWith)) continue;
    const std::string given = line.substr(kWith.size());
    const std::size_t equals = std::min(given.find('='), given.size());
    program.values.emplace_back(given.substr(0, equals),
                                given.substr(std::min(equals + 1, given.size())));
  }
  return program;
}

void rewrite(const GoldenProgram& program, std::string_view actual) {
  std::string text = program.source.substr(0, program.source.find(kExpect));
  text += std::string(kExpect) + "\n";
  for (const std::string& line : split_lines(actual)) {
    text += line.empty() ? ";;;\n" : std::string(kLine) + line + "\n";
  }
  write_text(program.path, text);
}

}  // namespace

std::vector<GoldenProgram> golden_programs(std::string_view folder) {
  std::vector<std::filesystem::path> paths;
  const std::filesystem::path root = std::filesystem::path(WSE_SOURCE_DIR) / "tests" / folder;
  for (const auto& entry : std::filesystem::directory_iterator(root)) {
    if (entry.path().extension() == ".wsa") paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  std::vector<GoldenProgram> programs;
  for (const std::filesystem::path& path : paths) programs.push_back(read_program(path));
  return programs;
}

std::string compare_with_block(const GoldenProgram& program, std::string_view actual) {
  if (is_blessing()) {
    rewrite(program, actual);
    return {};
  }
  if (program.expected == actual) return {};
  return program.name() + " should print\n" + program.expected + "but prints\n" +
         std::string(actual);
}

}  // namespace wse::test_support
