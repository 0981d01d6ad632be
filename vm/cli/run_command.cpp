// wsevm run: load, run, check; run_results.cpp writes what was asked for.
#include <fmt/format.h>

#include "vm/cli/array_files.h"
#include "vm/cli/engine_option.h"
#include "vm/cli/interrupt.h"
#include "vm/cli/line_listing.h"
#include "vm/cli/machine_option.h"
#include "vm/cli/memory_limit.h"
#include "vm/cli/outputs.h"
#include "vm/cli/program_file.h"
#include "vm/cli/run_output.h"
#include "vm/cli/run_results.h"
#include "vm/cli/standard_streams.h"
#include "vm/judge.h"

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

// The machine with its arrays, ready to run.
Outcome<std::unique_ptr<vm::Machine>> prepare(const RunCommand& command, const vm::Engine& engine,
                                              isa::InputList& inputs, isa::SourceFiles& sources) {
  Outcome<void> done = check_stdin(command);
  if (done) done = check_outputs(outputs_of(command), inputs);
  if (!done) return std::unexpected(done.error());
  const Outcome<isa::Profile> profile = find_machine(command.source.machine, inputs);
  if (!profile) return std::unexpected(profile.error());
  Outcome<ProgramFile> program = read_program(command.source, *profile, inputs);
  if (!program) return std::unexpected(program.error());
  complain(program->warnings);
  sources = std::move(program->sources);
  done = check_outputs(outputs_of(command), inputs);  // again: what is included is known now
  if (!done) return std::unexpected(done.error());
  auto machine = make_machine(command.source, std::move(program->image), *profile, &engine);
  if (!machine) return machine;
  done = check_names(**machine, command);
  if (done && !command.list.empty()) done = count_lines(**machine);
  for (const NameAndFile& in : command.in) {
    if (done) done = load_array(**machine, in, inputs);
  }
  if (!done) return std::unexpected(done.error());
  return machine;
}

vm::Record run_machine(vm::Machine& machine, const RunCommand& command, TraceFile& trace,
                       const Interrupts& interrupts) {
  Progress progress(command);
  vm::RunOptions options;
  if (command.max_cycles) options.max_cycles = *command.max_cycles;
  options.tsc_skew = command.tsc_skew;
  options.jitter = command.jitter;
  options.interrupt = &interrupts.flag();
  options.reads_interrupted = !command.out.empty() || !command.pictures.empty() ||
                              !command.show.empty() || !command.dumps.empty() ||
                              !command.dot.empty();
  options.print = [](std::string_view line) { complain(fmt::format("{}\n", line)); };
  if (progress.is_wanted()) {
    options.progress = [&](const vm::RunProgress& run) { progress.tell(run, command.max_cycles); };
  }
  options.trace = trace.sink();
  options.trace_filter = command.trace_filter;
  vm::Record record = machine.run(options);
  progress.end();
  return record;
}

ExitCode judged(const vm::Machine& machine, const RunCommand& command, vm::Record& record) {
  if (vm::judge(machine, {command.strict, command.expect}, record)) return ExitCode::Fine;
  const bool interrupted = record.status == vm::RunStatus::Interrupted;
  return interrupted && record.engine_problem.empty() ? ExitCode::Interrupted
                                                      : ExitCode::EndedBadly;
}

Outcome<ExitCode> run(const RunCommand& command, isa::InputList& inputs, TraceFile& trace,
                      Interrupts& interrupts) {
  const CodeTexts texts(command.source.engine, inputs);
  const auto engine = find_engine(command.source, texts);
  if (!engine) return std::unexpected(engine.error());
  isa::SourceFiles sources;
  const auto machine = prepare(command, **engine, inputs, sources);
  if (!machine) return std::unexpected(machine.error());
  if (Outcome<void> opened = trace.open(inputs); !opened) return std::unexpected(opened.error());
  interrupts.enter(Interrupts::Stage::Running);
  vm::Record record = run_machine(**machine, command, trace, interrupts);
  interrupts.enter(Interrupts::Stage::Writing);
  const ExitCode code = judged(**machine, command, record);
  if (!record.threads_shortage.empty()) {
    complain(fmt::format("wsevm: note: {}\n", record.threads_shortage));
  }
  if (!record.message.empty()) complain(record.message + "\n");
  Failures failures(record);
  failures.add(trace.close());
  failures.add(outcome(texts.written()));
  if (!command.list.empty()) {
    failures.add(guarded([&] {
      return write_text_file(command.list, inputs, line_listing(**machine, record, sources));
    }));
  }
  return write_results(**machine, command, inputs, failures, record, code, interrupts);
}

}  // namespace

ExitCode run_command(const RunCommand& command) {
  if (is_script(command.source.file)) return run_script_command(command);
  isa::InputList inputs;
  expect_inputs(command, inputs);
  Interrupts interrupts([&](const std::string& message) {
    static_cast<void>(write_unfinished(command, inputs, "interrupted", message));
  });
  TraceFile trace(command.trace);
  const Outcome<ExitCode> code = guarded([&] { return run(command, inputs, trace, interrupts); });
  if (code) return *code;
  interrupts.take_last_words();
  // Memory has run out in the middle of a run: what the trace holds up to there is true.
  if (const Outcome<void> closed = trace.close(); !closed) report(closed.error());
  const ExitCode reported = report(code.error());
  const Outcome<void> written = write_unfinished(command, inputs, "error", code.error().message);
  return written ? reported : report(written.error());
}

}  // namespace wse::cli
