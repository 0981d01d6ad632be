// The functions of wse.host that are not about runs, and the table of all.
#include "scripts/host/host_module.h"

#include <fmt/format.h>

#include "isa/machine/fabric.h"
#include "isa/support/limits.h"
#include "scripts/host/binding.h"
#include "scripts/host/charges.h"
#include "scripts/host/checkpoints.h"
#include "scripts/host/files.h"
#include "scripts/host/held_session.h"
#include "scripts/host/isa_table.h"
#include "scripts/host/launches.h"
#include "scripts/host/modules.h"
#include "scripts/host/own_machine.h"
#include "scripts/host/past.h"
#include "scripts/host/record_methods.h"
#include "scripts/host/records.h"
#include "scripts/host/report.h"
#include "scripts/host/run.h"
#include "scripts/host/session.h"
#include "scripts/host/sweep.h"
#include "scripts/host/sweep_share.h"
#include "scripts/host/table_reader.h"
#include "scripts/host/team_sweep.h"
#include "scripts/host/user_line.h"
#include "scripts/host/user_values.h"

namespace wse::script {
namespace {

constexpr std::uint64_t kInstructionsPerLine = 100;      // of a log
constexpr std::uint64_t kInstructionsPerArgument = 100;  // that is looked at
constexpr std::uint64_t kInstructionsPerMachine = 5'000;
constexpr std::uint64_t kBytesPerName = 64;  // beside its text

// raise(message): at the user's line that is running
Returned raise(lua_State* L) { return problem(text_at(L, 1).value_or("an error without text")); }

// raise_bad_end(message): the same, of a run that ended badly
Returned raise_bad_end(lua_State* L) {
  return problem(text_at(L, 1).value_or("an error without text"), Ending::EndedBadly);
}

// user_line() -> "m/row.lua", 12, the file as messages name it: the user's line that is running, or
// nothing
Returned user_line(lua_State* L) {
  const UserLine line = find_user_line(L);
  if (line.line == 0) return 0;
  if (!push_text(L, line.source)) return problem_on_stack();
  lua_pushinteger(L, line.line);
  return 2;
}

// log(line)
Returned log(lua_State* L) {
  const std::optional<std::string> line = text_at(L, 1);
  if (!line) return problem(fmt::format("wse.log: a text is wanted, not {}", shown_value(L, 1)));
  Limits& limits = limits_of(L);
  if (!limits.charge(kInstructionsPerLine + line->size())) return problem(limits.text());
  session_of(L).log(*line);
  return 0;
}

// argument(name) -> text or nothing
Returned argument(lua_State* L) {
  const std::optional<std::string> name = text_at(L, 1);
  if (!name) return problem("wse.argument: the name of an argument is wanted");
  Session& session = session_of(L);
  if (!session.limits.charge(kInstructionsPerArgument * (session.options.arguments.size() + 1) +
                             name->size())) {
    return problem(session.limits.text());
  }
  if (session.asked.insert(*name).second && !session.limits.hold(kBytesPerName + name->size())) {
    return problem(session.limits.text());
  }
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
  if (!session.limits.charge(kInstructionsPerArgument * (session.options.arguments.size() + 1))) {
    return problem(session.limits.text());
  }
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

// no_more_arguments(): an error if one was given that was not asked for; it is the command line
// that is wrong, and no line of the script
Returned no_more_arguments(lua_State* L) {
  Session& session = session_of(L);
  const std::size_t looked_at = session.options.arguments.size() + session.asked.size();
  if (!session.limits.charge(kInstructionsPerArgument * (looked_at + 1))) {
    return problem(session.limits.text());
  }
  const std::optional<std::string> unknown = session.unknown_argument(true);
  if (!unknown) return 0;
  push_text(L, *unknown);
  return problem_on_stack();
}

// generates() -> whether `gen` runs the script, which wants one of its programs
Returned generates(lua_State* L) {
  lua_pushboolean(L, session_of(L).options.capture != 0 ? 1 : 0);
  return 1;
}

// wants_text() -> whether `gen` wants the text of the program that runs next, and not its run
Returned wants_text(lua_State* L) {
  const Session& session = session_of(L);
  lua_pushboolean(L, session.options.capture == session.programs + 1 ? 1 : 0);
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

// Sets the field `intervals` of the table on top of the stack, {parameter = {low, high}}.
void set_intervals(lua_State* L, const isa::Intervals& intervals) {
  lua_newtable(L);
  for (const auto& [name, interval] : intervals) {
    lua_pushlstring(L, name.data(), name.size());
    lua_createtable(L, 2, 0);
    lua_pushinteger(L, interval.low);
    lua_rawseti(L, -2, 1);
    lua_pushinteger(L, interval.high);
    lua_rawseti(L, -2, 2);
    lua_rawset(L, -3);
  }
  lua_setfield(L, -2, "intervals");
}

// machine(name, file or table) -> {name = text, parameter = value, intervals = table}; without one
// that of the command line
Returned machine(lua_State* L) {
  if (!limits_of(L).charge(kInstructionsPerMachine)) return problem(limits_of(L).text());
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
    set_intervals(inner, machine.intervals);
    return 1;
  });
  return pushed ? Returned(1) : problem_on_stack();
}

constexpr const char* kHostModule = "wse.host";

constexpr luaL_Reg kFunctions[] = {
    {"raise", bind<raise>},
    {"raise_bad_end", bind<raise_bad_end>},
    {"user_line", bind<user_line>},
    {"log", bind<log>},
    {"read_text", bind<read_text>},
    {"write_text", bind<write_text>},
    {"write_picture", bind<write_picture>},
    {"argument", bind<argument>},
    {"arguments", bind<arguments>},
    {"no_more_arguments", bind<no_more_arguments>},
    {"isa", bind<isa_table>},
    {"machine", bind<machine>},
    {"user", bind<set_user_values>},
    {"run", bind<run>},
    {"start", bind<start_session>},
    {"session_launch", bind<session_launch>},
    {"session_run", bind<session_run>},
    {"session_record", bind<session_record>},
    {"session_cycle", bind<session_cycle>},
    {"session_state", bind<session_state>},
    {"session_tasks", bind<session_tasks>},
    {"session_checkpoint", bind<session_checkpoint>},
    {"session_close", bind<session_close>},
    {"session_write", bind<session_write>},
    {"session_read", bind<session_read>},
    {"session_symbol", bind<session_symbol>},
    {"session_set", bind<session_set>},
    {"session_send", bind<session_send>},
    {"session_receive", bind<session_receive>},
    {"session_profile", bind<session_profile>},
    {"session_profiles", bind<session_profiles>},
    {"read_array", bind<read_array>},
    {"read_symbol", bind<read_symbol>},
    {"profile_arrays", bind<profile_arrays>},
    {"read_profile", bind<read_profile>},
    {"compare_array", bind<compare_array>},
    {"save_array", bind<save_array>},
    {"record_checkpoint", bind<record_checkpoint>},
    {"record_path", bind<record_path>},
    {"record_why", bind<record_why>},
    {"append_text", bind<append_text>},
    {"continue_text", bind<continue_text>},
    {"write_report", bind<write_report>},
    {"run_points", bind<run_points>},
    {"team_role", bind<team_role>},
    {"begin_sweep", bind<begin_sweep>},
    {"end_sweep", bind<end_sweep>},
    {"follow_sweep", bind<follow_sweep>},
    {"share_of_points", bind<share_of_points>},
    {"has_file", bind<has_file>},
    {"inputs_digest", bind<inputs_digest>},
    {"end_share", bind<end_share>},
    {"generates", bind<generates>},
    {"wants_text", bind<wants_text>},
};

// The names of the types that data may have, as a list.
void push_types(lua_State* L) {
  lua_newtable(L);
  for (const isa::TypeInfo& type : isa::kTypes) {
    if (type.numpy.empty()) continue;
    lua_pushlstring(L, type.text.data(), type.text.size());
    lua_rawseti(L, -2, static_cast<lua_Integer>(lua_rawlen(L, -2)) + 1);
  }
}

// The names of the pop modes, as a list.
void push_pop_modes(lua_State* L) {
  lua_newtable(L);
  for (lua_Integer k = 0; k < static_cast<lua_Integer>(isa::kPopModes); ++k) {
    const std::string_view text = isa::kPopModeTexts[k];
    lua_pushlstring(L, text.data(), text.size());
    lua_rawseti(L, -2, k + 1);
  }
}

}  // namespace

void open_host_module(lua_State* L) {
  open_records(L);
  open_sessions(L);
  lua_newtable(L);
  for (const luaL_Reg& function : kFunctions) {
    set_function(L, kHostModule, function.name, function.func);
  }
  push_types(L);
  lua_setfield(L, -2, "types");
  push_pop_modes(L);
  lua_setfield(L, -2, "pop_modes");
  lua_pushinteger(L, isa::kMaxPositions);
  lua_setfield(L, -2, "switch_positions");
  provide_module(L, kHostModule);
}

}  // namespace wse::script
