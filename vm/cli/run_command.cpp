// wsevm run: load, run, check; run_results.cpp writes what was asked for.
#include <fmt/format.h>

#include "vm/cli/checkpoints.h"
#include "vm/cli/engine_option.h"
#include "vm/cli/interrupt.h"
#include "vm/cli/line_listing.h"
#include "vm/cli/machine_option.h"
#include "vm/cli/memory_limit.h"
#include "vm/cli/outputs.h"
#include "vm/cli/path_output.h"
#include "vm/cli/profile_output.h"
#include "vm/cli/ranks_option.h"
#include "vm/cli/run_output.h"
#include "vm/cli/run_results.h"
#include "vm/cli/shared_run.h"
#include "vm/cli/standard_streams.h"
#include "vm/front/array_files.h"
#include "vm/front/array_rows.h"
#include "vm/front/program_file.h"
#include "vm/run/interval_runs.h"
#include "vm/run/judge.h"
#include "vm/run/memory_need.h"
#include "vm/run/share.h"

namespace wse::cli {
namespace {

// Names of arrays and symbols that do not exist are refused before the run, not after it.
Outcome<void> check_names(const vm::Machine& machine, const RunCommand& command) {
  std::vector<std::string> names = command.show;
  for (const auto& [name, file] : command.out) names.push_back(name);
  for (const auto& [name, file] : command.pictures) names.push_back(name);
  for (const std::string& name : names) {
    const isa::Result<vm::ArrayInfo> array = machine.array(name);
    if (!array) return failure(array.error());
  }
  for (const Dump& dump : command.dumps) {
    const auto value = machine.read_symbol(dump.x, dump.y, dump.symbol);
    if (!value) return failure("--dump: " + value.error());
  }
  return {};
}

Outcome<void> count_lines(vm::Machine& machine) {
  const isa::Status counted = machine.count_lines();
  if (counted) return {};
  return std::unexpected(Failure{"--list: " + counted.error(), ExitCode::Exhausted});
}

// stdin can be read once.
Outcome<void> check_stdin(const RunCommand& command) {
  std::size_t readers = command.source.file == "-" ? 1 : 0;
  for (const auto& [name, file] : command.in) readers += file == "-" ? 1 : 0;
  if (readers > 1) return failure("stdin cannot be the program and an array, or several arrays");
  return {};
}

// A run that is about to begin: its machine, and what further runs of it need.
struct Prepared {
  std::unique_ptr<vm::Machine> machine;  // with its arrays, ready to run
  isa::SourceFiles sources;
  std::optional<isa::EndProfiles> ends;  // at which to run again
  vm::FirstWords words;                  // to begin with there
};

// The arrays, as far as further runs need them.
Outcome<void> load_arrays(const RunCommand& command, isa::InputList& inputs, bool is_shared,
                          Prepared& prepared) {
  std::vector<std::string> names;
  for (const NameAndFile& in : command.in) {
    const Outcome<void> loaded =
        is_shared ? front::load_own_rows(*prepared.machine, in,
                                         vm::Share(*prepared.machine).all_pes(), inputs)
                  : front::load_array(*prepared.machine, in, inputs);
    if (!loaded) return loaded;
    names.push_back(in.first);
  }
  if (!prepared.ends) return {};
  isa::Result<vm::FirstWords> words = vm::FirstWords::of(*prepared.machine, names);
  if (!words) return failure(words.error());
  prepared.words = std::move(*words);
  return {};
}

// `shared`: null if this process is alone.
Outcome<Prepared> prepare(const RunCommand& command, const vm::Engine& engine,
                          const SharedRun* shared, isa::InputList& inputs) {
  Outcome<void> done = check_stdin(command);
  if (done && command.profiled_run > 0) done = failure("--run is for scripts, not for programs");
  if (done) done = check_checkpoints(command);
  if (done && !command.path_to.empty() && command.path.empty()) {
    done = failure("--path-to needs --path=FILE");
  }
  if (done && !command.path.empty() && uses_checkpoints(command)) {
    done = failure("--path is of a whole run: not beside --checkpoint and --restore");
  }
  const bool writes = shared == nullptr || shared->leads();
  if (done && writes) done = check_outputs(outputs_of(command), inputs);
  if (!done) return std::unexpected(done.error());
  const Outcome<isa::MeasuredProfile> chosen = find_machine(command.source.machine, inputs);
  if (!chosen) return std::unexpected(chosen.error());
  Prepared prepared;
  if (command.interval) {
    isa::Result<isa::EndProfiles> ends = isa::end_profiles(*chosen);
    if (!ends) return failure("--interval: " + ends.error());
    prepared.ends = std::move(*ends);
  }
  Outcome<front::ProgramFile> program =
      front::read_program(command.source, chosen->profile, inputs);
  if (!program) return std::unexpected(program.error());
  if (writes) complain(program->warnings);
  prepared.sources = std::move(program->sources);
  if (writes) done = check_outputs(outputs_of(command), inputs);  // again: includes are known now
  if (!done) return std::unexpected(done.error());
  auto machine = front::make_machine(
      command.source, std::move(program->image), chosen->profile,
      {.engine = &engine, .medium = shared != nullptr ? &shared->medium() : nullptr});
  if (!machine) return std::unexpected(machine.error());
  prepared.machine = std::move(*machine);
  done = check_names(*prepared.machine, command);
  const bool lines_are_cheap =
      vm::line_bytes(prepared.machine->image()) <= vm::kMostProfiledLineBytes;
  if (done && (!command.list.empty() || (wants_profile(command) && lines_are_cheap))) {
    done = count_lines(*prepared.machine);
  }
  if (done) done = load_arrays(command, inputs, shared != nullptr, prepared);
  if (!done) return std::unexpected(done.error());
  return prepared;
}

// Returns the options that all runs of the command have; the first run alone prints, is traced and
// is read.
vm::RunOptions common_options(const RunCommand& command, Progress& progress,
                              const Interrupts& interrupts) {
  vm::RunOptions options;
  if (command.max_cycles) options.max_cycles = *command.max_cycles;
  options.tsc_skew = command.tsc_skew;
  options.jitter = command.jitter;
  options.interrupt = &interrupts.flag();
  options.reads_interrupted = false;
  if (progress.is_wanted()) {
    options.progress = [&](const vm::RunProgress& run) { progress.tell(run, command.max_cycles); };
  }
  return options;
}

// Returns no record if this process runs only a part of the machine: `shared` is not null then.
Outcome<std::optional<vm::Record>> run_machine(vm::Machine& machine, const RunCommand& command,
                                               isa::InputList& inputs, TraceFile& trace,
                                               const Interrupts& interrupts, SharedRun* shared) {
  Progress progress(command);
  vm::RunOptions options = common_options(command, progress, interrupts);
  options.reads_interrupted = !command.out.empty() || !command.pictures.empty() ||
                              !command.show.empty() || !command.dumps.empty() ||
                              !command.dot.empty();
  options.print = [](std::string_view line) { complain(fmt::format("{}\n", line)); };
  options.trace = trace.sink();
  options.trace_filter = TraceFile::machine_filter(command.trace, command.trace_filter);
  options.profile = wants_profile(command);
  if (options.profile) options.slices = static_cast<std::uint32_t>(command.slices);
  if (!command.path.empty()) {
    const Outcome<vm::PathTarget> target = path_target(command, machine.image());
    if (!target) return std::unexpected(target.error());
    options.path = *target;
  }
  if (shared == nullptr && !uses_checkpoints(command)) {
    vm::Record record = machine.run(options);
    progress.end();
    return record;
  }
  machine.begin(options);
  Outcome<void> done = take_up(machine, command, inputs);
  if (done) {
    done = shared != nullptr ? shared->checkpoint().advance(machine, command, inputs)
                             : advance(machine, command, inputs);
  }
  progress.end();
  if (!done) return std::unexpected(done.error());
  if (shared != nullptr) return std::nullopt;
  return machine.record();
}

// Runs again at the ends of the machine's intervals. Errors: no memory for one more machine. False:
// a run did not halt.
Outcome<bool> run_at_ends(const Prepared& prepared, const RunCommand& command,
                          const vm::Engine& engine, const Interrupts& interrupts,
                          vm::Record& record) {
  const vm::Machine& machine = *prepared.machine;
  const auto run_at = [&](const isa::Profile& profile) -> Outcome<vm::Record> {
    const auto at_end =
        front::make_machine(command.source, machine.image(), profile, {.engine = &engine});
    if (!at_end) return std::unexpected(at_end.error());
    if (const isa::Status set = prepared.words.put_into(**at_end); !set) {
      return failure(set.error());
    }
    Progress progress(command);
    vm::Record found = (*at_end)->run(common_options(command, progress, interrupts));
    progress.end();
    return found;
  };
  return vm::run_at_ends(machine.profile(), *prepared.ends, record, run_at);
}

ExitCode judged(const vm::Machine& machine, const RunCommand& command, vm::Record& record) {
  if (vm::judge(machine, {command.strict, command.expect}, record)) return ExitCode::Fine;
  const bool interrupted = record.status == vm::RunStatus::Interrupted;
  return interrupted && record.engine_problem.empty() ? ExitCode::Interrupted
                                                      : ExitCode::EndedBadly;
}

// A run that has halted as it should has a bad end if one at an end of the intervals has.
ExitCode judged_at_ends(bool all_halted, ExitCode judged, const Interrupts& interrupts) {
  if (all_halted || judged != ExitCode::Fine) return judged;
  return interrupts.flag() ? ExitCode::Interrupted : ExitCode::EndedBadly;
}

// Runs again at the ends of the intervals, which may make the exit code another one.
Outcome<void> repeat_at_ends(const Prepared& prepared, const RunCommand& command,
                             const vm::Engine& engine, const Interrupts& interrupts,
                             vm::Record& record, ExitCode& code) {
  return guarded([&]() -> Outcome<void> {
    const Outcome<bool> halted = run_at_ends(prepared, command, engine, interrupts, record);
    if (!halted) return std::unexpected(halted.error());
    code = judged_at_ends(*halted, code, interrupts);
    return {};
  });
}

void tell(const vm::Record& record) {
  if (!record.threads_shortage.empty()) {
    complain(fmt::format("wsevm: note: {}\n", record.threads_shortage));
  }
  if (!record.message.empty()) complain(record.message + "\n");
}

// Lets all ranks run the machine, and puts all of it into the first rank's, whose record it
// returns. Other ranks get none.
Outcome<std::optional<vm::Record>> run_shared(std::unique_ptr<vm::Machine>& machine,
                                              const RunCommand& command, isa::InputList& inputs,
                                              TraceFile& trace, const Interrupts& interrupts,
                                              SharedRun& shared) try {
  const Outcome<void> begun = shared.begin(*machine, command, inputs);
  if (!begun) return std::unexpected(begun.error());
  const auto ran = run_machine(*machine, command, inputs, trace, interrupts, &shared);
  if (!ran) return std::unexpected(ran.error());
  const auto written = shared.checkpoint().write_where_it_stopped(*machine, command, inputs);
  if (!written) return std::unexpected(written.error());
  if (!shared.leads()) {
    const Outcome<void> served = shared.serve(*machine, command);
    if (!served) return std::unexpected(served.error());
    return std::nullopt;
  }
  auto joined = shared.join(std::move(machine), command, inputs);
  if (!joined) return std::unexpected(joined.error());
  machine = std::move(*joined);
  if (command.stats) complain(shared.traffic_text() + "\n");
  return machine->record();
} catch (const vm::LostStrip& lost) {
  return std::unexpected(Failure{lost.what(), ExitCode::Exhausted});
}

// Returns no record on a rank that does not lead.
Outcome<std::optional<vm::Record>> run_alone_or_shared(std::unique_ptr<vm::Machine>& machine,
                                                       const RunCommand& command,
                                                       isa::InputList& inputs, TraceFile& trace,
                                                       const Interrupts& interrupts,
                                                       SharedRun* shared) {
  if (shared != nullptr) {
    return run_shared(machine, command, inputs, trace, interrupts, *shared);
  }
  return run_machine(*machine, command, inputs, trace, interrupts, nullptr);
}

// `shared`: null if this process is alone.
Outcome<ExitCode> run(const RunCommand& command, isa::InputList& inputs, TraceFile& trace,
                      Interrupts& interrupts, SharedRun* shared) {
  const CodeTexts texts(command.source.engine, inputs);
  const auto engine = find_engine(command.source, texts);
  if (!engine) return std::unexpected(engine.error());
  auto prepared = prepare(command, **engine, shared, inputs);
  if (!prepared) return std::unexpected(prepared.error());
  const isa::Topology mesh = prepared->machine->image().topology();
  if (Outcome<void> fits = TraceFile::check(command.trace, command.trace_filter, mesh); !fits) {
    return std::unexpected(fits.error());
  }
  if (Outcome<void> opened = trace.open(inputs); !opened) return std::unexpected(opened.error());
  if (!command.checkpoint.empty() && !command.checkpoint_at) interrupts.keep_run();
  interrupts.enter(Interrupts::Stage::Running);
  auto ran = run_alone_or_shared(prepared->machine, command, inputs, trace, interrupts, shared);
  if (!ran) return std::unexpected(ran.error());
  if (!*ran) return ExitCode::Fine;  // the first rank does the rest
  vm::Machine& machine = *prepared->machine;
  vm::Record& record = **ran;
  ExitCode code = judged(machine, command, record);
  Outcome<void> repeated;
  if (prepared->ends && record.status == vm::RunStatus::Halted) {
    repeated = repeat_at_ends(*prepared, command, **engine, interrupts, record, code);
  }
  interrupts.enter(Interrupts::Stage::Writing);
  tell(record);
  Failures failures(record);
  failures.add(repeated);
  failures.add(guarded([&] {
    return shared != nullptr ? shared->checkpoint().commit_where_it_stopped(command)
                             : write_where_it_stopped(*prepared->machine, command, record, inputs);
  }));
  failures.add(trace.close());
  failures.add(outcome(texts.written()));
  if (!command.list.empty()) {
    failures.add(guarded([&] {
      return write_text_file(command.list, inputs,
                             line_listing(machine, record, prepared->sources));
    }));
  }
  if (!command.path.empty()) {
    failures.add(guarded([&]() -> Outcome<void> {
      const auto text = path_text(machine, record, command, prepared->sources);
      if (!text) return std::unexpected(text.error());
      return write_text_file(command.path, inputs, *text);
    }));
  }
  if (wants_profile(command)) {
    failures.add(guarded([&]() -> Outcome<void> {
      const auto profile = vm::collect_profile(
          machine, record, {command.source.file, command.source.values, &prepared->sources});
      if (!profile) return failure(profile.error());
      write_profile_files(command, inputs, *profile, failures);
      return {};
    }));
  }
  return write_results(machine, command, inputs, failures, record, code, interrupts, shared);
}

}  // namespace

ExitCode path_command(const RunCommand& command) {
  RunCommand run = command;
  if (run.path.empty()) run.path = "-";
  return run_command(run);
}

ExitCode run_command(const RunCommand& given) {
  RunCommand command = given;
  if (front::is_script(command.source.file)) return run_script_command(command);
  if (!command.path.empty()) command.source.threads = 1;  // see RunOptions::path
  if (const std::optional<ExitCode> guarded_code = guard()) return *guarded_code;
  isa::InputList inputs;
  expect_inputs(command, inputs);
  Interrupts interrupts([&](const std::string& message) {
    static_cast<void>(write_unfinished(command, inputs, "interrupted", message));
  });
  TraceFile trace(command.trace, command.trace_filter);
  JoinedRanks ranks;
  const Outcome<ExitCode> code = guarded([&]() -> Outcome<ExitCode> {
    const Outcome<void> joined = ranks.join(command);
    if (!joined) return std::unexpected(joined.error());
    if (ranks.team() == nullptr) return run(command, inputs, trace, interrupts, nullptr);
    if (const Outcome<void> fine = check_shared(given); !fine) return std::unexpected(fine.error());
    SharedRun shared(ranks.ranks(), *ranks.team(), interrupts.flag());
    const Outcome<ExitCode> ended = run(command, inputs, trace, interrupts, &shared);
    return ended ? shared.finish(*ended) : ended;
  });
  if (code) {
    ranks.leave(*code);
    return *code;
  }
  interrupts.take_last_words();
  // Memory has run out in the middle of a run: what the trace holds up to there is true.
  if (const Outcome<void> closed = trace.close(); !closed) report(closed.error());
  const Failure told = ranks.tell(code.error());
  const ExitCode reported = report(told);
  const Outcome<void> written = write_unfinished(command, inputs, "error", told.message);
  ranks.leave(reported);
  return written ? reported : report(written.error());
}

}  // namespace wse::cli
