// One mistake, one place: every statement of every program is broken in turn, and no error may
// be anywhere else. What an error took away must not be missed by a check of the rest.
#include <fmt/format.h>

#include "tests/support/files.h"
#include "tests/unit/asm/support.h"

namespace wse::assembler {
namespace {

using test_support::read_text;
using test_support::split_lines;

struct Damage {
  std::string_view name;
  std::string (*apply)(const std::string& line);
};

bool is_space(char c) { return c == ' ' || c == '\t'; }

std::size_t first_letter(const std::string& line) {
  std::size_t at = 0;
  while (at < line.size() && is_space(line[at])) ++at;
  return at;
}

// The line without its comment; strings of programs hold no semicolons.
std::string code_of_line(const std::string& line) { return line.substr(0, line.find(';')); }

// With `what` in front of the first character of the line, or after the first `there`; the same
// line if it has none.
std::string with(std::string line, std::string_view there, std::string_view what) {
  const std::size_t at = line.find(there);
  return at == std::string::npos ? line : line.insert(at + there.size(), what);
}

const Damage kDamages[] = {
    {"a character that nobody knows",
     [](const std::string& line) {  // nobody can know that a program or macro would begin there
       const bool begins = line.starts_with(".program") || line.starts_with(".macro");
       return line.substr(0, first_letter(line)) + (begins ? "" : "? ") + line;
     }},
    {"a word too many", [](const std::string& line) { return code_of_line(line) + " ) ("; }},
    {"another first word",
     [](const std::string& line) {
       std::string made = line;
       return made.insert(first_letter(line) + 1, "qq");
     }},
    {"an unknown column",
     [](const std::string& line) { return with(code_of_line(line), "at (", "qq + "); }},
    {"an unknown port",
     [](const std::string& line) { return with(code_of_line(line), "-> ", "q"); }},
    {"a column outside the grid",
     [](const std::string& line) { return with(code_of_line(line), "at (", "-9 + "); }},
};

// Another label is no mistake where it is.
bool is_statement(const std::string& line) {
  std::string code = code_of_line(line);
  const std::size_t first = first_letter(code);
  while (!code.empty() && is_space(code.back())) code.pop_back();
  const bool is_label = !code.empty() && code.back() == ':' && !code.contains(" task ");
  return first < code.size() && !is_label;
}

// A line in brackets or after a comma is part of the statement before it.
bool is_continued(const std::string& line) {
  std::string code = code_of_line(line);
  while (!code.empty() && is_space(code.back())) code.pop_back();
  return !code.empty() && code.back() == ',';
}

void expect_one_place(const std::vector<std::string>& lines, std::size_t broken,
                      const Damage& damage, const std::string& name) {
  std::string text;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    text += (k == broken ? damage.apply(lines[k]) : lines[k]) + "\n";
  }
  const Output output = assemble_text(text);
  for (const isa::Diagnostic& diagnostic : output.diagnostics) {
    if (diagnostic.severity != isa::Severity::Error) continue;
    if (diagnostic.where.line == broken + 1) continue;
    ADD_FAILURE() << name << ", " << damage.name << " in line " << broken + 1 << "\n"
                  << isa::to_text(output.diagnostics, output.files);
    return;
  }
}

class FollowUp : public testing::TestWithParam<std::string> {};

TEST_P(FollowUp, ErrorsAreWhereTheMistakeIs) {
  const std::string& name = GetParam();
  std::vector<std::string> lines =
      split_lines(read_text(fmt::format("{}/programs/{}/{}.wsa", WSE_SOURCE_DIR, name, name)));
  ASSERT_FALSE(lines.empty());
  for (std::string& line : lines) {  // 64 x 64 PEs of heat, hundreds of times, take their time
    if (line == ".const W = 64" || line == ".const H = 64") line.replace(line.size() - 2, 2, "8");
  }
  for (std::size_t k = 0; k < lines.size(); ++k) {
    if (!is_statement(lines[k]) || is_continued(lines[k]) || (k > 0 && is_continued(lines[k - 1])))
      continue;
    for (const Damage& damage : kDamages) expect_one_place(lines, k, damage, name);
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, FollowUp,
                         testing::Values("message", "compass", "one-colour-allreduce",
                                         "pipeline-fifo", "sentinel", "heat", "cholesky",
                                         "overlap"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace wse::assembler
