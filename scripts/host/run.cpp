// Makes a machine of what the script says, runs it, and keeps its record.
#include "scripts/host/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "scripts/host/checkpoints.h"
#include "scripts/host/inputs.h"
#include "scripts/host/making.h"
#include "scripts/host/past.h"
#include "scripts/host/records.h"
#include "scripts/host/run_spec.h"
#include "scripts/host/table_reader.h"
#include "scripts/host/team_machine.h"
#include "vm/path/path_target.h"
#include "vm/run/interval_runs.h"
#include "vm/run/judge.h"
#include "vm/run/memory_need.h"

namespace wse::script {
namespace {

constexpr Caller kCaller = "wse.run";

// A run may do this beside counting.
struct Wishes {
  bool prints = false;
  bool profile = false;
  std::uint32_t slices = 0;         // of the profile; 0: it has none
  MarkTimes* mark_times = nullptr;  // gets them
  vm::TraceSink* trace = nullptr;
  std::optional<vm::PathTarget> path = {};                 // keeps the causes of this event
  std::function<Done(vm::Machine& machine)> take_up = {};  // a checkpoint, when it has begun
};

// A script that counts on all of them is told when there are more.
constexpr std::size_t kMostMarkTimes = std::size_t{1} << 20;

void note_time(MarkTimes& times, std::string_view name, vm::Cycle cycle) {
  std::vector<vm::Cycle>& cycles = times[std::string(name)];
  const bool is_new = cycles.empty() || cycles.back() != cycle;
  if (is_new && cycles.size() <= kMostMarkTimes) cycles.push_back(cycle);
}

// Errors: a mark was passed in too many cycles.
Done check_times(const MarkTimes& times) {
  for (const auto& [name, cycles] : times) {
    if (cycles.size() <= kMostMarkTimes) continue;
    return problem(
        fmt::format("wse.run: mark_times: '{}' is passed in more than {} cycles; stop "
                    "earlier (max_cycles), or mark less often",
                    name, kMostMarkTimes));
  }
  return {};
}

vm::RunOptions run_options(Session& session, const RunDefaults& options, const Wishes& wishes) {
  vm::RunOptions run{.profile = wishes.profile, .slices = wishes.slices};
  if (options.max_cycles) run.max_cycles = *options.max_cycles;
  run.tsc_skew = options.tsc_skew;
  run.jitter = options.jitter;
  run.interrupt = session.limits.interrupt();
  if (wishes.mark_times != nullptr) {
    run.mark = [&wishes](std::string_view name, vm::Cycle cycle, std::uint64_t) {
      note_time(*wishes.mark_times, name, cycle);
    };
  }
  run.trace = wishes.trace;
  run.path = wishes.path;
  run.trace_filter = session.options.trace_filter;
  if (wishes.prints) run.print = [&session](std::string_view line) { session.log(line); };
  return run;
}

// `wishes` must live as long as the run.
std::expected<vm::Record, BindingError> run_machine(Session& session, vm::Machine& machine,
                                                    const RunDefaults& options,
                                                    const Wishes& wishes) {
  const vm::RunOptions run = run_options(session, options, wishes);
  if (!wishes.take_up) return machine.run(run);
  machine.begin(run);
  if (const Done done = wishes.take_up(machine); !done) return std::unexpected(done.error());
  machine.advance(run.max_cycles);
  return machine.record();
}

// The names of the arrays that the field `inputs` of the table sets.
std::vector<std::string> input_names(lua_State* L, int table) {
  std::vector<std::string> names;
  if (!push_field(L, table, "inputs")) return names;
  static_cast<void>(for_each_field(L, -1, [&names](const std::string& name) {
    names.push_back(name);
    return isa::Status();
  }));
  lua_pop(L, 1);
  return names;
}

// Runs again at the ends of the machine's intervals. False: a run did not halt.
std::expected<bool, BindingError> run_at_ends(lua_State* L, const vm::Machine& machine,
                                              const RunSpec& spec, const isa::EndProfiles& ends,
                                              const vm::FirstWords& words, vm::Record& record) {
  const auto run_at = [&](const isa::Profile& profile) -> std::expected<vm::Record, BindingError> {
    auto at_end = make_machine(L, kCaller, machine.image(), profile, {});
    if (!at_end) return std::unexpected(at_end.error());
    if (const isa::Status set = words.put_into(**at_end); !set) {
      return problem("wse.run: " + set.error());
    }
    Session& session = session_of(L);
    auto found = run_machine(session, **at_end, spec.options, {});
    if (found && found->status == vm::RunStatus::Interrupted) {
      session.limits.trip(Trip::Interrupted);
    }
    return found;
  };
  return vm::run_at_ends(machine.profile(), ends, record, run_at);
}

// Known before a run that is to be repeated at the ends of intervals.
struct Repeat {
  isa::EndProfiles ends;
  vm::FirstWords words;
};

isa::Result<std::optional<Repeat>> repeat_of(lua_State* L, const vm::Machine& machine,
                                             const RunDefaults& options) {
  if (!options.interval) return std::nullopt;
  auto ends = isa::end_profiles({options.machine.profile, options.machine.intervals});
  if (!ends) return isa::fail("interval: " + ends.error());
  auto words = vm::FirstWords::of(machine, input_names(L, 1));
  if (!words) return std::unexpected(words.error());
  return Repeat{std::move(*ends), std::move(*words)};
}

// Returns who hears what happens in the run.
isa::Result<vm::TraceSink*> trace_of(const Session& session, bool watched) {
  if (!watched || !session.options.trace) return nullptr;
  return session.options.trace();
}

// Returns the event whose causes the machine keeps: that of the caller of the script, or that of
// the script. Errors: the script names none.
isa::Result<std::optional<vm::PathTarget>> kept_path(const Session& session, const RunSpec& spec,
                                                     const isa::Image& image, bool watched) {
  const bool has_caller = watched && session.options.path_to && !spec.restore;
  auto of_caller = has_caller ? session.options.path_to(image) : std::nullopt;
  if (!spec.path) return of_caller;
  const isa::Result<vm::PathTarget> target = vm::path_target(*spec.path, image);
  if (!target) return isa::fail(fmt::format("path: '{}': {}", *spec.path, target.error()));
  return of_caller ? of_caller : *target;
}

// Returns what is known of the run before its first cycle. Inputs are kept where somebody is to ask
// for them: they may be as large as the machine.
isa::Result<std::shared_ptr<Past>> make_past(lua_State* L, const vm::Machine& machine,
                                             const RunSpec& spec, bool watched) {
  const std::vector<std::string> inputs = input_names(L, 1);
  std::optional<vm::FirstWords> words;
  const bool is_asked = spec.path || (watched && session_of(L).options.words);
  if (!spec.restore && (inputs.empty() || is_asked)) {
    auto found = vm::FirstWords::of(machine, inputs);
    if (!found) return std::unexpected(found.error());
    words = std::move(*found);
  }
  return std::make_shared<Past>(spec.options, std::move(words));
}

// Returns what the run does beside counting. All must live longer.
Wishes wishes_of(lua_State* L, const RunSpec& spec, std::uint32_t slices, MarkTimes& times,
                 vm::TraceSink* trace, const std::optional<vm::PathTarget>& path) {
  Wishes wishes{.prints = true,
                .profile = spec.profile,
                .slices = slices,
                .mark_times = spec.mark_times ? &times : nullptr,
                .trace = trace,
                .path = path};
  if (!spec.restore) return wishes;
  wishes.take_up = [L, &spec](vm::Machine& begun) {
    return take_up(L, kCaller, begun, *spec.restore);
  };
  return wishes;
}

// A run that is about to begin: its machine, with its arrays, and what further runs of it need.
struct Prepared {
  isa::SourceFiles sources;
  bool watched = false;                  // the caller of the script looks at it
  std::optional<vm::PathTarget> path{};  // whose causes the machine keeps
  std::uint32_t slices = 0;
  std::shared_ptr<TeamMachine> shared{};  // by all ranks, of which `machine` is a part
  HeldMachine machine{};
  std::optional<Repeat> repeat{};
  std::shared_ptr<Past> past{};
};

// Returns what ranks must have alike to run the program together.
Team::Identity identity_of(const Session& session, const RunSpec& spec, const isa::Image& image) {
  const auto or_none = [](const std::optional<std::uint64_t>& number) {
    return number ? fmt::format("{}", *number) : std::string("none");
  };
  const RunDefaults& options = spec.options;
  std::string machine = options.machine.profile.name;
  for (const isa::ParameterInfo& parameter : isa::kParameters) {
    machine += fmt::format(" {}", options.machine.profile.*parameter.member);
  }
  const vm::Jitter jitter = options.jitter.value_or(vm::Jitter{});
  return {{"program, or other values of its constants",
           fmt::format("{:016x}", isa::hash_bytes(isa::write_image(image)))},
          {"machine", machine},
          {"option", fmt::format("{} {} {} {} {} {} {} {}", session.options.threads.value_or(0),
                                 static_cast<int>(session.options.transport),
                                 or_none(options.max_cycles), or_none(options.tsc_skew),
                                 jitter.seed, jitter.cycles, spec.profile, options.expect)}};
}

// Lets ranks agree on the books to keep, and on whether they run the program together. Null: each
// runs it.
std::expected<std::shared_ptr<TeamMachine>, BindingError> join_team(Session& session,
                                                                    const RunSpec& spec,
                                                                    const isa::Image& image,
                                                                    bool watched, Kept& kept) {
  const bool is_large = image.topology().pes() >= kLeastSharedPes;
  const bool is_of_all = session.team != nullptr && session.options.medium && session.sweeps == 0;
  if (!is_of_all || (!is_large && !spec.restore)) return nullptr;
  const bool is_alone = spec.path || spec.options.interval ||
                        (watched && (session.options.trace || session.options.path_to));
  auto plan = TeamMachine::plan_run(session, identity_of(session, spec, image),
                                    {.together = is_large && !is_alone,
                                     .profile = spec.profile || kept.profile,
                                     .lines = kept.lines,
                                     .slices = session.options.slices});
  if (!plan) return std::unexpected(plan.error());
  kept.profile = plan->profile;
  kept.lines = plan->lines;
  kept.slices = plan->profile ? plan->slices : 0;
  if (!plan->together) return nullptr;
  auto shared = std::make_shared<TeamMachine>(session);
  kept.medium = shared->medium();
  kept.ranks = shared->ranks();
  return shared;
}

std::expected<Prepared, BindingError> prepare(lua_State* L, RunSpec& spec) {
  Session& session = session_of(L);
  isa::Result<AssembledProgram> program = make_image(session, spec.program, spec.options);
  if (!program) return problem("wse.run: " + program.error());
  Prepared run{.sources = std::move(program->sources), .watched = is_watched(session)};
  const bool is_profiled = spec.profile || (run.watched && session.options.profiles);
  const auto path = kept_path(session, spec, program->image, run.watched);
  if (!path) return problem("wse.run: " + path.error());
  run.path = *path;
  Kept kept{.profile = is_profiled,
            .lines = run.watched && counts_lines(session.options, program->image),
            .one_thread = path->has_value(),
            .slices = is_profiled ? session.options.slices : 0};
  auto shared = join_team(session, spec, program->image, run.watched, kept);
  if (!shared) return std::unexpected(shared.error());
  spec.profile = kept.profile;
  run.shared = std::move(*shared);
  run.slices = kept.slices;
  auto machine =
      make_machine(L, kCaller, std::move(program->image), spec.options.machine.profile, kept);
  if (!machine) return std::unexpected(machine.error());
  run.machine = std::move(*machine);
  if (const Done set = set_inputs(L, kCaller, 1, *run.machine); !set) {
    return std::unexpected(set.error());
  }
  auto repeat = repeat_of(L, *run.machine, spec.options);
  if (!repeat) return problem("wse.run: " + repeat.error());
  run.repeat = std::move(*repeat);
  const auto past = make_past(L, *run.machine, spec, run.watched);
  if (!past) return problem("wse.run: " + past.error());
  run.past = *past;
  return run;
}

// A run that has ended, and what was thought of it.
struct Ran {
  vm::Record record;
  bool fine = false;
  MarkTimes times{};  // of marks, where ranks tell each other
};

template <class Wire>
void pass(Wire& wire, Ran& ran) {
  pass(wire, ran.record);
  pass(wire, ran.fine);
  pass(wire, ran.times);
}

std::expected<Ran, BindingError> run_alone(Session& session, vm::Machine& machine,
                                           const RunSpec& spec, const Wishes& wishes) {
  auto record = run_machine(session, machine, spec.options, wishes);
  if (!record) return std::unexpected(record.error());
  Ran ran{std::move(*record)};
  ran.fine = vm::judge(machine, {spec.options.strict, spec.options.expect}, ran.record);
  return ran;
}

// The symbols that the image expects to hold something.
std::set<std::string> expected_symbols(const isa::Image& image) {
  std::set<std::string> names;
  for (const isa::Expectation& expectation : image.expectations) names.insert(expectation.symbol);
  return names;
}

// Runs this rank's part of the machine, and returns what the leader says of all of it, with the
// cycles of marks.
std::expected<Ran, BindingError> run_shared(Session& session, TeamMachine& shared,
                                            HeldMachine machine, const RunSpec& spec,
                                            const Wishes& wishes, MarkTimes& times) {
  const vm::RunOptions options = run_options(session, spec.options, wishes);
  if (const Done done = shared.run(std::move(machine), options, wishes.take_up); !done) {
    return std::unexpected(done.error());
  }
  vm::Machine& all = shared.shown();
  if (spec.options.expect) {
    for (const std::string& symbol : expected_symbols(all.image())) {
      if (const Done done = shared.fetch(symbol); !done) return std::unexpected(done.error());
    }
  }
  const auto judge = [&]() -> std::expected<Ran, BindingError> {
    Ran ran{.record = all.record(), .times = times};
    ran.fine = vm::judge(all, {spec.options.strict, spec.options.expect}, ran.record);
    return ran;
  };
  auto told = shared.tell<Ran>("wse.run", judge);
  if (told) times = told->times;
  return told;
}

}  // namespace

Returned run(lua_State* L) {
  Session& session = session_of(L);
  lua_settop(L, 1);
  isa::Result<RunSpec> spec = read_run_spec(L, 1, session);
  if (!spec) return problem("wse.run: " + spec.error());
  if (const Done chosen = choose_machine(L, kCaller, *spec); !chosen) {
    return std::unexpected(chosen.error());
  }
  if (is_captured(session, *spec)) {
    return problem(session.result.captured.empty() ? "an image has no text" : "finished");
  }
  if (!session.limits.charge(cost_of(spec->program))) return problem(session.limits.text());
  auto prepared = prepare(L, *spec);
  if (!prepared) return std::unexpected(prepared.error());
  auto& [sources, watched, path, slices, shared, machine, repeat, past] = *prepared;
  const auto trace = trace_of(session, watched);
  if (!trace) return problem("wse.run: " + trace.error(), Ending::BadInput);
  MarkTimes times;
  const Wishes wishes = wishes_of(L, *spec, slices, times, *trace, path);
  auto ran = shared ? run_shared(session, *shared, std::move(machine), *spec, wishes, times)
                    : run_alone(session, *machine, *spec, wishes);
  if (!ran) return std::unexpected(ran.error());
  vm::Record& record = ran->record;
  bool fine = ran->fine;
  if (const Done all = check_times(times); !all) return std::unexpected(all.error());
  if (repeat && record.status == vm::RunStatus::Halted) {
    const auto halted = run_at_ends(L, *machine, *spec, repeat->ends, repeat->words, record);
    if (!halted) return std::unexpected(halted.error());
    fine = fine && *halted;
  }
  if (!record.threads_shortage.empty() && !std::exchange(session.told_shortage, true)) {
    session.log("note: " + record.threads_shortage);
  }
  session.result.runs.push_back(record);
  session.listed_last = 0;
  if (watched) {
    session.options.on_run({shared ? shared->shown() : *machine, record, spec->program.values,
                            &sources, &past->options(), past->words()});
  }
  if (record.status == vm::RunStatus::Interrupted) session.limits.trip(Trip::Interrupted);
  if (const Done written = check_engine_outputs(session); !written) {
    return std::unexpected(written.error());
  }
  if (!fine && !spec->allow_failure) return std::unexpected(bad_end(kCaller, record));
  if (!record.message.empty() && fine) session.log(record.message);
  if (spec->path) {
    const bool is_kept = !session.options.path_to || !watched;
    past->want({*spec->path, is_kept}, std::move(sources));
  }
  if (!push_record(L, record, fine, times, {std::move(machine), past, shared})) {
    return problem_on_stack();
  }
  return 1;
}

}  // namespace wse::script
