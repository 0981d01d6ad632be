// The lines of a text as editors count them, and as the assembler does.
//
// Editors end a line at \n, \r\n or \r and count characters of UTF-16 or bytes from 0; the
// assembler ends it at \n and counts bytes from 1. Both are turned into bytes of the text. Must
// never fail: a place behind a line is its end, one behind the text is the end of the text, and a
// byte that is no UTF-8 counts as one character.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "isa/support/diagnostics.h"

namespace wse::lsp {

enum class Encoding : std::uint8_t { Utf8, Utf16 };

// Counted from 0.
struct Position {
  std::uint32_t line = 0;
  std::uint32_t character = 0;

  auto operator<=>(const Position&) const = default;
};

class LineTable {
 public:
  // `text` must live longer.
  explicit LineTable(std::string_view text, Encoding encoding = Encoding::Utf16);

  std::string_view text() const { return text_; }
  std::uint32_t lines() const { return static_cast<std::uint32_t>(begins_.size()); }
  // The line without its end; empty where there is none.
  std::string_view line(std::uint32_t line) const;

  Position position(std::uint32_t offset) const;
  std::uint32_t offset(const Position& position) const;

  // The first byte of a place of the assembler, and the one behind it.
  std::uint32_t begin(const isa::SourceRange& where) const;
  std::uint32_t end(const isa::SourceRange& where) const;

  // The line, counted from 1, in which the assembler has that byte.
  std::uint32_t assembler_line(std::uint32_t offset) const;

 private:
  std::uint32_t units_before(std::uint32_t offset) const;

  std::string_view text_;
  Encoding encoding_;
  bool is_plain_ = true;                         // each byte is a character
  std::vector<std::uint32_t> counts_;            // characters in front of every 64th byte
  std::vector<std::uint32_t> begins_;            // of the lines of editors
  std::vector<std::uint32_t> assembler_begins_;  // of the lines of the assembler
};

}  // namespace wse::lsp
