// Starts sessions, launches, and lets time go on.
#include "scripts/host/launches.h"

#include <fmt/format.h>

#include <utility>

#include "scripts/host/arrays.h"
#include "scripts/host/asked_session.h"
#include "scripts/host/checkpoints.h"
#include "scripts/host/inputs.h"
#include "scripts/host/making.h"
#include "scripts/host/table_reader.h"
#include "vm/run/memory_need.h"

namespace wse::script {
namespace {

constexpr Caller kStart = "wse.start";
constexpr std::uint64_t kPesPerInstruction = 4;  // that a launch looks at

vm::RunOptions options_of(Session& session, const RunSpec& spec) {
  vm::RunOptions options{.profile = spec.profile};
  if (spec.options.max_cycles) options.max_cycles = *spec.options.max_cycles;
  options.tsc_skew = spec.options.tsc_skew;
  options.jitter = spec.options.jitter;
  options.interrupt = session.limits.interrupt();
  options.print = [&session](std::string_view line) { session.log(line); };
  return options;
}

// Refuses fields that a session has not.
isa::Status check_spec(const RunSpec& spec) {
  if (spec.mark_times) return isa::fail("mark_times is for wse.run");
  if (spec.path) return isa::fail("path is for wse.run, of a whole run");
  if (spec.options.interval) return isa::fail("interval is for wse.run: launch on both machines");
  return {};
}

Done charge_launch(lua_State* L, const vm::Session& session) {
  const isa::Image& image = session.machine().image();
  const std::uint64_t pes = std::uint64_t{image.width} * image.height;
  Limits& limits = limits_of(L);
  if (limits.charge(kInstructionsPerRun + pes / kPesPerInstruction)) return {};
  return problem(limits.text());
}

// The runs of a script list so many launches of a session; then the last one takes the place of the
// one before it, so that a million need no more memory.
constexpr std::uint64_t kMostListed = 1000;

void list_run(Session& script, HeldSession& held, const vm::Record& record) {
  std::vector<vm::Record>& runs = script.result.runs;
  if (held.listed >= kMostListed) {
    if (script.listed_last == held.number && !runs.empty()) runs.back() = record;
    return;
  }
  runs.push_back(record);
  ++held.listed;
  script.listed_last = held.number;
}

// Gives the record to those who look, and pushes it; an error after a bad end, unless that is
// allowed.
Returned tell_run(lua_State* L, HeldSession& held, Caller caller, const isa::Status& status) {
  Session& script = session_of(L);
  vm::Session& session = *held.session;
  vm::Record record = session.record();
  if (!status) record.message = status.error();
  list_run(script, held, record);
  if (held.is_watched) {
    script.options.on_run({session.machine(), record, held.values, &held.sources});
  }
  if (record.status == vm::RunStatus::Interrupted) script.limits.trip(Trip::Interrupted);
  if (const Done written = check_engine_outputs(script); !written) {
    return std::unexpected(written.error());
  }
  const bool is_cut = session.state() == vm::Session::State::Stopped && !session.problem().empty();
  if ((!status || is_cut) && !held.may_fail) return std::unexpected(bad_end(caller, record));
  const bool fine = status && !is_cut;
  return push_launch_record(L, record, fine, session.began()) ? Returned(1) : problem_on_stack();
}

// The arguments of a launch: a list of numbers at the index, or nothing.
std::expected<std::vector<isa::Number>, BindingError> asked_arguments(lua_State* L, int index) {
  std::vector<isa::Number> numbers;
  if (lua_isnoneornil(L, index)) return numbers;
  if (!lua_istable(L, index) || lua_rawlen(L, index) > isa::kMaxLaunchArguments + 1) {
    return problem(fmt::format("s:launch: the arguments are a list of at most {} numbers, not {}",
                               isa::kMaxLaunchArguments, shown_value(L, index)));
  }
  for (lua_Integer k = 1; k <= static_cast<lua_Integer>(lua_rawlen(L, index)); ++k) {
    lua_rawgeti(L, index, k);
    const bool is_number = lua_type(L, -1) == LUA_TNUMBER;
    if (lua_isinteger(L, -1) != 0) {
      numbers.push_back(isa::Number::of(static_cast<std::int64_t>(lua_tointeger(L, -1))));
    } else if (is_number) {
      numbers.push_back(isa::Number::of(lua_tonumber(L, -1)));
    }
    const std::string given = is_number ? "" : shown_value(L, -1);
    lua_pop(L, 1);
    if (!is_number) {
      return problem(fmt::format("s:launch: argument {}: a number is wanted, not {}", k, given));
    }
  }
  return numbers;
}

std::expected<HeldSession, BindingError> make_session(lua_State* L, RunSpec& spec,
                                                      AssembledProgram program) {
  Session& script = session_of(L);
  const bool watched = is_watched(script);
  spec.profile = spec.profile || (watched && script.options.profiles);
  const Kept kept{.profile = spec.profile,
                  .lines = watched && counts_lines(script.options, program.image),
                  .launches = true};
  auto made = make_machine(L, kStart, std::move(program.image), spec.options.machine.profile, kept);
  if (!made) return std::unexpected(made.error());
  if (const Done set = set_inputs(L, kStart, 1, **made); !set) return std::unexpected(set.error());
  auto [machine, bytes] = made->take();
  return HeldSession{.bytes = std::move(bytes),
                     .session = vm::Session::of(std::move(machine), options_of(script, spec)),
                     .number = script.programs,
                     .listed = 0,
                     .may_fail = spec.allow_failure,
                     .is_watched = watched,
                     .values = spec.program.values,
                     .sources = std::move(program.sources)};
}

}  // namespace

Returned start_session(lua_State* L) {
  Session& script = session_of(L);
  lua_settop(L, 1);
  isa::Result<RunSpec> spec = read_run_spec(L, 1, script);
  if (!spec) return problem("wse.start: " + spec.error());
  if (const isa::Status fits = check_spec(*spec); !fits) {
    return problem("wse.start: " + fits.error());
  }
  if (const Done chosen = choose_machine(L, kStart, *spec); !chosen) {
    return std::unexpected(chosen.error());
  }
  if (is_captured(script, *spec)) {
    return problem(script.result.captured.empty() ? "an image has no text" : "finished");
  }
  if (!script.limits.charge(cost_of(spec->program))) return problem(script.limits.text());
  isa::Result<AssembledProgram> program = make_image(script, spec->program, spec->options);
  if (!program) return problem("wse.start: " + program.error());
  auto held = make_session(L, *spec, std::move(*program));
  if (!held) return std::unexpected(held.error());
  if (spec->restore) {
    if (const Done done = take_up(L, kStart, *held->session, *spec->restore); !done) {
      return std::unexpected(done.error());
    }
  }
  const bool is_new = held->session->state() == vm::Session::State::New;
  const isa::Status status = is_new ? held->session->run() : isa::Status();
  if (const Returned told = tell_run(L, *held, kStart, status); !told) return told;
  lua_pop(L, 1);  // the record, which `s:record()` tells too
  return push_session(L, std::move(*held)) ? Returned(1) : problem_on_stack();
}

Returned session_launch(lua_State* L) {
  const auto held = asked_session(L, "s:launch");
  if (!held) return std::unexpected(held.error());
  const bool prepares = lua_toboolean(L, 2) != 0;
  const auto task = asked_name(L, 3, "s:launch", "a task");
  if (!task) return std::unexpected(task.error());
  const auto arguments = asked_arguments(L, 4);
  if (!arguments) return std::unexpected(arguments.error());
  const auto region = asked_rect(L, 5, "s:launch");
  if (!region) return std::unexpected(region.error());
  vm::Session& session = *(*held)->session;
  if (const Done charged = charge_launch(L, session); !charged) {
    return std::unexpected(charged.error());
  }
  const isa::Status prepared = session.prepare(*task, *arguments, *region);
  if (!prepared) return problem("s:launch: " + prepared.error());
  if (prepares) return 0;
  return tell_run(L, **held, "s:launch", session.run());
}

Returned session_run(lua_State* L) {
  const auto held = asked_session(L, "s:run");
  if (!held) return std::unexpected(held.error());
  vm::Cycle until = vm::kNever;
  if (!lua_isnoneornil(L, 2)) {
    const auto cycle = count_at(L, 2);
    if (!cycle) {
      return problem(
          fmt::format("s:run: until_cycle: a number that is not negative is wanted, not {}",
                      shown_value(L, 2)));
    }
    until = *cycle;
  }
  vm::Session& session = *(*held)->session;
  if (const Done charged = charge_launch(L, session); !charged) {
    return std::unexpected(charged.error());
  }
  return tell_run(L, **held, "s:run", session.run(until));
}

Returned session_record(lua_State* L) {
  const auto held = asked_session(L, "s:record");
  if (!held) return std::unexpected(held.error());
  vm::Session& session = *(*held)->session;
  if (const Done charged = charge_launch(L, session); !charged) {
    return std::unexpected(charged.error());
  }
  const bool fine = session.state() == vm::Session::State::Quiet;
  vm::Record record = session.record();
  if (!fine) record.message = session.problem();
  return push_launch_record(L, record, fine, session.began()) ? Returned(1) : problem_on_stack();
}

Returned session_cycle(lua_State* L) {
  const auto held = asked_session(L, "s:cycle");
  if (!held) return std::unexpected(held.error());
  lua_pushinteger(L, static_cast<lua_Integer>((*held)->session->cycle()));
  return 1;
}

Returned session_state(lua_State* L) {
  const auto held = asked_session(L, "s:state");
  if (!held) return std::unexpected(held.error());
  constexpr const char* kStates[] = {"new", "quiet", "stopped", "broken"};
  const char* const text = kStates[static_cast<int>((*held)->session->state())];
  return push_text(L, text) ? Returned(1) : problem_on_stack();
}

Returned session_tasks(lua_State* L) {
  const auto held = asked_session(L, "s:tasks");
  if (!held) return std::unexpected(held.error());
  const std::vector<vm::LaunchInfo>& tasks = (*held)->session->launches();
  if (!limits_of(L).charge(100 * tasks.size())) return problem(limits_of(L).text());
  const bool pushed = protect(L, 0, [&tasks](lua_State* inner) {
    lua_newtable(inner);
    for (const vm::LaunchInfo& task : tasks) {
      lua_newtable(inner);
      for (std::size_t k = 0; k < task.arguments.size(); ++k) {
        const std::string_view type = isa::info(task.arguments[k]).text;
        lua_pushlstring(inner, type.data(), type.size());
        lua_rawseti(inner, -2, static_cast<lua_Integer>(k + 1));
      }
      lua_setfield(inner, -2, task.name.c_str());
    }
    return 1;
  });
  return pushed ? Returned(1) : problem_on_stack();
}

Returned session_close(lua_State* L) {
  HeldSession* const held = held_session(L, 1);
  if (held == nullptr) return problem("s:close: this is no session of wse.start");
  held->session.reset();
  held->bytes = {};
  return 0;
}

}  // namespace wse::script
