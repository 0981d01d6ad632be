// The data types of symbols and parameters, from types.def.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

namespace wse::isa {

enum class Type : std::uint8_t {
#define TYPE(name, text, bytes, numpy) name,
#include "isa/instruction/types.def"
#undef TYPE
};

struct TypeInfo {
  Type type;
  std::string_view text;
  std::uint32_t bytes;
  std::string_view numpy;  // dtype of an exported array; empty: cannot be stored
};

inline constexpr TypeInfo kTypes[] = {
#define TYPE(name, text, bytes, numpy) {Type::name, text, bytes, numpy},
#include "isa/instruction/types.def"
#undef TYPE
};
inline constexpr std::size_t kTypeCount = std::size(kTypes);

constexpr const TypeInfo& info(Type type) { return kTypes[static_cast<int>(type)]; }
constexpr bool is_float(Type type) { return type == Type::F32 || type == Type::F16; }

constexpr std::optional<Type> type_named(std::string_view text) {
  for (const TypeInfo& row : kTypes) {
    if (row.text == text) return row.type;
  }
  return std::nullopt;
}

// "i32, u32": the types whose row is one of those that `wanted` accepts, for messages.
template <class Wanted>
std::string type_list(Wanted wanted) {
  std::string list;
  for (const TypeInfo& row : kTypes) {
    if (!wanted(row)) continue;
    if (!list.empty()) list += ", ";
    list += row.text;
  }
  return list;
}

}  // namespace wse::isa
