// Finds commands, generated parts, programs and links, line by line.
// Must never change a line: positions stay valid for whoever replaces the outputs.
#include "tests/docs/markdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "tests/support/files.h"

namespace wse::docs {
namespace {

constexpr std::string_view kPrompt = "$ ";
constexpr std::string_view kGeneratedStart = "<!-- generated: ";
constexpr std::string_view kMarkEnd = " -->";
constexpr std::string_view kGeneratedEnd = "<!-- end -->";

// The number of backticks that open or close a fence in this line; 0 if none does.
size_t fence_length(std::string_view line) {
  const size_t length = std::min(line.find_first_not_of('`'), line.size());
  return length >= 3 ? length : 0;
}

// Blanks out `code` in a line, so that nothing in it looks like a link.
std::string without_code(std::string_view line) {
  std::string text;
  bool code = false;
  for (const char c : line) {
    if (c == '`') code = !code;
    text += code ? ' ' : c;
  }
  return text;
}

class Parser {
 public:
  explicit Parser(std::string_view text) { document_.lines = test_support::split_lines(text); }

  std::expected<Document, std::string> parse() {
    const auto& lines = document_.lines;
    while (next_ < lines.size()) {
      const std::string_view line = lines[next_];
      if (const size_t length = fence_length(line)) {
        if (!parse_fence(length, line.substr(length))) {
          return std::unexpected(error_);
        }
      } else if (line.starts_with(kGeneratedStart) && line.ends_with(kMarkEnd)) {
        if (!parse_generated(line)) return std::unexpected(error_);
      } else if (line == kGeneratedEnd) {
        return std::unexpected(fmt::format("line {}: an end mark without its start", next_ + 1));
      } else {
        find_links(line);
        ++next_;
      }
    }
    return std::move(document_);
  }

 private:
  bool parse_fence(size_t length, std::string_view kind) {
    const size_t start = next_;
    const auto& lines = document_.lines;
    const auto closes = [&](const std::string& line) {
      return fence_length(line) >= length && line.find_first_not_of('`') == std::string::npos;
    };
    const auto end =
        std::find_if(lines.begin() + static_cast<std::ptrdiff_t>(start) + 1, lines.end(), closes);
    if (end == lines.end()) {
      error_ = fmt::format("line {}: a fence without its end", start + 1);
      return false;
    }
    const auto last = static_cast<size_t>(end - lines.begin());
    next_ = last + 1;
    if (kind == "wsa" || kind == "lua") {
      document_.snippets.push_back({start + 1, last, std::string(kind)});
    } else if (kind.starts_with("wsa ") || kind.starts_with("lua ")) {
      document_.parts.push_back({fmt::format("cat {}", kind.substr(4)), start + 1, last});
    }
    return kind != "console" || parse_console(start + 1, last);
  }

  bool parse_console(size_t first, size_t last) {
    const auto& lines = document_.lines;
    if (first < last && !lines[first].starts_with(kPrompt)) {
      error_ = fmt::format("line {}: a console block starts with '$ COMMAND'", first + 1);
      return false;
    }
    for (size_t at = first; at < last;) {
      OutputPart part{lines[at].substr(kPrompt.size()), 0, 0};
      while (part.command.ends_with('\\') && at + 1 < last) part.command += '\n' + lines[++at];
      part.first = ++at;
      while (at < last && !lines[at].starts_with(kPrompt)) ++at;
      part.last = at;
      document_.parts.push_back(std::move(part));
    }
    return true;
  }

  bool parse_generated(std::string_view line) {
    const auto& lines = document_.lines;
    const auto end = std::find(lines.begin() + static_cast<std::ptrdiff_t>(next_) + 1, lines.end(),
                               kGeneratedEnd);
    if (end == lines.end()) {
      error_ = fmt::format("line {}: a generated part without '{}'", next_ + 1, kGeneratedEnd);
      return false;
    }
    line.remove_prefix(kGeneratedStart.size());
    line.remove_suffix(kMarkEnd.size());
    const auto last = static_cast<size_t>(end - lines.begin());
    document_.parts.push_back({std::string(line), next_ + 1, last});
    next_ = last + 1;
    return true;
  }

  void find_links(std::string_view line) {
    const std::string text = without_code(line);
    for (size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 1)) {
      const size_t start = at + 2;
      const size_t end = text.find_first_of(") #", start);  // the target's end, title or anchor
      if (end == std::string::npos || end == start) continue;
      std::string target = text.substr(start, end - start);
      if (target.find("://") != std::string::npos || target.starts_with("mailto:")) continue;
      document_.links.push_back({std::move(target), next_});
    }
  }

  Document document_;
  size_t next_ = 0;
  std::string error_;
};

}  // namespace

std::expected<Document, std::string> parse_document(std::string_view text) {
  return Parser(text).parse();
}

}  // namespace wse::docs
