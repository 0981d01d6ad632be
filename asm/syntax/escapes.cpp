// Undoes escapes: a backslash and one character.
#include "asm/syntax/escapes.h"

namespace wse::assembler {
namespace {

constexpr std::string_view kEscapes = "nt\"\\{}";
constexpr std::string_view kCharacters = "\n\t\"\\{}";

}  // namespace

std::string unescape(std::string_view raw, const isa::SourceRange& where, Reporter& reporter) {
  std::string text;
  for (std::size_t k = 0; k < raw.size(); ++k) {
    if (raw[k] != '\\') {
      text += raw[k];
      continue;
    }
    const std::size_t found =
        k + 1 < raw.size() ? kEscapes.find(raw[k + 1]) : std::string_view::npos;
    if (found == std::string_view::npos) {
      isa::SourceRange place = where;
      place.column += static_cast<std::uint32_t>(k);
      place.length = 2;
      reporter.report(Problem::BadEscape, place, raw.substr(k, 2));
    } else {
      text += kCharacters[found];
    }
    ++k;
  }
  return text;
}

std::string string_value(const Token& token, Reporter& reporter) {
  isa::SourceRange inside = token.where;
  ++inside.column;
  return unescape(token.text.substr(1, token.text.size() - 2), inside, reporter);
}

}  // namespace wse::assembler
