// Values in messages.
#include "scripts/host/table_reader.h"

namespace wse::script {
namespace {
constexpr std::size_t kShownCharacters = 40;
}

std::string shown_value(lua_State* L, int index) {
  switch (lua_type(L, index)) {
    case LUA_TSTRING: return fmt::format("'{}'", text_at(L, index)->substr(0, kShownCharacters));
    case LUA_TNUMBER:
      return lua_isinteger(L, index) != 0 ? fmt::format("{}", lua_tointeger(L, index))
                                          : fmt::format("{}", lua_tonumber(L, index));
    case LUA_TBOOLEAN: return lua_toboolean(L, index) != 0 ? "true" : "false";
    case LUA_TNONE:
    case LUA_TNIL: return "nil";
    default: return fmt::format("a {}", lua_typename(L, lua_type(L, index)));
  }
}

}  // namespace wse::script
