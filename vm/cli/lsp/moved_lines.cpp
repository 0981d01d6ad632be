// Searches from the expected place outwards.
#include "vm/cli/lsp/moved_lines.h"

namespace wse::lsp {
namespace {

constexpr std::int64_t kMostMoved = 400;  // lines up and down, beside those that moved before

std::string_view without_end(std::string_view text) {
  while (text.ends_with(' ') || text.ends_with('\t') || text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

}  // namespace

std::optional<std::uint32_t> MovedLines::find(std::uint32_t number, std::string_view text) {
  const std::int64_t before = std::int64_t{number} - 1;
  const std::int64_t expected = before + (text.empty() ? 0 : shift_);
  for (std::int64_t off = 0; off <= kMostMoved; ++off) {
    for (const std::int64_t at : {expected + off, expected - off}) {
      if (!has_text(at, text)) continue;
      if (!text.empty()) shift_ = at - before;
      return static_cast<std::uint32_t>(at);
    }
    if (text.empty()) break;
  }
  return std::nullopt;
}

bool MovedLines::has_text(std::int64_t at, std::string_view text) const {
  if (at < 0 || at >= std::int64_t{table_.lines()}) return false;
  return text.empty() ||
         without_end(table_.line(static_cast<std::uint32_t>(at))) == without_end(text);
}

}  // namespace wse::lsp
