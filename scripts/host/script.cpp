// Makes the state, runs the script in it, and says how it ended.
#include "scripts/host/script.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>

#include "isa/support/own_file.h"
#include "scripts/host/binding.h"
#include "scripts/host/costs.h"
#include "scripts/host/host_module.h"
#include "scripts/host/own_machine.h"
#include "scripts/host/sandbox.h"
#include "scripts/host/session.h"
#include "scripts/host/sweep_share.h"
#include "scripts/host/team.h"
#include "scripts/host/user_line.h"

namespace wse::script {
namespace {

struct Closer {
  void operator()(lua_State* L) const { lua_close(L); }
};
using State = std::unique_ptr<lua_State, Closer>;

State make_state(Session& session) {
  State state(lua_newstate(&Limits::allocate, &session.limits));
  if (state) *static_cast<Session**>(lua_getextraspace(state.get())) = &session;
  return state;
}

bool open_state(lua_State* L, bool unsafe) {
  return protect(L, 0, [unsafe](lua_State* inner) {
    if (unsafe) {
      open_everything(inner);
    } else {
      open_sandbox(inner);
    }
    lua_settop(inner, 0);
    open_host_module(inner);
    return 0;
  });
}

// The message handler: the stack of the error is still there. Leaves the error as it is.
int keep_traceback(lua_State* L) {
  try {
    session_of(L).traceback = user_traceback(L);
  } catch (...) {  // no memory: no traceback
  }
  return 1;
}

// A first line "#!..." is for the shell; the numbers of lines stay.
std::string_view without_shebang(std::string_view source) {
  return source.starts_with("#!") ? source.substr(std::min(source.find('\n'), source.size()))
                                  : source;
}

// True, or the error value is on top.
bool run_source(lua_State* L, std::string_view source, const std::string& name) {
  const std::string chunk = "@" + name;
  const bool within_limits = limits_of(L).charge(compile_cost(source.size()));
  if (!within_limits && limits_of(L).tripped() == Trip::Instructions) {
    push_text(L, fmt::format("{}: {}", name, limits_of(L).text()));
    return false;
  }
  if (luaL_loadbufferx(L, source.data(), source.size(), chunk.c_str(), "t") != LUA_OK) return false;
  lua_pushcfunction(L, keep_traceback);
  lua_insert(L, -2);
  const int status = lua_pcall(L, 0, 0, -2);
  if (status == LUA_ERRMEM) limits_of(L).trip(Trip::Memory);
  return status == LUA_OK;
}

// Tells what was raised and not caught, with its lines if there is more than the one it names.
void fail(lua_State* L, Session& session) {
  ScriptResult& result = session.result;
  result.message = text_of_error(L);
  result.ending = session.ending_of(result.message);
  if (session.limits.tripped() == Trip::Rank) {  // whole, however long
    result.message = fmt::format("{}: {}", session.options.file, session.limits.text());
  }
  if (session.limits.tripped() == Trip::Memory) {
    result.message = fmt::format("{}: {}", session.options.file, session.limits.text());
  }
  const bool several = session.traceback.find('\n', 1) != std::string::npos;
  if (several) result.message += "\ncalled from" + session.traceback;
  if (result.ending == Ending::Fine) result.message.clear();
}

// An argument of the command line that was never asked for is a mistake of the user; unless points
// of a sweep were left out, which might have asked.
void check_arguments(Session& session) {
  if (session.points_left_out) return;
  const std::optional<std::string> unknown = session.unknown_argument(false);
  if (!unknown) return;
  session.result.ending = Ending::BadInput;
  session.result.message = *unknown;
}

void check_captured(Session& session) {
  if (session.options.capture == 0) return;
  session.result.ending = Ending::BadInput;
  session.result.message =
      fmt::format("{}: it ran {} programs; there is no number {}", session.options.file,
                  session.programs, session.options.capture);
}

// Does what all ranks do before the script and after it.
class TeamWork {
 public:
  explicit TeamWork(Session& session) : session_(session), team_(session.team) {}

  // False: the script must not begin.
  bool begin() {
    if (team_ == nullptr) return true;
    const TeamResult<void> begun =
        team_->begin({{"wsevm", fmt::format("{:016x}", isa::own_file_hash())},
                      {"script, argument, machine or option", inputs_text(session_)}});
    if (begun) return true;
    session_.result.ending = begun.error().ending;
    session_.result.message = begun.error().message;
    return false;
  }

  void finish() {
    if (team_ == nullptr) return;
    TeamEnd end = team_->finish({session_.result.ending, session_.result.message});
    session_.result.ending = end.ending;
    session_.result.message = std::move(end.message);
  }

 private:
  Session& session_;
  Team* team_;
};

GiveUp give_up_for(const Options& options) {
  if (options.unsafe || !options.give_up) return {};
  return [&options](const std::string& why) {
    options.give_up(fmt::format("{}: {}", options.file, why));
  };
}

}  // namespace

ScriptResult run_script(const std::string& source, const Options& options, isa::InputList& inputs) {
  Session session(options, inputs);
  const State state = make_state(session);
  lua_State* const L = state.get();
  if (L == nullptr || !open_state(L, options.unsafe)) {
    return {
        Ending::Exhausted, fmt::format("{}: {}", options.file, session.limits.text()), {}, {}, {}};
  }
  Limits::watch(L);
  session.note_code(source);
  TeamWork team(session);
  if (!team.begin()) {
    team.finish();
    return std::move(session.result);
  }
  const Watch watch(session.limits, give_up_for(options));
  if (!run_source(L, without_shebang(source), options.file)) {
    fail(L, session);
  } else {
    check_captured(session);
    if (session.result.ending == Ending::Fine) check_arguments(session);
  }
  team.finish();
  return std::move(session.result);
}

isa::Result<isa::MeasuredProfile> read_machine(const std::string& source, const Options& options,
                                               isa::InputList& inputs) {
  Session session(options, inputs);
  const State state = make_state(session);
  lua_State* const L = state.get();
  if (L == nullptr || !open_state(L, false)) {
    return isa::fail(fmt::format("{}: {}", options.file, session.limits.text()));
  }
  Limits::watch(L);
  const Watch watch(session.limits, give_up_for(options));
  auto machine = file_machine(L, source, options.file);
  if (machine) return std::move(*machine);
  const BindingError& problem = machine.error();
  return isa::fail(problem.on_stack ? text_of_error(L) : problem.message);
}

}  // namespace wse::script
