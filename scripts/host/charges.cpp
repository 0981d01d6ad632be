// The table, and the closure that charges before it calls.
#include "scripts/host/charges.h"

#include <algorithm>
#include <string_view>

#include "scripts/host/limits.h"

namespace wse::script {
namespace {

// For the parser and what the text does, about 100 KB.
constexpr std::uint64_t kIsaTable = 500'000;

constexpr Charge kCharges[] = {
    {"assert", costs::values},
    {"collectgarbage", costs::collection},
    {"error", kShort},
    {"getmetatable", kShort},
    {"ipairs", kShort},
    {"ipairs iterator", kShort},
    {"load", kItself},
    {"load reader", kItself},
    {"next", kShort},
    {"pairs", kShort},
    {"pcall", kShort},
    {"print", kItself},
    {"rawequal", costs::texts},
    {"rawget", kShort},
    {"rawlen", kShort},
    {"rawset", kShort},
    {"require", kItself},
    {"select", costs::values},
    {"setmetatable", kShort},
    {"tonumber", costs::texts},
    {"tostring", kShort},
    {"type", kShort},
    {"xpcall", kShort},
    {"a refusal", kShort},

    {"string.byte", costs::bytes},
    {"string.char", costs::values},
    {"string.find", kItself},
    {"string.format", costs::texts},
    {"string.gmatch", kItself},
    {"string.gmatch iterator", kItself},
    {"string.gsub", kItself},
    {"string.len", kShort},
    {"string.lower", costs::texts},
    {"string.match", kItself},
    {"string.pack", costs::texts},
    {"string.packsize", costs::texts},
    {"string.rep", costs::repeated},
    {"string.reverse", costs::texts},
    {"string.sub", kShort},
    {"string.unpack", costs::unpacked},
    {"string.upper", costs::texts},
    {"string.__add", costs::texts},  // of texts that are numbers
    {"string.__div", costs::texts},
    {"string.__idiv", costs::texts},
    {"string.__mod", costs::texts},
    {"string.__mul", costs::texts},
    {"string.__pow", costs::texts},
    {"string.__sub", costs::texts},
    {"string.__unm", costs::texts},

    {"table.concat", costs::concat},
    {"table.insert", costs::insert},
    {"table.move", costs::move},
    {"table.pack", costs::values},
    {"table.remove", costs::remove},
    {"table.sort", costs::sort},
    {"table.unpack", costs::unpack},

    {"math.abs", kShort},
    {"math.acos", kShort},
    {"math.asin", kShort},
    {"math.atan", kShort},
    {"math.ceil", kShort},
    {"math.cos", kShort},
    {"math.cosh", kShort},
    {"math.deg", kShort},
    {"math.exp", kShort},
    {"math.floor", kShort},
    {"math.fmod", kShort},
    {"math.frexp", kShort},
    {"math.ldexp", kShort},
    {"math.log", kShort},
    {"math.log10", kShort},
    {"math.max", costs::values},
    {"math.min", costs::values},
    {"math.modf", kShort},
    {"math.pow", kShort},
    {"math.rad", kShort},
    {"math.random", kShort},
    {"math.randomseed", kShort},
    {"math.sin", kShort},
    {"math.sinh", kShort},
    {"math.sqrt", kShort},
    {"math.tan", kShort},
    {"math.tanh", kShort},
    {"math.tointeger", costs::texts},
    {"math.type", kShort},
    {"math.ult", kShort},

    {"utf8.char", costs::values},
    {"utf8.codepoint", costs::bytes},
    {"utf8.codes", kShort},
    {"utf8.codes iterator", costs::next_character},
    {"utf8.len", costs::characters},
    {"utf8.offset", costs::way},

    {"coroutine.close", kShort},
    {"coroutine.create", fixed<1000>},  // what it does before it is first looked at
    {"coroutine.isyieldable", kShort},
    {"coroutine.resume", costs::values},
    {"coroutine.running", kShort},
    {"coroutine.status", kShort},
    {"coroutine.wrap", fixed<1000>},
    {"coroutine.wrap function", kItself},
    {"coroutine.yield", costs::values},

    {"os.clock", kShort},
    {"os.date", costs::date},
    {"os.difftime", kShort},
    {"os.time", kShort},
    {"io.write", kItself},
    {"debug.traceback", fixed<10'000>},  // of a deep stack

    {"wse.host.append_text", kItself},
    {"wse.host.argument", kItself},
    {"wse.host.arguments", kItself},
    {"wse.host.begin_sweep", kShort},
    {"wse.host.compare_array", kItself},
    {"wse.host.continue_text", kItself},
    {"wse.host.end_share", kShort},
    {"wse.host.end_sweep", kShort},
    {"wse.host.follow_sweep", kItself},
    {"wse.host.generates", kShort},
    {"wse.host.has_file", fixed<10'000>},
    {"wse.host.inputs_digest", kItself},
    {"wse.host.isa", fixed<kIsaTable>},
    {"wse.host.log", kItself},
    {"wse.host.machine", kItself},
    {"wse.host.no_more_arguments", kItself},
    {"wse.host.profile_arrays", kItself},
    {"wse.host.raise", costs::texts},
    {"wse.host.raise_bad_end", costs::texts},
    {"wse.host.read_array", kItself},
    {"wse.host.read_profile", kItself},
    {"wse.host.read_symbol", kItself},
    {"wse.host.read_text", kItself},
    {"wse.host.record_checkpoint", kItself},
    {"wse.host.record_path", kItself},
    {"wse.host.record_why", kItself},
    {"wse.host.run", kItself},
    {"wse.host.run_points", kItself},
    {"wse.host.save_array", kItself},
    {"wse.host.session_checkpoint", kItself},
    {"wse.host.session_close", kShort},
    {"wse.host.session_cycle", kShort},
    {"wse.host.session_launch", kItself},
    {"wse.host.session_profile", kItself},
    {"wse.host.session_profiles", kItself},
    {"wse.host.session_read", kItself},
    {"wse.host.session_receive", kItself},
    {"wse.host.session_record", kItself},
    {"wse.host.session_run", kItself},
    {"wse.host.session_send", kItself},
    {"wse.host.session_set", kItself},
    {"wse.host.session_state", kShort},
    {"wse.host.session_symbol", kItself},
    {"wse.host.session_tasks", kItself},
    {"wse.host.session_write", kItself},
    {"wse.host.share_of_points", kShort},
    {"wse.host.start", kItself},
    {"wse.host.team_role", kShort},
    {"wse.host.user", kItself},
    {"wse.host.user_line", kShort},
    {"wse.host.wants_text", kShort},
    {"wse.host.write_picture", kItself},
    {"wse.host.write_report", kItself},
    {"wse.host.write_text", kItself},
};

constexpr const char* kDeclared = "wse.charged";  // in the registry: C function -> true

const Charge* find_charge(std::string_view name) {
  const auto found = std::ranges::find(kCharges, name, &Charge::name);
  return found == std::end(kCharges) ? nullptr : &*found;
}

const Charge& charge_of(lua_State* L, const char* name) {
  const Charge* const charge = find_charge(name);
  if (charge == nullptr) luaL_error(L, "%s has no charge (scripts/host/charges.cpp)", name);
  return *charge;
}

void note(lua_State* L, lua_CFunction function) {
  luaL_getsubtable(L, LUA_REGISTRYINDEX, kDeclared);
  lua_pushcfunction(L, function);
  lua_pushboolean(L, 1);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

// Upvalues: its row of the table, the function. It runs in this very frame.
int call_charged(lua_State* L) {
  const auto& charge = *static_cast<const Charge*>(lua_touserdata(L, lua_upvalueindex(1)));
  limits_of(L).charge_or_raise(L, charge.cost(L));
  return lua_tocfunction(L, lua_upvalueindex(2))(L);
}

// The full name stays on the stack, where Lua keeps it.
const char* push_full_name(lua_State* L, const char* library, const char* name) {
  return *library == '\0' ? lua_pushstring(L, name) : lua_pushfstring(L, "%s.%s", library, name);
}

bool has_upvalues(lua_State* L, int index) {
  if (lua_getupvalue(L, index, 1) == nullptr) return false;
  lua_pop(L, 1);
  return true;
}

void push_charged(lua_State* L, const Charge& charge, lua_CFunction function) {
  if (charge.cost == kShort) {
    note(L, function);
    lua_pushcfunction(L, function);
    return;
  }
  lua_pushlightuserdata(L, const_cast<Charge*>(&charge));
  lua_pushcfunction(L, function);
  lua_pushcclosure(L, call_charged, 2);
}

}  // namespace

std::span<const Charge> charges() { return kCharges; }

void declare(lua_State* L, const char* name, lua_CFunction function) {
  if (charge_of(L, name).cost != kItself) luaL_error(L, "%s: a closure charges by itself", name);
  note(L, function);
}

bool is_charged(lua_State* L, int index) {
  const lua_CFunction function = lua_tocfunction(L, index);
  if (function == call_charged) return true;
  luaL_getsubtable(L, LUA_REGISTRYINDEX, kDeclared);
  lua_pushcfunction(L, function);
  const bool declared = lua_rawget(L, -2) != LUA_TNIL;
  lua_pop(L, 2);
  return declared;
}

void set_function(lua_State* L, const char* library, const char* name, lua_CFunction function) {
  push_charged(L, charge_of(L, push_full_name(L, library, name)), function);
  lua_setfield(L, -3, name);
  lua_pop(L, 1);
}

void set_instead(lua_State* L, const char* library, const char* name, lua_CFunction function) {
  declare(L, push_full_name(L, library, name), function);
  lua_getfield(L, -2, name);
  lua_pushcclosure(L, function, 1);
  lua_setfield(L, -3, name);
  lua_pop(L, 1);
}

void keep_charged(lua_State* L, const char* library) {
  const int table = lua_gettop(L);
  lua_pushnil(L);
  while (lua_next(L, table) != 0) {
    const bool plain = lua_iscfunction(L, -1) != 0 && lua_type(L, -2) == LUA_TSTRING;
    if (plain && !is_charged(L, -1)) {
      const char* const name = lua_tostring(L, -2);
      if (find_charge(push_full_name(L, library, name)) == nullptr) {
        lua_pushnil(L);
      } else {
        lua_pushvalue(L, -2);
        charge_top(L, lua_tostring(L, -2));
      }
      lua_setfield(L, table, name);  // a field that is there: lua_next allows it
    }
    lua_settop(L, table + 1);
  }
}

void charge_top(lua_State* L, const char* name) {
  const Charge& charge = charge_of(L, name);
  const lua_CFunction function = lua_tocfunction(L, -1);
  if (has_upvalues(L, -1)) {
    if (charge.cost != kShort) luaL_error(L, "%s: a closure charges by itself", name);
    note(L, function);
    return;
  }
  push_charged(L, charge, function);
  lua_replace(L, -2);
}

}  // namespace wse::script
