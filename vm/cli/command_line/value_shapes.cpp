// Takes values apart.
#include "vm/cli/command_line/value_shapes.h"

#include <fmt/format.h>

#include <optional>

#include "vm/cli/command_line/numbers.h"

namespace wse::cli {
namespace {

// `who`: the option and a colon, or nothing.
std::unexpected<std::string> not_of(std::string_view who, const std::string& text,
                                    std::string_view shape) {
  return isa::fail(fmt::format("{}'{}' has not the form {}", who, text, shape));
}

std::optional<std::pair<std::string, std::string>> cut(const std::string& text,
                                                       std::string_view separator) {
  const std::size_t at = text.find(separator);
  const std::size_t behind = at + separator.size();
  if (at == std::string::npos || at == 0 || behind == text.size()) return std::nullopt;
  return std::pair(text.substr(0, at), text.substr(behind));
}

// Reads a part of the value into `number`.
template <class T>
isa::Status read(std::string_view option, std::string_view part, const std::string& text,
                 T& number) {
  const isa::Result<std::uint64_t> value = read_number(number_option(option, part), text);
  if (!value) return isa::fail(value.error());
  number = static_cast<T>(*value);
  return {};
}

}  // namespace

isa::Result<std::vector<std::pair<std::string, std::string>>> parse_pairs(
    const std::vector<std::string>& texts, std::string_view shape) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& text : texts) {
    auto pair = cut(text, "=");
    if (!pair) return not_of("", text, shape);
    pairs.push_back(std::move(*pair));
  }
  return pairs;
}

isa::Status parse_warnings(const std::vector<std::string>& texts,
                           std::vector<assembler::WarningChoice>& choices) {
  for (const std::string& text : texts) {
    const auto parts = cut(text, "=");
    if (!parts) return not_of("-W: ", text, "CODE=off or CODE=error");
    auto choice = assembler::warning_choice(parts->first, parts->second);
    if (!choice) return isa::fail("-W: " + choice.error());
    choices.push_back(std::move(*choice));
  }
  return {};
}

isa::Result<Dump> parse_dump(const std::string& text) {
  Dump dump;
  const auto parts = cut(text, ":");
  const auto place = parts ? cut(parts->first, ",") : std::nullopt;
  if (!place) return not_of("--dump: ", text, "X,Y:SYMBOL");
  isa::Status status = read("--dump", "X", place->first, dump.x);
  if (status) status = read("--dump", "Y", place->second, dump.y);
  if (!status) return isa::fail(status.error());
  dump.symbol = parts->second;
  return dump;
}

isa::Status parse_path(const std::string& text, std::optional<PathStart>& path) {
  const auto parts = cut(text, "@");
  const auto place = parts ? cut(parts->second, ",") : std::nullopt;
  if (!place) return not_of("--path: ", text, "COLOUR@X,Y");
  PathStart start{.colour = parts->first};
  isa::Status status = read("--path", "X", place->first, start.x);
  if (status) status = read("--path", "Y", place->second, start.y);
  if (status) path = std::move(start);
  return status;
}

isa::Status parse_jitter(const std::string& text, std::optional<vm::Jitter>& jitter) {
  vm::Jitter read_one;
  const bool has_cycles = text.contains(':');
  const auto parts = has_cycles ? cut(text, ":") : std::pair(text, std::string());
  if (!parts) return not_of("--jitter: ", text, "SEED or SEED:N");
  isa::Status status = read("--jitter", "SEED", parts->first, read_one.seed);
  if (status && has_cycles) status = read("--jitter", "N", parts->second, read_one.cycles);
  if (status) jitter = read_one;
  return status;
}

namespace {

struct PartNumber {
  std::string_view part;
  std::uint32_t& number;
};

// Reads as many numbers as there are parts, with commas between.
isa::Status read_all(const std::string& option, const std::string& text, std::string_view shape,
                     std::span<const PartNumber> numbers) {
  std::string rest = text;
  for (const auto& [part, number] : numbers) {
    const bool is_last = part == numbers.back().part;
    const auto parts = is_last ? std::pair(rest, std::string()) : cut(rest, ",");
    if (!parts) return not_of(option + ": ", text, shape);
    const isa::Status status = read(option, part, parts->first, number);
    if (!status) return status;
    rest = parts->second;
  }
  return {};
}

}  // namespace

isa::Status parse_pe(const std::string& option, const std::string& text, vm::TraceFilter& filter) {
  const PartNumber numbers[] = {{"X", filter.x0}, {"Y", filter.y0}};
  const isa::Status status = read_all(option, text, "X,Y", numbers);
  filter.x1 = filter.x0;
  filter.y1 = filter.y0;
  return status;
}

isa::Status parse_rect(const std::string& option, const std::string& text,
                       vm::TraceFilter& filter) {
  const PartNumber numbers[] = {
      {"X0", filter.x0}, {"Y0", filter.y0}, {"X1", filter.x1}, {"Y1", filter.y1}};
  const isa::Status status = read_all(option, text, "X0,Y0,X1,Y1", numbers);
  if (!status || (filter.x0 <= filter.x1 && filter.y0 <= filter.y1)) return status;
  return isa::fail(
      fmt::format("{}: '{}' is empty: from {},{} to {},{}; the first corner is the upper left one",
                  option, text, filter.x0, filter.y0, filter.x1, filter.y1));
}

isa::Status parse_cycles(const std::string& option, const std::string& text,
                         vm::TraceFilter& filter) {
  const auto parts = cut(text, "..");
  if (!parts) return not_of(option + ": ", text, "FIRST..LAST");
  isa::Status status = read(option, "FIRST", parts->first, filter.first);
  if (status) status = read(option, "LAST", parts->second, filter.last);
  if (!status || filter.first <= filter.last) return status;
  return isa::fail(fmt::format("{}: '{}' is empty: FIRST is greater than LAST", option, text));
}

}  // namespace wse::cli
