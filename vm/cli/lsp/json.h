// JSON of strangers: parsing that never throws and never recurses deeply, and members that may be
// missing or of any type.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "vm/cli/lsp/line_table.h"

namespace wse::lsp {

using Json = nlohmann::json;

inline constexpr std::size_t kMostNesting = 64;  // of arrays and objects

// Nothing if the text is no JSON, or is nested more deeply.
std::optional<Json> parse_json(std::string_view text);

// One line. Bytes that are no UTF-8 are replaced.
std::string json_text(const Json& json);

using Path = std::initializer_list<std::string_view>;

// The member at the end of the path; nullptr where there is none.
const Json* member(const Json& json, Path path);
std::optional<std::string> text_at(const Json& json, Path path);
// A whole number from 0 up to 2^32 - 1; larger ones become that, negative ones are ignored.
std::optional<std::uint32_t> number_at(const Json& json, Path path);
bool truth_at(const Json& json, Path path);

std::optional<Position> position_at(const Json& json, Path path);
Json position_json(const Position& position);
// {"start", "end"} of bytes of the text.
Json range_json(const LineTable& table, std::uint32_t begin, std::uint32_t end);

}  // namespace wse::lsp
