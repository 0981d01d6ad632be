// The functions of wse.host that are not about runs, and the table of all.
#include "scripts/host/host_module.h"

#include <fmt/format.h>

#include "scripts/host/binding.h"
#include "scripts/host/files.h"
#include "scripts/host/isa_table.h"
#include "scripts/host/modules.h"
#include "scripts/host/own_machine.h"
#include "scripts/host/records.h"
#include "scripts/host/run.h"
#include "scripts/host/session.h"
#include "scripts/host/sweep.h"
#include "scripts/host/table_reader.h"
#include "scripts/host/user_line.h"
#include "scripts/host/user_values.h"

namespace wse::script {
namespace {

// raise(message): at the user's line that is running
Returned raise(lua_State* L) { return problem(text_at(L, 1).value_or("an error without text")); }

// user_line() -> "row.lua", 12: the user's line that is running, or nothing
Returned user_line(lua_State* L) {
  const UserLine line = find_user_line(L);
  if (line.line == 0) return 0;
  if (!push_text(L, line.file_name())) return problem_on_stack();
  lua_pushinteger(L, line.line);
  return 2;
}

// log(line)
Returned log(lua_State* L) {
  const std::optional<std::string> line = text_at(L, 1);
  if (!line) return problem(fmt::format("wse.log: a text is wanted, not {}", shown_value(L, 1)));
  session_of(L).log(*line);
  return 0;
}

// argument(name) -> text or nothing
Returned argument(lua_State* L) {
  const std::optional<std::string> name = text_at(L, 1);
  if (!name) return problem("wse.argument: the name of an argument is wanted");
  Session& session = session_of(L);
  session.asked.insert(*name);
  const std::string* found = nullptr;
  for (const auto& [known, value] : session.options.arguments) {
    if (known == *name) found = &value;  // the last one counts
  }
  if (found == nullptr) return 0;
  return push_text(L, *found) ? Returned(1) : problem_on_stack();
}

// arguments() -> {name = text}
Returned arguments(lua_State* L) {
  Session& session = session_of(L);
  for (const auto& [name, value] : session.options.arguments) session.asked.insert(name);
  const bool pushed = protect(L, 0, [&session](lua_State* inner) {
    lua_newtable(inner);
    for (const auto& [name, value] : session.options.arguments) {
      lua_pushlstring(inner, value.data(), value.size());
      lua_setfield(inner, -2, name.c_str());
    }
    return 1;
  });
  return pushed ? Returned(1) : problem_on_stack();
}

// generates() -> whether `gen` runs the script, which wants one of its programs
Returned generates(lua_State* L) {
  lua_pushboolean(L, session_of(L).options.capture != 0 ? 1 : 0);
  return 1;
}

// isa() -> the table of `wsevm isa --lua`
Returned isa_table(lua_State* L) {
  const std::string text = isa_lua();
  const bool pushed = protect(L, 0, [&text](lua_State* inner) {
    const int status = luaL_loadbufferx(inner, text.data(), text.size(), "=(wse.isa)", "t");
    if (status != LUA_OK) return lua_error(inner);
    lua_call(inner, 0, 1);
    return 1;
  });
  return pushed ? Returned(1) : problem_on_stack();
}

// machine(name, file or table) -> {name = text, parameter = value}; without one that of the
// command line
Returned machine(lua_State* L) {
  auto machine = session_of(L).options.defaults.machine;
  if (!lua_isnoneornil(L, 1)) {
    auto chosen = machine_of_value(L, 1);
    if (!chosen && chosen.error().on_stack) return std::unexpected(chosen.error());
    if (!chosen) return problem("wse.machine: " + chosen.error().message);
    machine = std::move(*chosen);
  }
  const bool pushed = protect(L, 0, [&machine](lua_State* inner) {
    lua_newtable(inner);
    lua_pushlstring(inner, machine.profile.name.data(), machine.profile.name.size());
    lua_setfield(inner, -2, "name");
    for (const isa::ParameterInfo& parameter : isa::kParameters) {
      lua_pushlstring(inner, parameter.name.data(), parameter.name.size());
      lua_pushinteger(inner, machine.profile.*parameter.member);
      lua_rawset(inner, -3);
    }
    return 1;
  });
  return pushed ? Returned(1) : problem_on_stack();
}

constexpr luaL_Reg kFunctions[] = {
    {"raise", bind<raise>},
    {"user_line", bind<user_line>},
    {"log", bind<log>},
    {"read_text", bind<read_text>},
    {"write_text", bind<write_text>},
    {"argument", bind<argument>},
    {"arguments", bind<arguments>},
    {"isa", bind<isa_table>},
    {"machine", bind<machine>},
    {"user", bind<set_user_values>},
    {"run", bind<run>},
    {"read_array", bind<read_array>},
    {"read_symbol", bind<read_symbol>},
    {"save_array", bind<save_array>},
    {"append_text", bind<append_text>},
    {"run_points", bind<run_points>},
    {"generates", bind<generates>},
    {nullptr, nullptr},
};

}  // namespace

void open_host_module(lua_State* L) {
  open_records(L);
  lua_newtable(L);
  luaL_setfuncs(L, kFunctions, 0);
  provide_module(L, "wse.host");
}

}  // namespace wse::script
