// Makes a machine of what the script says, runs it, and keeps its record.
#include "scripts/host/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scripts/host/inputs.h"
#include "scripts/host/own_machine.h"
#include "scripts/host/records.h"
#include "scripts/host/run_spec.h"
#include "scripts/host/table_reader.h"
#include "vm/run/interval_runs.h"
#include "vm/run/judge.h"
#include "vm/run/memory_need.h"

namespace wse::script {
namespace {

constexpr std::uint64_t kInstructionsPerRun = 10'000;  // of Lua, in the time of the shortest run
constexpr std::uint64_t kInstructionsPerValue = 100;   // of a constant or parameter
constexpr std::uint64_t kMachineBytesPerInstruction = 256;

// What a machine may take that a record keeps, rather too much: the need is told rather too small.
constexpr std::uint64_t kLoadFactor = 4;
constexpr std::uint64_t kBytesOfAMachine = std::uint64_t{64} << 10;

// Lua sees a few bytes of each machine: so much of them may be dead before they must go.
constexpr std::uint64_t kBytesPerCollection = std::uint64_t{256} << 20;

// Books that a machine keeps of a run, beside what it counts.
struct Kept {
  bool profile = false;
  bool lines = false;
  std::uint32_t slices = 0;
};

std::uint64_t held_bytes_of(const isa::Image& image, const isa::Profile& profile,
                            vm::TransportChoice transport, const Kept& kept) {
  const vm::MemoryNeed need = vm::memory_need(image, profile, transport);
  const std::uint64_t of_profile =
      kept.profile ? std::uint64_t{image.width} * image.height * vm::Machine::kProfileBytes : 0;
  const std::uint64_t of_lines = kept.lines ? vm::line_bytes(image) : 0;
  const isa::Topology mesh = image.topology();
  const std::uint64_t of_slices =
      kept.slices > 0 ? vm::Slices::bytes(vm::SliceTiles(mesh), mesh.pes(), kept.slices) : 0;
  return kBytesOfAMachine + kLoadFactor * need.load_bytes + need.queue_bytes + need.data_bytes +
         of_profile + of_lines + of_slices;
}

// Makes room for one more machine; an error if those that records keep leave none.
Done make_room(lua_State* L, const isa::Image& image, const isa::Profile& profile) {
  Session& session = session_of(L);
  if (session.options.fits) {
    const isa::Status fits = session.options.fits(image, profile, session.workers);
    if (!fits) return problem("wse.run: " + fits.error(), Ending::Exhausted);
  }
  const std::uint64_t allowed = session.held_allowed;
  if (session.held_bytes > std::min(session.collect_at_bytes, allowed)) {
    lua_gc(L, LUA_GCCOLLECT);
    session.collect_at_bytes = session.held_bytes + kBytesPerCollection;
  }
  if (session.held_bytes <= allowed) return {};
  return problem(fmt::format("wse.run: out of memory: the records that the script keeps hold "
                             "machines of {} MiB; {} MiB are allowed",
                             session.held_bytes >> 20, allowed >> 20),
                 Ending::Exhausted);
}

std::expected<HeldMachine, BindingError> make_machine(lua_State* L, isa::Image image,
                                                      const isa::Profile& profile,
                                                      const Kept& kept) {
  Session& session = session_of(L);
  if (const Done room = make_room(L, image, profile); !room) return std::unexpected(room.error());
  const std::uint64_t bytes = held_bytes_of(image, profile, session.options.transport, kept);
  if (!session.limits.charge(bytes / kMachineBytesPerInstruction)) {
    return problem(session.limits.text());
  }
  const auto threads = session.workers > 1 ? std::optional(1u) : session.options.threads;
  const isa::Result<const vm::Engine*> engine = session.engine();
  if (!engine) return problem("wse.run: " + engine.error());
  auto machine = vm::Machine::create(
      std::move(image), profile,
      {.threads = threads, .transport = session.options.transport, .engine = *engine});
  if (machine && kept.lines) {
    if (const isa::Status counted = (*machine)->count_lines(); !counted) {
      return problem("wse.run: " + counted.error(), Ending::Exhausted);
    }
  }
  if (machine) return HeldMachine(std::move(*machine), bytes, session.held_bytes);
  return problem("wse.run: " + machine.error().message,
                 machine.error().exhausted ? Ending::Exhausted : Ending::BadInput);
}

// Runs the file that decides the machine, if there is one.
Done choose_machine(lua_State* L, RunSpec& spec) {
  if (spec.machine_file.empty()) return {};
  auto machine = load_machine(L, spec.machine_file);
  if (!machine && machine.error().on_stack) return std::unexpected(machine.error());
  if (!machine) return problem("wse.run: machine: " + machine.error().message);
  spec.options.machine = std::move(*machine);
  return {};
}

// A run may do this beside counting.
struct Wishes {
  bool prints = false;
  bool profile = false;
  MarkTimes* mark_times = nullptr;  // gets them
  vm::Tracer::Sink trace = {};
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

vm::Record run_machine(Session& session, vm::Machine& machine, const RunDefaults& options,
                       const Wishes& wishes) {
  vm::RunOptions run{.profile = wishes.profile,
                     .slices = wishes.profile ? session.options.slices : 0};
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
  run.trace_filter = session.options.trace_filter;
  if (wishes.prints) run.print = [&session](std::string_view line) { session.log(line); };
  return machine.run(run);
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
    auto at_end = make_machine(L, machine.image(), profile, {});
    if (!at_end) return std::unexpected(at_end.error());
    if (const isa::Status set = words.put_into(**at_end); !set) {
      return problem("wse.run: " + set.error());
    }
    Session& session = session_of(L);
    vm::Record found = run_machine(session, **at_end, spec.options, {});
    if (found.status == vm::RunStatus::Interrupted) session.limits.trip(Trip::Interrupted);
    return found;
  };
  return vm::run_at_ends(machine.profile(), ends, record, run_at);
}

// What is to be known before a run that is to be repeated at the ends of intervals.
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

Done check_engine_outputs(const Session& session) {
  if (!session.options.engine_outputs) return {};
  const auto written = session.options.engine_outputs();
  if (written) return {};
  return problem("wse.run: " + written.error().message,
                 written.error().exhausted ? Ending::Exhausted : Ending::BadInput);
}

BindingError bad_end(const vm::Record& record) {
  const std::string told =
      record.message.empty()
          ? fmt::format("{} after {} cycles", vm::text(record.status), record.cycles)
          : record.message;
  return {"wse.run: " + told, Ending::EndedBadly, false};
}

// For `gen`: the text as it stands. What runs it comes after it, so that no line moves.
std::string captured_text(const Session& session, const RunSpec& spec) {
  std::string text = spec.clean_text.value_or(spec.program.text);
  if (!text.ends_with('\n')) text += '\n';
  std::string words;
  for (const auto& [name, value] : spec.program.values) words += fmt::format(" {}={}", name, value);
  const ChosenMachine& machine = spec.options.machine;
  const bool table = machine.option.empty();
  return text + fmt::format("; From {}. Run it with:  wsevm run FILE{} --machine={}{}\n",
                            session.options.file, words, table ? "own.lua" : machine.option,
                            table ? fmt::format(" ; own.lua: {}", machine.text) : "");
}

std::uint64_t cost_of(const Program& program) {
  return kInstructionsPerRun + kInstructionsPerValue * program.values.size() + program.text.size();
}

// Whether it is the program that `gen` wants; the text of an image is empty.
bool is_captured(Session& session, const RunSpec& spec) {
  ++session.programs;
  if (session.programs != session.options.capture) return false;
  if (isa::is_image(std::as_bytes(std::span(spec.program.text)))) return true;
  session.result.captured = captured_text(session, spec);
  session.limits.trip(Trip::Finished);
  return true;
}

// Whether the caller of the script looks at the run.
bool is_watched(const Session& session) {
  return session.options.on_run && session.sweeps == 0 && session.workers == 1;
}

bool counts_lines(const Options& options, const isa::Image& image) {
  return options.lists || (options.profiles && vm::line_bytes(image) <= vm::kMostProfiledLineBytes);
}

// Returns who hears what happens in the run.
isa::Result<vm::Tracer::Sink> trace_of(const Session& session, bool watched) {
  if (!watched || !session.options.trace) return vm::Tracer::Sink();
  return session.options.trace();
}

}  // namespace

Returned run(lua_State* L) {
  Session& session = session_of(L);
  lua_settop(L, 1);
  isa::Result<RunSpec> spec = read_run_spec(L, 1, session);
  if (!spec) return problem("wse.run: " + spec.error());
  if (const Done chosen = choose_machine(L, *spec); !chosen) {
    return std::unexpected(chosen.error());
  }
  if (is_captured(session, *spec)) {
    return problem(session.result.captured.empty() ? "an image has no text" : "finished");
  }
  if (!session.limits.charge(cost_of(spec->program))) return problem(session.limits.text());
  isa::Result<AssembledProgram> program = make_image(session, spec->program, spec->options);
  if (!program) return problem("wse.run: " + program.error());
  const bool watched = is_watched(session);
  spec->profile = spec->profile || (watched && session.options.profiles);
  const Kept kept{.profile = spec->profile,
                  .lines = watched && counts_lines(session.options, program->image),
                  .slices = spec->profile ? session.options.slices : 0};
  auto machine = make_machine(L, std::move(program->image), spec->options.machine.profile, kept);
  if (!machine) return std::unexpected(machine.error());
  if (const Done set = set_inputs(L, 1, **machine); !set) return std::unexpected(set.error());
  const auto repeat = repeat_of(L, **machine, spec->options);
  if (!repeat) return problem("wse.run: " + repeat.error());
  const auto trace = trace_of(session, watched);
  if (!trace) return problem("wse.run: " + trace.error(), Ending::BadInput);
  MarkTimes times;
  vm::Record record = run_machine(session, **machine, spec->options,
                                  {.prints = true,
                                   .profile = spec->profile,
                                   .mark_times = spec->mark_times ? &times : nullptr,
                                   .trace = *trace});
  if (const Done all = check_times(times); !all) return std::unexpected(all.error());
  bool fine = vm::judge(**machine, {spec->options.strict, spec->options.expect}, record);
  if (*repeat && record.status == vm::RunStatus::Halted) {
    const auto halted = run_at_ends(L, **machine, *spec, (*repeat)->ends, (*repeat)->words, record);
    if (!halted) return std::unexpected(halted.error());
    fine = fine && *halted;
  }
  if (!record.threads_shortage.empty() && !std::exchange(session.told_shortage, true)) {
    session.log("note: " + record.threads_shortage);
  }
  session.result.runs.push_back(record);
  if (watched) {
    session.options.on_run({**machine, record, spec->program.values, &program->sources});
  }
  if (record.status == vm::RunStatus::Interrupted) session.limits.trip(Trip::Interrupted);
  if (const Done written = check_engine_outputs(session); !written) {
    return std::unexpected(written.error());
  }
  if (!fine && !spec->allow_failure) return std::unexpected(bad_end(record));
  if (!record.message.empty() && fine) session.log(record.message);
  if (!push_record(L, record, fine, times, std::move(*machine))) return problem_on_stack();
  return 1;
}

}  // namespace wse::script
