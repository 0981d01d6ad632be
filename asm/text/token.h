// Tokens of the assembly language: what the scanner yields and the parser takes.
//
// A token is a view into the source text; it must never outlive it.
#pragma once

#include <cstdint>
#include <string_view>

#include "isa/support/diagnostics.h"

namespace wse::assembler {

enum class TokenKind : std::uint8_t {
  End,
  Newline,
  Name,
  Dotted,  // a name with a leading dot
  Integer,
  Float,
  String,  // with its quotes
  Punctuation,
  Pragma,     // a comment that begins with `;!`; the parser never sees it
  BadNumber,  // the last three are reported and skipped, the parser never sees them
  OpenString,
  BadBytes,
};

constexpr bool is_bad(TokenKind kind) { return kind >= TokenKind::BadNumber; }

struct Token {
  TokenKind kind = TokenKind::End;
  std::string_view text;
  isa::SourceRange where;

  bool is(std::string_view punctuation) const {
    // Nearly all are told by the first character and the length: no call for the rest.
    return kind == TokenKind::Punctuation && text.front() == punctuation.front() &&
           text.size() == punctuation.size() && (text.size() == 1 || text == punctuation);
  }
  bool is_word(std::string_view word) const { return kind == TokenKind::Name && text == word; }
  bool ends_statement() const { return kind == TokenKind::Newline || kind == TokenKind::End; }
};

// A word where it is written.
struct Named {
  std::string_view text{};
  isa::SourceRange where{};
};

}  // namespace wse::assembler
