// Searches in the beginnings of lines, and counts characters within one.
#include "vm/cli/lsp/line_table.h"

#include <algorithm>

namespace wse::lsp {
namespace {

constexpr std::uint32_t kStride = 64;  // bytes between counts

// The characters that begin with the byte: those beyond the first plane are two units of UTF-16.
std::uint32_t units_of(char byte, Encoding encoding) {
  const auto bits = static_cast<unsigned char>(byte);
  if (encoding == Encoding::Utf8) return 1;
  return bits >= 0xf0 ? 2 : (bits & 0xc0) == 0x80 ? 0 : 1;
}

}  // namespace

LineTable::LineTable(std::string_view text, Encoding encoding)
    : text_(text), encoding_(encoding), begins_{0}, assembler_begins_{0} {
  std::uint32_t units = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (k % kStride == 0) counts_.push_back(units);
    units += units_of(text[k], encoding);
    const bool is_newline = text[k] == '\n';
    const bool is_return = text[k] == '\r' && (k + 1 == text.size() || text[k + 1] != '\n');
    const auto behind = static_cast<std::uint32_t>(k + 1);
    if (is_newline) assembler_begins_.push_back(behind);
    if (is_newline || is_return) begins_.push_back(behind);
  }
  is_plain_ = units == text.size();
}

std::string_view LineTable::line(std::uint32_t line) const {
  if (line >= begins_.size()) return {};
  const std::size_t behind = line + 1 < begins_.size() ? begins_[line + 1] : text_.size();
  std::string_view found = text_.substr(begins_[line], behind - begins_[line]);
  if (found.ends_with('\n')) found.remove_suffix(1);
  if (found.ends_with('\r')) found.remove_suffix(1);
  return found;
}

Position LineTable::position(std::uint32_t offset) const {
  offset = std::min(offset, static_cast<std::uint32_t>(text_.size()));
  const auto line =
      static_cast<std::uint32_t>(std::ranges::upper_bound(begins_, offset) - begins_.begin() - 1);
  return {line, units_before(offset) - units_before(begins_[line])};
}

// The characters of the text in front of the byte.
std::uint32_t LineTable::units_before(std::uint32_t offset) const {
  if (is_plain_) return offset;
  const std::uint32_t row =
      std::min<std::uint32_t>(offset / kStride, static_cast<std::uint32_t>(counts_.size() - 1));
  std::uint32_t units = counts_[row];
  for (std::uint32_t k = row * kStride; k < offset; ++k) units += units_of(text_[k], encoding_);
  return units;
}

// In front of a character, never inside of one.
std::uint32_t LineTable::offset(const Position& position) const {
  if (position.line >= begins_.size()) return static_cast<std::uint32_t>(text_.size());
  const std::string_view rest = line(position.line);
  std::uint32_t found = begins_[position.line];
  std::uint32_t left = position.character;
  for (std::size_t k = 0; k < rest.size(); ++k) {
    const std::uint32_t units = units_of(rest[k], encoding_);
    if (units > left) break;  // bytes inside of a character have none
    left -= units;
    ++found;
  }
  return found;
}

std::uint32_t LineTable::begin(const isa::SourceRange& where) const {
  if (where.line == 0) return 0;
  if (where.line > assembler_begins_.size()) return static_cast<std::uint32_t>(text_.size());
  const std::uint64_t begin = std::uint64_t{assembler_begins_[where.line - 1]} + where.column - 1;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(begin, text_.size()));
}

std::uint32_t LineTable::end(const isa::SourceRange& where) const {
  const std::uint64_t end = std::uint64_t{begin(where)} + where.length;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(end, text_.size()));
}

std::uint32_t LineTable::assembler_line(std::uint32_t offset) const {
  return static_cast<std::uint32_t>(std::ranges::upper_bound(assembler_begins_, offset) -
                                    assembler_begins_.begin());
}

}  // namespace wse::lsp
