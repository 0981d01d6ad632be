// Looks at the nesting before the library does.
#include "vm/cli/lsp/json.h"

#include <algorithm>
#include <limits>

namespace wse::lsp {
namespace {

bool is_nested_deeply(std::string_view text) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (in_string) {
      if (c == '\\') ++k;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kMostNesting) return true;
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return false;
}

}  // namespace

std::optional<Json> parse_json(std::string_view text) {
  if (is_nested_deeply(text)) return std::nullopt;
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return std::nullopt;
  return json;
}

std::string json_text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

const Json* member(const Json& json, Path path) {
  const Json* found = &json;
  for (const std::string_view name : path) {
    if (!found->is_object()) return nullptr;
    const auto inner = found->find(name);
    if (inner == found->end()) return nullptr;
    found = &*inner;
  }
  return found;
}

std::optional<std::string> text_at(const Json& json, Path path) {
  const Json* found = member(json, path);
  if (found == nullptr || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

std::optional<std::uint32_t> number_at(const Json& json, Path path) {
  const Json* found = member(json, path);
  if (found == nullptr || !found->is_number_integer()) return std::nullopt;
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  if (found->is_number_unsigned()) {
    return static_cast<std::uint32_t>(std::min(found->get<std::uint64_t>(), kMost));
  }
  return std::nullopt;  // a signed one is negative
}

bool truth_at(const Json& json, Path path) {
  const Json* found = member(json, path);
  return found != nullptr && found->is_boolean() && found->get<bool>();
}

std::optional<Position> position_at(const Json& json, Path path) {
  const Json* found = member(json, path);
  if (found == nullptr) return std::nullopt;
  const auto line = number_at(*found, {"line"});
  const auto character = number_at(*found, {"character"});
  if (!line || !character) return std::nullopt;
  return Position{*line, *character};
}

Json position_json(const Position& position) {
  return {{"line", position.line}, {"character", position.character}};
}

Json range_json(const LineTable& table, std::uint32_t begin, std::uint32_t end) {
  return {{"start", position_json(table.position(begin))},
          {"end", position_json(table.position(end))}};
}

}  // namespace wse::lsp
