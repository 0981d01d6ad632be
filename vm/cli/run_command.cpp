// wsevm run: load, run, check, write what was asked for.
#include <fmt/format.h>
#include <unistd.h>

#include "vm/cli/array_files.h"
#include "vm/cli/interrupt.h"
#include "vm/cli/program_file.h"
#include "vm/cli/reports.h"
#include "vm/cli/run_output.h"
#include "vm/pe/print_text.h"

namespace wse::cli {
namespace {

ExitCode code_of(vm::RunStatus status) {
  switch (status) {
    case vm::RunStatus::Halted: return ExitCode::Fine;
    case vm::RunStatus::Interrupted: return ExitCode::Interrupted;
    default: return ExitCode::EndedBadly;
  }
}

Outcome<std::unique_ptr<vm::Machine>> make_machine(const RunCommand& command) {
  const isa::Profile profile = *isa::find_profile(command.source.machine);
  Outcome<ProgramFile> program = read_program(command.source, profile);
  if (!program) return std::unexpected(program.error());
  fmt::print(stderr, "{}", program->warnings);
  auto machine = vm::Machine::create(std::move(program->image), profile);
  if (machine) return std::move(*machine);
  return std::unexpected(machine_failure(command.source.file, machine.error()));
}

Outcome<vm::Record> run_machine(vm::Machine& machine, const RunCommand& command) {
  TraceFile trace(command.trace);
  if (Outcome<void> opened = trace.open(); !opened) return std::unexpected(opened.error());
  Progress progress(command);
  vm::RunOptions options;
  if (command.max_cycles) options.max_cycles = *command.max_cycles;
  options.tsc_skew = command.tsc_skew;
  options.interrupt = &interrupt_flag();
  options.print = [](std::string_view line) { fmt::print(stderr, "{}\n", line); };
  options.progress = [&progress](vm::Cycle cycle) { progress.tell(cycle); };
  options.trace = trace.sink();
  options.trace_filter = command.trace_filter;
  vm::Record record = machine.run(options);
  progress.end();
  if (Outcome<void> closed = trace.close(); !closed) return std::unexpected(closed.error());
  return record;
}

// The exit code of a run; what is wrong beside its status is added to the message of the record.
ExitCode judge(const vm::Machine& machine, const RunCommand& command, vm::Record& record) {
  const bool halted = record.status == vm::RunStatus::Halted;
  ExitCode code = code_of(record.status);
  if (halted && command.strict && record.wavelets_left > 0) code = ExitCode::EndedBadly;
  if (!halted || !command.expect) return code;
  for (const std::string& failure : machine.failed_expectations(record)) {
    record.message += (record.message.empty() ? "" : "\n") + failure;
    code = ExitCode::EndedBadly;
  }
  return code;
}

Outcome<void> show_fields(const vm::Machine& machine, const RunCommand& command) {
  for (const std::string& name : command.show) {
    const Outcome<Field> field = read_field(machine, name);
    if (!field) return std::unexpected(field.error());
    TextStyle style;
    style.colour = wants_colour(STDOUT_FILENO);
    fmt::print("{}:\n{}", name, shade_text(field->view(), std::nullopt, style));
  }
  return {};
}

Outcome<void> print_dumps(const vm::Machine& machine, const RunCommand& command) {
  for (const Dump& dump : command.dumps) {
    const isa::Result<vm::SymbolValue> value = machine.read_symbol(dump.x, dump.y, dump.symbol);
    if (!value) return failure("--dump: " + value.error());
    std::string text;
    for (const std::uint32_t word : value->words) text += " " + vm::value_text(word, value->type);
    fmt::print("{} at PE({}, {}) ={}\n", dump.symbol, dump.x, dump.y, text);
  }
  return {};
}

Outcome<void> write_files(const vm::Machine& machine, const RunCommand& command,
                          const vm::Record& record) {
  for (const auto& [name, file] : command.out) {
    const Outcome<NpyArray> array = read_array(machine, name);
    if (!array) return std::unexpected(array.error());
    if (auto written = write_npy(file, *array); !written) return failure(written.error());
  }
  for (const auto& [name, file] : command.pictures) {
    const Outcome<Field> field = read_field(machine, name);
    if (!field) return std::unexpected(field.error());
    auto written = write_png(file, field->view(), std::nullopt);
    if (!written) return failure(written.error());
  }
  if (command.dot.empty()) return {};
  const std::string dot = machine.waits_as_dot(record);
  auto written = isa::write_whole_file(command.dot, std::as_bytes(std::span(dot)));
  if (!written) return failure(written.error());
  return {};
}

// Names of arrays that do not exist are refused before the run, not after it.
Outcome<void> check_names(const vm::Machine& machine, const RunCommand& command) {
  std::vector<std::string> names = command.show;
  for (const auto& [name, file] : command.out) names.push_back(name);
  for (const auto& [name, file] : command.pictures) names.push_back(name);
  for (const std::string& name : names) {
    const isa::Result<vm::ArrayInfo> array = machine.array(name);
    if (!array) return failure(array.error());
  }
  return {};
}

Outcome<void> write_json(const RunCommand& command, const std::string& json) {
  if (!command.json) return {};
  auto written = isa::write_whole_file(*command.json, std::as_bytes(std::span(json)));
  if (!written) return failure(written.error());
  return {};
}

Outcome<ExitCode> run(const RunCommand& command) {
  Outcome<std::unique_ptr<vm::Machine>> made = make_machine(command);
  if (!made) return std::unexpected(made.error());
  vm::Machine& machine = **made;
  Outcome<void> done = check_names(machine, command);
  for (const NameAndFile& in : command.in) {
    if (done) done = load_array(machine, in);
  }
  if (!done) return std::unexpected(done.error());
  Outcome<vm::Record> record = run_machine(machine, command);
  if (!record) return std::unexpected(record.error());
  const ExitCode code = judge(machine, command, *record);
  if (!record->message.empty()) fmt::print(stderr, "{}\n", record->message);
  done = write_files(machine, command, *record);
  if (command.json != "-") {  // otherwise stdout holds JSON alone
    const bool as_expected = command.expect && code == ExitCode::Fine;
    fmt::print("{}: {} cycles{}\n", vm::text(record->status), record->cycles,
               as_expected ? ", all expectations hold" : "");
    if (command.stats) fmt::print("{}", record_text(*record));
    if (done) done = show_fields(machine, command);
    if (done) done = print_dumps(machine, command);
  }
  if (done) done = write_json(command, record_json(*record));
  if (!done) return std::unexpected(done.error());
  return code;
}

}  // namespace

ExitCode run_command(const RunCommand& command) {
  const Outcome<ExitCode> code = run(command);
  if (code) return *code;
  const ExitCode reported = report(code.error());
  const std::string json = error_json(code.error().message, command.source.machine);
  if (Outcome<void> written = write_json(command, json); !written) return report(written.error());
  return reported;
}

}  // namespace wse::cli
