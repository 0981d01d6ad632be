// Files first, then texts for people, then the record.
#include "vm/cli/run_results.h"

#include <fmt/format.h>
#include <unistd.h>

#include "isa/support/atomic_file.h"
#include "vm/cli/array_files.h"
#include "vm/cli/machine_option.h"
#include "vm/cli/memory_limit.h"
#include "vm/cli/outputs.h"
#include "vm/cli/reports.h"
#include "vm/cli/standard_streams.h"
#include "vm/pe/print_text.h"

namespace wse::cli {
namespace {

Outcome<void> write_array_file(const vm::Machine& machine, const NameAndFile& out) {
  const Outcome<NpyArray> array = read_array(machine, out.first);
  if (!array) return std::unexpected(array.error());
  return outcome(write_npy(out.second, *array));
}

Outcome<void> write_picture(const vm::Machine& machine, const NameAndFile& picture) {
  const Outcome<Field> field = read_field(machine, picture.first);
  if (!field) return std::unexpected(field.error());
  return outcome(write_png(picture.second, field->view(), std::nullopt));
}

Outcome<void> write_text_file(const std::string& file, const std::string& text) {
  return outcome(isa::write_whole_file(file, std::as_bytes(std::span(text))));
}

Outcome<std::string> field_text(const vm::Machine& machine, const std::string& name) {
  const Outcome<Field> field = read_field(machine, name);
  if (!field) return std::unexpected(field.error());
  TextStyle style;
  style.colour = wants_colour(STDOUT_FILENO);
  return fmt::format("{}:\n{}", name, shade_text(field->view(), std::nullopt, style));
}

Outcome<std::string> dump_text(const vm::Machine& machine, const Dump& dump) {
  const isa::Result<vm::SymbolValue> value = machine.read_symbol(dump.x, dump.y, dump.symbol);
  if (!value) return failure("--dump: " + value.error());
  std::string text;
  for (const std::uint32_t word : value->words) text += " " + vm::value_text(word, value->type);
  return fmt::format("{} at PE({}, {}) ={}\n", dump.symbol, dump.x, dump.y, text);
}

// What the command wants printed beside the status.
Outcome<std::string> asked_text(const vm::Machine& machine, const RunCommand& command,
                                const vm::Record& record) {
  std::string text = command.stats ? record_text(record) : "";
  for (const std::string& name : command.show) {
    const Outcome<std::string> field = field_text(machine, name);
    if (!field) return field;
    text += *field;
  }
  for (const Dump& dump : command.dumps) {
    const Outcome<std::string> line = dump_text(machine, dump);
    if (!line) return line;
    text += *line;
  }
  return text;
}

// Where a file goes to stdout, texts go to stderr.
Outcome<void> print_texts(const vm::Machine& machine, const RunCommand& command,
                          const vm::Record& record, ExitCode code) {
  const Outcome<std::string> asked = asked_text(machine, command, record);
  if (!asked) return std::unexpected(asked.error());
  if (takes_stdout(outputs_of(command))) {
    complain(*asked);
    return {};
  }
  const bool as_expected = command.expect && code == ExitCode::Fine;
  return print_text(fmt::format("{}: {} cycles{}\n{}", vm::text(record.status), record.cycles,
                                as_expected ? ", all expectations hold" : "", *asked));
}

}  // namespace

void Failures::add(const Outcome<void>& done) {
  if (done) return;
  const Failure& failure = done.error();
  report(failure);
  if (!failure.message.empty()) {
    record_.message += (record_.message.empty() ? "" : "\n") + failure.message;
  }
  // Ascending: bad input, exhausted; a reader that has gone is worth telling if that is all.
  const bool first = worst_ == ExitCode::Fine || worst_ == ExitCode::ReaderGone;
  if (first || failure.code == ExitCode::Exhausted) worst_ = failure.code;
}

ExitCode write_results(const vm::Machine& machine, const RunCommand& command, Failures& failures,
                       vm::Record& record, ExitCode judged, Interrupts& interrupts) {
  const auto add = [&failures](auto work) { failures.add(guarded(work)); };
  for (const NameAndFile& out : command.out) {
    add([&] { return write_array_file(machine, out); });
  }
  for (const NameAndFile& picture : command.pictures) {
    add([&] { return write_picture(machine, picture); });
  }
  if (!command.dot.empty()) {
    add([&] { return write_text_file(command.dot, machine.waits_as_dot(record)); });
  }
  interrupts.take_last_words();
  add([&] { return print_texts(machine, command, record, failures.code(judged)); });
  add([&] { return write_record(command, record); });
  return failures.code(judged);
}

Outcome<void> write_record(const RunCommand& command, const vm::Record& record) {
  if (!command.json) return {};
  const UncountedMemory uncounted;
  return write_text_file(*command.json, record_json(record));
}

Outcome<void> write_record(const RunCommand& command, const script::Outcome& outcome) {
  if (!command.json) return {};
  const UncountedMemory uncounted;
  return write_text_file(*command.json, script_json(outcome, machine_name(command.source.machine)));
}

Outcome<void> write_unfinished(const RunCommand& command, std::string_view status,
                               const std::string& message) {
  // Its own place may be what was refused.
  if (!command.json || !check_outputs({{"--json", *command.json}}, command.source.file)) return {};
  const UncountedMemory uncounted;
  return write_text_file(*command.json,
                         unfinished_json(status, message, machine_name(command.source.machine)));
}

}  // namespace wse::cli
