// Takes numbers, texts, flags, and tables of these.
#include "scripts/host/user_values.h"

#include <fmt/format.h>

#include "scripts/host/session.h"
#include "scripts/host/table_reader.h"

namespace wse::script {
namespace {

// Memory that values take until the record is written, and that writing them takes.
struct Size {
  std::uint64_t values = 0;
  std::uint64_t text_bytes = 0;

  std::uint64_t instructions() const { return 100 * values + text_bytes; }
  std::uint64_t bytes_held() const { return 128 * values + text_bytes; }
  friend Size operator+(Size a, Size b) {
    return {a.values + b.values, a.text_bytes + b.text_bytes};
  }
};

Size size_of(const UserScalar& scalar) {
  const auto* const text = std::get_if<std::string>(&scalar);
  return {1, text == nullptr ? 0 : text->size()};
}

Size size_of(const UserValue& value) {
  Size size;
  if (const auto* scalar = std::get_if<UserScalar>(&value)) return size_of(*scalar);
  if (const auto* list = std::get_if<UserList>(&value)) {
    for (const UserScalar& scalar : *list) size = size + size_of(scalar);
    return size;
  }
  for (const auto& [name, scalar] : std::get<UserTable>(value)) {
    size = size + Size{0, name.size()} + size_of(scalar);
  }
  return size;
}

isa::Result<UserValue> list_on_top(lua_State* L) {
  UserList list;
  const auto size = static_cast<lua_Integer>(lua_rawlen(L, -1));
  for (lua_Integer k = 1; k <= size; ++k) {
    lua_rawgeti(L, -1, k);
    isa::Result<UserScalar> scalar = scalar_on_top(L);
    lua_pop(L, 1);
    if (!scalar) return isa::fail(fmt::format("[{}]: {}", k, scalar.error()));
    list.push_back(std::move(*scalar));
  }
  return list;
}

isa::Result<UserValue> value_on_top(lua_State* L) {
  if (!lua_istable(L, -1)) return scalar_on_top(L);
  if (lua_rawlen(L, -1) > 0) return list_on_top(L);
  UserTable table;
  const isa::Status status = for_each_field(L, -1, [&](const std::string& name) -> isa::Status {
    isa::Result<UserScalar> scalar = scalar_on_top(L);
    if (!scalar) return isa::fail(fmt::format("{}: {}", name, scalar.error()));
    table[name] = std::move(*scalar);
    return {};
  });
  if (!status) return isa::fail(status.error());
  return table;
}

}  // namespace

isa::Result<UserScalar> scalar_on_top(lua_State* L) {
  if (std::optional<std::string> text = text_at(L, -1)) return std::move(*text);
  if (lua_isboolean(L, -1)) return lua_toboolean(L, -1) != 0;
  if (lua_isinteger(L, -1) != 0) return static_cast<std::int64_t>(lua_tointeger(L, -1));
  if (lua_type(L, -1) == LUA_TNUMBER) return static_cast<double>(lua_tonumber(L, -1));
  return isa::fail(fmt::format("a number, a text or a flag is wanted, not {}", shown_value(L, -1)));
}

Returned set_user_values(lua_State* L) {
  if (session_of(L).sweeps > 0) {
    return problem(
        "wse.user: not inside wse.sweep, where points run in processes of their own; "
        "return the values from run");
  }
  if (!lua_istable(L, 1)) {
    return problem(fmt::format("wse.user: a table is wanted, not {}", shown_value(L, 1)));
  }
  Limits& limits = limits_of(L);
  auto& user = session_of(L).result.user;
  bool within_limits = true;
  const isa::Status status = for_each_field(L, 1, [&](const std::string& name) -> isa::Status {
    isa::Result<UserValue> value = value_on_top(L);
    if (!value) return isa::fail(fmt::format("{}: {}", name, value.error()));
    const Size size = size_of(*value) + Size{1, name.size()};
    within_limits = limits.charge(size.instructions()) && limits.hold(size.bytes_held());
    if (!within_limits) return isa::fail(limits.text());
    if (const auto before = user.find(name); before != user.end()) {
      limits.release((size_of(before->second) + Size{1, name.size()}).bytes_held());
    }
    user[name] = std::move(*value);
    return {};
  });
  if (!within_limits) return problem(status.error());
  if (!status) return problem("wse.user: " + status.error());
  return 0;
}

}  // namespace wse::script
