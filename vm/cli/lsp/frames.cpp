// Reads heads line by line; names of fields are compared without case.
#include "vm/cli/lsp/frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace wse::lsp {
namespace {

constexpr std::string_view kEndOfHead = "\r\n\r\n";
constexpr std::string_view kLength = "content-length";

std::string lower(std::string_view text) {
  std::string made(text);
  for (char& c : made) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return made;
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

}  // namespace

isa::Status FrameReader::read_head(std::string_view head) {
  bool has_length = false;
  while (!head.empty()) {
    const std::size_t end = std::min(head.find("\r\n"), head.size());
    const std::string_view line = head.substr(0, end);
    head.remove_prefix(std::min(end + 2, head.size()));
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return isa::fail("a line of a head has no ':'");
    if (lower(without_blanks(line.substr(0, colon))) != kLength) continue;
    const std::string_view digits = without_blanks(line.substr(colon + 1));
    const auto [rest, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), length_);
    const bool is_number = error == std::errc{} && rest == digits.data() + digits.size();
    if (!is_number || length_ > kMostMessageBytes) {
      return isa::fail(fmt::format("Content-Length must be a number up to {}", kMostMessageBytes));
    }
    has_length = true;
  }
  if (!has_length) return isa::fail("a head has no Content-Length");
  return {};
}

isa::Result<std::optional<std::string>> FrameReader::next() {
  if (!error_.empty()) return isa::fail(error_);
  if (!has_head_) {
    const std::size_t end = buffer_.find(kEndOfHead);
    const bool is_too_long = std::min(end, buffer_.size()) > kMostHeadBytes;
    if (!is_too_long && end == std::string::npos) return std::nullopt;
    const isa::Status read =
        is_too_long ? isa::fail(fmt::format("a head has more than {} bytes", kMostHeadBytes))
                    : read_head(std::string_view(buffer_).substr(0, end));
    if (!read) {
      error_ = read.error();
      return isa::fail(error_);
    }
    buffer_.erase(0, end + kEndOfHead.size());
    has_head_ = true;
  }
  if (buffer_.size() < length_) return std::nullopt;
  std::string message = buffer_.substr(0, length_);
  buffer_.erase(0, length_);
  has_head_ = false;
  return message;
}

std::string framed(std::string_view message) {
  return fmt::format("Content-Length: {}\r\n\r\n{}", message.size(), message);
}

}  // namespace wse::lsp
