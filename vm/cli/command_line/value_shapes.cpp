// Takes values apart.
#include "vm/cli/command_line/value_shapes.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

namespace wse::cli {
namespace {

std::unexpected<std::string> not_of(const std::string& text, std::string_view shape) {
  return isa::fail(fmt::format("'{}' has not the form {}", text, shape));
}

std::optional<std::pair<std::string, std::string>> cut(const std::string& text,
                                                       std::string_view separator) {
  const std::size_t at = text.find(separator);
  const std::size_t behind = at + separator.size();
  if (at == std::string::npos || at == 0 || behind == text.size()) return std::nullopt;
  return std::pair(text.substr(0, at), text.substr(behind));
}

template <class T>
bool read(std::string_view text, T& value) {
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && rest == text.data() + text.size();
}

}  // namespace

isa::Result<std::vector<std::pair<std::string, std::string>>> parse_pairs(
    const std::vector<std::string>& texts, std::string_view shape) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& text : texts) {
    auto pair = cut(text, "=");
    if (!pair) return not_of(text, shape);
    pairs.push_back(std::move(*pair));
  }
  return pairs;
}

isa::Result<Dump> parse_dump(const std::string& text) {
  Dump dump;
  const auto parts = cut(text, ":");
  const auto place = parts ? cut(parts->first, ",") : std::nullopt;
  if (!place || !read(place->first, dump.x) || !read(place->second, dump.y)) {
    return not_of(text, "X,Y:SYMBOL");
  }
  dump.symbol = parts->second;
  return dump;
}

isa::Status parse_rect(const std::string& text, vm::TraceFilter& filter) {
  constexpr std::string_view kShape = "X0,Y0,X1,Y1";
  std::string rest = text;
  for (std::uint32_t* const number : {&filter.x0, &filter.y0, &filter.x1}) {
    const auto parts = cut(rest, ",");
    if (!parts || !read(parts->first, *number)) return not_of(text, kShape);
    rest = parts->second;
  }
  if (!read(rest, filter.y1)) return not_of(text, kShape);
  return {};
}

isa::Status parse_cycles(const std::string& text, vm::TraceFilter& filter) {
  const auto parts = cut(text, "..");
  if (!parts || !read(parts->first, filter.first) || !read(parts->second, filter.last)) {
    return not_of(text, "FIRST..LAST");
  }
  return {};
}

}  // namespace wse::cli
