// Comments have a subject: a sentence begins with what it speaks of, or with what a function does.
//
// "Of a trail that has one." says nothing to who has not read the line above it. A folder has a few
// such sentences at most: some begin with a subject that only a reader sees.
// Must never look at code.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>

#include "tests/lint/lint.h"

namespace wse::lint {
namespace {

// Sentences of a folder whose subject this rule does not see.
constexpr std::size_t kMostInFolder = 5;

// Shorter ones are labels.
constexpr std::size_t kShortestSentence = 12;

constexpr std::array<std::string_view, 14> kPronouns = {
    "Who ",     "Whoever ", "Nobody ",  "Somebody ", "Whose ",     "What ",   "Those ",
    "That of ", "Such ",    "So many ", "One that ", "It may be ", "Nothing", "None of "};
constexpr std::array<std::string_view, 4> kConnections = {"As before", "With the ", "By the ",
                                                          "In the order"};
// After "Of".
constexpr std::array<std::string_view, 21> kOwners = {
    "the", "a",     "an", "this", "these", "those",   "what",    "all",  "it",  "them", "each",
    "one", "which", "in", "two",  "three", "several", "another", "that", "its", "both"};

bool begins_with_any(std::string_view sentence, auto beginnings) {
  return std::ranges::any_of(beginnings,
                             [&](std::string_view b) { return sentence.starts_with(b); });
}

bool is_headless(std::string_view sentence) {
  if (begins_with_any(sentence, kPronouns) || begins_with_any(sentence, kConnections)) return true;
  if (sentence.starts_with("The same")) {
    // "The same cycle as ..." names what it speaks of.
    const std::string_view rest = sentence.substr(std::string_view("The same").size());
    const std::size_t word = rest.find_first_not_of(' ');
    const bool has_noun = word == 1 && rest.find(' ', word) != std::string_view::npos;
    return !has_noun;
  }
  if (!sentence.starts_with("Of ")) return false;
  const std::string_view owner = sentence.substr(3, sentence.substr(3).find_first_of(" ,.;:"));
  return std::ranges::find(kOwners, owner) != kOwners.end();
}

// The text of the comment of a line, if it has one; `mark` begins comments.
std::optional<std::string_view> comment_of(std::string_view line, std::string_view mark) {
  const std::size_t start = line.find_first_not_of(' ');
  if (start == std::string_view::npos) return std::nullopt;
  std::size_t at = start;
  if (!line.substr(start).starts_with(mark)) {
    at = line.find(fmt::format(" {} ", mark));
    if (at == std::string_view::npos) return std::nullopt;
    ++at;
  }
  std::string_view text = line.substr(at + mark.size());
  if (text.starts_with(' ')) text.remove_prefix(1);
  return text;
}

// Pictures, lists and rulers are no sentences.
bool is_prose(std::string_view text) {
  return !text.starts_with("  ") && (text.empty() || !std::string_view("-=*|#+").contains(text[0]));
}

std::size_t headless_in(std::string_view paragraph) {
  std::size_t found = 0;
  std::size_t begin = 0;
  for (std::size_t k = 0; k <= paragraph.size(); ++k) {
    const bool ends =
        k == paragraph.size() || (std::string_view(".;:?!").contains(paragraph[k]) &&
                                  k + 1 < paragraph.size() && paragraph[k + 1] == ' ');
    if (!ends) continue;
    const std::string_view sentence =
        paragraph.substr(begin, std::min(k + 1, paragraph.size()) - begin);
    found += sentence.size() >= kShortestSentence && is_headless(sentence) ? 1 : 0;
    begin = std::min(k + 2, paragraph.size());
  }
  return found;
}

std::string_view mark_of(const TextFile& file) {
  if (is_cpp(file.path)) return "//";
  return file.path.ends_with(".lua") ? "--" : std::string_view();
}

// The first two names of the path: isa/machine, scripts/mach.
std::string two_names_of(const std::string& path) {
  const std::size_t first = path.find('/');
  return path.substr(0, path.find('/', first + 1));
}

}  // namespace

std::size_t headless_sentences(const TextFile& file) {
  const std::string_view mark = mark_of(file);
  if (mark.empty()) return 0;
  std::size_t found = 0;
  std::string paragraph;
  const auto close = [&] {
    found += headless_in(paragraph);
    paragraph.clear();
  };
  for (const std::string& line : file.lines) {
    const auto text = comment_of(line, mark);
    if (!text || !is_prose(*text)) {
      close();
      continue;
    }
    if (!paragraph.empty()) paragraph += ' ';
    paragraph += *text;
  }
  close();
  return found;
}

void check_comments(const std::vector<TextFile>& files, Violations& violations) {
  std::map<std::string, std::size_t> by_folder;
  for (const TextFile& file : files) {
    if (file.path.starts_with("tests/")) continue;
    by_folder[two_names_of(file.path)] += headless_sentences(file);
  }
  for (const auto& [folder, found] : by_folder) {
    if (found <= kMostInFolder) continue;
    violations.push_back(
        {folder, 1,
         fmt::format("{} sentences of comments have no subject; at most {}: begin with what the "
                     "sentence speaks of (`lint ROOT {}` counts them by file)",
                     found, kMostInFolder, folder)});
  }
}

}  // namespace wse::lint
