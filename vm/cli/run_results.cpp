// Files first, then texts for people, then the record.
#include "vm/cli/run_results.h"

#include <fmt/format.h>
#include <unistd.h>

#include "isa/support/atomic_file.h"
#include "vm/cli/field.h"
#include "vm/cli/machine_option.h"
#include "vm/cli/memory_limit.h"
#include "vm/cli/outputs.h"
#include "vm/cli/reports.h"
#include "vm/cli/standard_streams.h"
#include "vm/front/array_files.h"
#include "vm/pe/print_text.h"

namespace wse::cli {
namespace {

Outcome<void> write_array_file(const vm::Machine& machine, const NameAndFile& out,
                               isa::InputList& inputs) {
  const Outcome<numpy::NpyArray> array = front::read_array(machine, out.first);
  if (!array) return std::unexpected(array.error());
  return outcome(numpy::write_npy(out.second, inputs, *array));
}

Outcome<void> write_picture(const vm::Machine& machine, const NameAndFile& picture,
                            isa::InputList& inputs) {
  const Outcome<Field> field = read_field(machine, picture.first);
  if (!field) return std::unexpected(field.error());
  return outcome(write_png(picture.second, inputs, field->view(), std::nullopt));
}

// A text for people; a drawing contains nothing but what wsevm drew, and may have colours.
struct Part {
  std::string text;
  bool drawing = false;
};

Outcome<std::string> field_drawing(const vm::Machine& machine, const std::string& name,
                                   bool colour) {
  const Outcome<Field> field = read_field(machine, name);
  if (!field) return std::unexpected(field.error());
  TextStyle style;
  style.colour = colour;
  return shade_text(field->view(), std::nullopt, style);
}

Outcome<std::string> dump_text(const vm::Machine& machine, const Dump& dump) {
  const isa::Result<vm::SymbolValue> value = machine.read_symbol(dump.x, dump.y, dump.symbol);
  if (!value) return failure("--dump: " + value.error());
  std::string text;
  for (const std::uint32_t word : value->words) text += " " + vm::value_text(word, value->type);
  return fmt::format("{} at PE({}, {}) ={}\n", dump.symbol, dump.x, dump.y, text);
}

// Returns the texts that the command wants printed beside the status.
Outcome<std::vector<Part>> asked_parts(const vm::Machine& machine, const RunCommand& command,
                                       const vm::Record& record, bool colour) {
  std::vector<Part> parts;
  if (command.stats) parts.push_back({record_text(record)});
  for (const std::string& name : command.show) {
    Outcome<std::string> drawing = field_drawing(machine, name, colour);
    if (!drawing) return std::unexpected(drawing.error());
    parts.push_back({name + ":\n"});
    parts.push_back({std::move(*drawing), true});
  }
  for (const Dump& dump : command.dumps) {
    Outcome<std::string> line = dump_text(machine, dump);
    if (!line) return std::unexpected(line.error());
    parts.push_back({std::move(*line)});
  }
  return parts;
}

// Where a file goes to stdout, texts go to stderr.
Outcome<void> print_texts(const vm::Machine& machine, const RunCommand& command,
                          const vm::Record& record, ExitCode code) {
  const bool to_stdout = !takes_stdout(outputs_of(command));
  const bool colour = to_stdout && wants_colour(STDOUT_FILENO);
  const auto asked = asked_parts(machine, command, record, colour);
  if (!asked) return std::unexpected(asked.error());
  const bool as_expected = command.expect && code == ExitCode::Fine;
  Outcome<void> printed;
  if (to_stdout) {
    printed = print_text(fmt::format("{}: {} cycles{}{}\n", vm::text(record.status), record.cycles,
                                     interval_text(record),
                                     as_expected ? ", all expectations hold" : ""));
  }
  for (const Part& part : *asked) {
    if (!to_stdout) complain(part.text);
    if (to_stdout && printed)
      printed = part.drawing ? print_drawing(part.text) : print_text(part.text);
  }
  return printed;
}

}  // namespace

Outcome<void> write_text_file(const std::string& file, isa::InputList& inputs,
                              const std::string& text) {
  return outcome(isa::write_whole_file(file, inputs, std::as_bytes(std::span(text))));
}

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

ExitCode write_results(const vm::Machine& machine, const RunCommand& command,
                       isa::InputList& inputs, Failures& failures, vm::Record& record,
                       ExitCode judged, Interrupts& interrupts, SharedRun* shared) {
  const auto add = [&failures](auto work) { failures.add(guarded(work)); };
  for (std::size_t k = 0; k < command.out.size(); ++k) {
    add([&]() -> Outcome<void> {
      const Outcome<bool> taken = shared != nullptr ? shared->commit(k) : false;
      if (!taken) return std::unexpected(taken.error());
      return *taken ? Outcome<void>() : write_array_file(machine, command.out[k], inputs);
    });
  }
  for (const NameAndFile& picture : command.pictures) {
    add([&] { return write_picture(machine, picture, inputs); });
  }
  if (!command.dot.empty()) {
    add([&] { return write_text_file(command.dot, inputs, machine.waits_as_dot(record)); });
  }
  interrupts.take_last_words();
  add([&] { return print_texts(machine, command, record, failures.code(judged)); });
  add([&] { return write_record(command, inputs, record); });
  return failures.code(judged);
}

Outcome<void> write_record(const RunCommand& command, isa::InputList& inputs,
                           const vm::Record& record) {
  if (!command.json) return {};
  const UncountedMemory uncounted;
  return write_text_file(*command.json, inputs, front::record_json(record));
}

Outcome<void> write_record(const RunCommand& command, isa::InputList& inputs,
                           const script::ScriptResult& result) {
  if (!command.json) return {};
  const UncountedMemory uncounted;
  return write_text_file(*command.json, inputs,
                         front::script_json(result, front::machine_name(command.source.machine)));
}

Outcome<void> write_unfinished(const RunCommand& command, isa::InputList& inputs,
                               std::string_view status, const std::string& message) {
  if (!command.json) return {};
  const UncountedMemory uncounted;
  if (!check_outputs({{"--json", *command.json}}, inputs)) return {};  // what was refused, maybe
  return write_text_file(
      *command.json, inputs,
      front::unfinished_json(status, message, front::machine_name(command.source.machine)));
}

}  // namespace wse::cli
