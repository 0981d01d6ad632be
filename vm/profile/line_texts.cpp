// Cuts texts where a `.line` or `.lines` stands.
#include "vm/profile/line_texts.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace wse::vm {
namespace {

constexpr std::uint32_t kMostLines = 1u << 24;  // numbers of lines beyond it are not followed

std::string_view without_space(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin);
}

// Takes a word off the text, with the space around it.
bool take_word(std::string_view& text, std::string_view word) {
  std::string_view rest = without_space(text);
  if (!rest.starts_with(word)) return false;
  rest.remove_prefix(word.size());
  if (!rest.empty() && rest.front() != ' ' && rest.front() != '\t') return false;
  text = without_space(rest);
  return true;
}

// Returns what is between the quotes, with a backslash before a letter taken away.
std::string unquoted(std::string_view text) {
  std::string name;
  if (!text.starts_with('"')) return name;
  for (std::size_t k = 1; k < text.size() && text[k] != '"'; ++k) {
    if (text[k] == '\\' && k + 1 < text.size()) ++k;
    name += text[k];
  }
  return name;
}

// From where the lines after a directive come: one after another from there on, or, where they do
// not count, all of that line. Line 0: the text itself.
struct Origin {
  bool counts = false;
  std::uint32_t line = 0;
};

// Returns what a line says of those after it, and changes `file` if it names one; nothing if it is
// no such directive.
std::optional<Origin> origin_after(std::string_view line, std::string& file) {
  Origin origin{.counts = take_word(line, ".lines")};
  if (!origin.counts && !take_word(line, ".line")) return std::nullopt;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), origin.line);
  if (error != std::errc()) return Origin{};
  line = without_space(line.substr(static_cast<std::size_t>(end - line.data())));
  if (line.starts_with('"')) file = unquoted(line);
  return origin;
}

}  // namespace

bool LineTexts::Part::has_program(std::string_view name) const {
  return std::ranges::any_of(lines, [name](std::string_view line) {
    if (!take_word(line, ".program") || !line.starts_with(name)) return false;
    constexpr std::string_view kEnds = " \t(;";
    return line.size() == name.size() || kEnds.contains(line[name.size()]);
  });
}

LineTexts::LineTexts(const isa::SourceFiles& sources) {
  for (const isa::SourceFile& source : sources) add_text(source);
}

void LineTexts::add_text(const isa::SourceFile& source) {
  Part* part = &parts_[source.name].emplace_back();
  std::string file = source.name;
  std::string_view text = source.text;
  for (std::uint32_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const std::optional<Origin> origin = origin_after(line, file);
    if (!origin) {
      if (part != nullptr) part->lines.push_back(line);
    } else if (origin->line == 0) {
      part = &parts_[source.name].emplace_back(Part{.first = number + 1});
    } else if (origin->counts && origin->line <= kMostLines) {
      part = &parts_[file].emplace_back(Part{.first = origin->line});
    } else {
      part = nullptr;  // they are lines of a text that is not here
    }
  }
}

std::vector<std::string_view> LineTexts::lines_of(std::string_view program,
                                                  const std::string& file) const {
  const auto found = parts_.find(file);
  if (found == parts_.end()) return {};
  const std::vector<Part>& parts = found->second;
  const std::string_view name = program.substr(0, program.find('('));
  auto part = std::ranges::find_if(parts, [name](const Part& p) { return p.has_program(name); });
  const bool is_only =
      std::ranges::count_if(parts, [](const Part& p) { return !p.lines.empty(); }) == 1;
  if (part == parts.end() && is_only) {
    part = std::ranges::find_if(parts, [](const Part& p) { return !p.lines.empty(); });
  }
  if (part == parts.end()) return {};
  std::vector<std::string_view> lines(part->first - 1);
  lines.insert(lines.end(), part->lines.begin(), part->lines.end());
  return lines;
}

std::string_view LineTexts::line_of(std::string_view program, const std::string& file,
                                    std::uint32_t line) const {
  const std::vector<std::string_view> lines = lines_of(program, file);
  return line > 0 && line <= lines.size() ? lines[line - 1] : std::string_view();
}

}  // namespace wse::vm
