// Formats diagnostics and finds the word that a typo meant. Reads source text, never changes it.
#include "isa/support/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>

#include "isa/support/visible.h"

namespace wse::isa {
namespace {

constexpr std::size_t kShownColumns = 100;  // longer source lines are cut around the place
constexpr int kMostBytes = 4;               // of a character in UTF-8

std::string_view line_of(std::string_view text, std::uint32_t line) {
  std::size_t begin = 0;
  for (std::uint32_t i = 1; i < line; ++i) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string_view::npos) return {};
    begin = end + 1;
  }
  const std::string_view rest = text.substr(begin);
  const std::string_view found = rest.substr(0, rest.find('\n'));
  return found.ends_with('\r') ? found.substr(0, found.size() - 1) : found;
}

// UTF-8: the second and further bytes of a character take no column on the screen.
bool goes_on(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return !goes_on(c); }));
}

// The nearest places at which no character of UTF-8 is cut in two.
std::size_t character_begin(std::string_view line, std::size_t at) {
  for (int k = 1; k < kMostBytes && at > 0 && at < line.size() && goes_on(line[at]); ++k) --at;
  return at;
}

std::size_t character_end(std::string_view line, std::size_t at) {
  at = std::min(at, line.size());
  for (int k = 1; k < kMostBytes && at < line.size() && goes_on(line[at]); ++k) ++at;
  return at;
}

// The source line with the caret line below it, both cut to the window around the column.
std::string excerpt(std::string_view line, const SourceRange& where) {
  std::size_t column = std::min<std::size_t>(where.column - 1, line.size());
  std::string before;
  std::string after;
  if (line.size() > kShownColumns) {
    std::size_t begin = column > kShownColumns / 2 ? column - kShownColumns / 2 : 0;
    std::size_t end = begin + kShownColumns;
    begin = character_begin(line, begin);
    end = character_end(line, end);
    if (begin > 0) before = "...";
    if (end < line.size()) after = "...";
    line = line.substr(begin, end - begin);
    column -= begin;
  }
  column = character_begin(line, column);
  const std::size_t end = character_end(line, column + where.length);
  const std::string up_to = before + visible_line(line.substr(0, column));
  const std::string marked = visible_line(line.substr(column, end - column));
  // A mark that continues in the part that was cut off goes up to the end of "...".
  const std::size_t cut_off = column + where.length - std::min(column + where.length, end);
  const std::size_t length =
      std::max<std::size_t>(columns(marked) + std::min(cut_off, after.size()), 1);
  return fmt::format("{:>5} | {}{}{}{}\n      | {}^{}\n", where.line, up_to, marked,
                     visible_line(line.substr(end)), after, std::string(columns(up_to), ' '),
                     std::string(length - 1, '~'));
}

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::Error: return "error";
    case Severity::Warning: return "warning";
    case Severity::Note: return "note";
  }
  return "error";
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

bool has_errors(const Diagnostics& diagnostics) {
  return std::ranges::any_of(diagnostics,
                             [](const Diagnostic& d) { return d.severity == Severity::Error; });
}

std::string to_text(const Diagnostic& diagnostic, const SourceFiles& files) {
  const SourceRange& where = diagnostic.where;
  const bool placed = where.line > 0 && where.file < files.size();
  std::string out;
  if (placed) {
    out +=
        fmt::format("{}:{}:{}: ", visible_line(files[where.file].name), where.line, where.column);
  }
  out += name_of(diagnostic.severity);
  if (!diagnostic.code.empty()) out += fmt::format("[{}]", diagnostic.code);
  out += fmt::format(": {}\n", visible_line(diagnostic.message));
  if (placed) out += excerpt(line_of(files[where.file].text, where.line), where);
  if (!diagnostic.help.empty())
    out += fmt::format("      = help: {}\n", visible_line(diagnostic.help));
  if (!diagnostic.from.empty())
    out += fmt::format("      = note: from {}\n", visible_line(diagnostic.from));
  return out;
}

std::string to_text(const Diagnostics& diagnostics, const SourceFiles& files) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics) out += to_text(diagnostic, files);
  return out;
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr std::size_t kLongestWord = 64;  // nobody mistypes a word of that length by one letter
  if (word.size() > kLongestWord) return {};
  const std::size_t allowed = word.size() <= 3 ? 1 : 2;
  std::size_t best = allowed + 1;
  std::string found;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kLongestWord || candidate == word) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best && distance < candidate.size()) {
      best = distance;
      found = candidate;
    }
  }
  return found;
}

}  // namespace wse::isa
