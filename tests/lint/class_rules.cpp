// A class of vm/ has one job: at most so many member functions. Counts what a class declares or
// defines in its own braces; constructors count, what is defaulted or deleted does not.
// Must never need more than the text of one file.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "tests/lint/lint.h"

namespace wse::lint {
namespace {

constexpr std::size_t kMostMethods = 25;

// The text without comments and literals, character by character; lines stay where they are.
std::string bare(const TextFile& file) {
  std::string text;
  for (const std::string& line : file.lines) {
    const std::size_t start = std::min(line.find_first_not_of(' '), line.size());
    if (line.substr(start).starts_with('#')) {
      text += '\n';
      continue;
    }
    char quote = 0;
    for (std::size_t k = 0; k < line.size(); ++k) {
      const char c = line[k];
      if (quote != 0) {
        if (c == '\\') ++k;
        if (c == quote) quote = 0;
        continue;
      }
      if (c == '/' && k + 1 < line.size() && line[k + 1] == '/') break;
      const bool separates_digits = c == '\'' && k > 0 && is_word_character(line[k - 1]);
      if ((c == '"' || c == '\'') && !separates_digits) {
        quote = c;
      } else {
        text += c;
      }
    }
    text += '\n';
  }
  return text;
}

std::size_t end_of_braces(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t k = open; k < text.size(); ++k) {
    if (text[k] == '{') ++depth;
    if (text[k] == '}' && --depth == 0) return k;
  }
  return text.size();
}

// The first parenthesis that is not between template arguments.
std::size_t find_call(std::string_view declaration) {
  int angles = 0;
  for (std::size_t k = 0; k < declaration.size(); ++k) {
    if (declaration[k] == '<') ++angles;
    if (declaration[k] == '>') --angles;
    if (declaration[k] == '(' && angles <= 0) return k;
  }
  return std::string_view::npos;
}

bool is_method(std::string_view declaration) {
  const std::size_t call = find_call(declaration);
  if (call == std::string_view::npos || call == 0) return false;
  const std::string_view before = declaration.substr(0, call);
  if (before.find('=') != std::string_view::npos && !before.contains("operator")) return false;
  for (const std::string_view end : {"= default", "= delete"}) {
    if (declaration.contains(end)) return false;
  }
  const std::size_t start = std::min(before.find_first_not_of(" \n"), before.size());
  for (const std::string_view no :
       {"using ", "static_assert", "friend ", "enum ", "class ", "struct ", "alignas"}) {
    if (before.substr(start).starts_with(no)) return false;
  }
  const std::size_t last = before.find_last_not_of(" \n");
  return last != std::string_view::npos &&
         (is_word_character(before[last]) || before.contains("operator"));
}

// Removes what labels access, which may be in front of a declaration.
std::string_view without_label(std::string_view declaration) {
  for (const std::string_view label : {"public:", "private:", "protected:"}) {
    const std::size_t at = declaration.find(label);
    if (at != std::string_view::npos) declaration.remove_prefix(at + label.size());
  }
  return declaration;
}

std::size_t methods_in(std::string_view body) {
  std::size_t methods = 0;
  std::size_t begin = 0;
  int parentheses = 0;
  for (std::size_t k = 0; k < body.size(); ++k) {
    if (body[k] == '(') ++parentheses;
    if (body[k] == ')') --parentheses;
    if (parentheses != 0 || (body[k] != ';' && body[k] != '{')) continue;
    methods += is_method(without_label(body.substr(begin, k - begin))) ? 1 : 0;
    if (body[k] == '{') k = end_of_braces(body, k);
    begin = k + 1;
  }
  return methods;
}

// The last word in front of the bases, the template arguments or the brace.
std::string_view name_of(std::string_view head) {
  head = head.substr(0, head.find(" :"));
  if (head.ends_with(" final")) head.remove_suffix(std::string_view(" final").size());
  const std::size_t last = head.find_last_not_of(" \n");
  if (last == std::string_view::npos) return {};
  std::size_t first = last;
  while (first > 0 && is_word_character(head[first - 1])) --first;
  return head.substr(first, last - first + 1);
}

}  // namespace

void check_classes(const TextFile& file, Violations& violations) {
  if (!file.path.starts_with("vm/")) return;
  const std::string text = bare(file);
  for (const std::string_view keyword : {"\nclass ", "\nstruct ", "\n  class ", "\n  struct "}) {
    for (std::size_t at = text.find(keyword); at != std::string::npos;
         at = text.find(keyword, at + 1)) {
      const std::size_t open = text.find_first_of("{;(", at);
      if (open == std::string::npos || text[open] != '{') continue;
      const std::string_view whole(text);
      const std::string_view name =
          name_of(whole.substr(at + keyword.size(), open - at - keyword.size()));
      const std::size_t methods =
          methods_in(whole.substr(open + 1, end_of_braces(whole, open) - open - 1));
      if (methods <= kMostMethods) continue;
      const auto line = static_cast<std::size_t>(
          std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(open), '\n'));
      violations.push_back({file.path, line + 1,
                            fmt::format("{} has {} member functions; at most {}: give each of its "
                                        "jobs a class",
                                        name, methods, kMostMethods)});
    }
  }
}

}  // namespace wse::lint
