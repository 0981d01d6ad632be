// Reads, assembles, describes.
#include "vm/library/program.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "asm/listing.h"
#include "isa/support/plain_text.h"
#include "vm/front/machine_file.h"
#include "vm/front/program_file.h"
#include "vm/library/script.h"

namespace wse::library {
namespace {

using Json = nlohmann::ordered_json;

front::ProgramSource source_of(const Origin& origin) {
  front::ProgramSource source;
  source.file = origin.file;
  source.values = origin.values;
  source.machine = origin.machine;
  return source;
}

std::string shown_name(const Origin& origin) {
  return origin.file.empty() ? "<text>" : std::filesystem::path(origin.file).filename().string();
}

Json symbol_json(const isa::Symbol& symbol) {
  Json shape = Json::array();
  for (std::size_t k = 0; k < symbol.dimensions(); ++k) shape.push_back(symbol.extent(k));
  return {{"name", symbol.name},
          {"type", isa::info(symbol.type).text},
          {"dtype", isa::info(symbol.type).numpy},
          {"exported", symbol.exported},
          {"shape", std::move(shape)}};
}

Json program_json(const isa::Program& program) {
  Json symbols = Json::array();
  for (const isa::Symbol& symbol : program.symbols) symbols.push_back(symbol_json(symbol));
  Json tasks = Json::array();
  for (const isa::Task& task : program.tasks) tasks.push_back(task.name);
  return {
      {"name", program.shown_name()}, {"symbols", std::move(symbols)}, {"tasks", std::move(tasks)}};
}

}  // namespace

Fallible<isa::Profile> find_profile(const std::string& machine, isa::InputList& inputs) {
  const front::MachineFileHost host{.log = [](std::string_view) {}, .give_up = {}};
  auto found = front::find_machine(machine, inputs, host);
  if (!found) return fault(found.error());
  return std::move(found->profile);
}

Inputs new_inputs() { return std::make_shared<isa::InputList>(); }

Fallible<std::shared_ptr<Program>> Program::load(Origin origin, Inputs inputs) {
  auto program = std::make_shared<Program>();
  program->origin_ = std::move(origin);
  program->inputs_ = std::move(inputs);
  Fallible<isa::Profile> profile = find_profile(program->origin_.machine, *program->inputs_);
  if (!profile) return std::unexpected(profile.error());
  program->profile_ = std::move(*profile);
  if (const Done done = program->assemble(); !done) return std::unexpected(done.error());
  return program;
}

Done Program::assemble() {
  if (origin_.text) return assemble_text();
  auto read = front::read_program(source_of(origin_), profile_, *inputs_);
  if (!read) return fault(read.error());
  image_ = std::move(read->image);
  sources_ = std::move(read->sources);
  numbers_ = std::move(read->numbers);
  warnings_ = std::move(read->warnings);
  return {};
}

Done Program::assemble_text() {
  auto text = isa::plain_text(*origin_.text);
  if (!text) return bad_input(fmt::format("{}: {}", shown_name(origin_), text.error()));
  const assembler::Options options =
      front::assembler_options(source_of(origin_), profile_, origin_.file, *inputs_);
  assembler::Output output = assembler::assemble({shown_name(origin_), std::move(*text)}, options);
  std::string diagnostics = isa::to_text(output.diagnostics, output.files);
  if (!output.image) return bad_input(std::move(diagnostics));
  image_ = std::move(*output.image);
  sources_ = std::move(output.files);
  numbers_ = std::move(output.numbers);
  warnings_ = std::move(diagnostics);
  return {};
}

const std::string& Program::title() const {
  static const std::string kText = "<text>";
  return origin_.file.empty() ? kText : origin_.file;
}

std::string Program::symbols_json() const {
  Json programs = Json::array();
  for (const isa::Program& program : image_.programs) programs.push_back(program_json(program));
  Json streams = Json::array();
  for (const isa::Stream& stream : image_.streams) {
    const auto& type = isa::info(stream.type);
    streams.push_back({{"name", stream.name},
                       {"type", type.text},
                       {"dtype", type.numpy},
                       {"enters", stream.enters}});
  }
  const Json json = {{"grid", {image_.width, image_.height}},
                     {"machine", profile_.name},
                     {"warnings", warnings_},
                     {"programs", std::move(programs)},
                     {"streams", std::move(streams)}};
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::string Program::text() const {
  return sources_.empty() ? isa::disassemble(image_) : sources_.front().text;
}

std::string Program::listing() const {
  return assembler::listing(image_, sources_, numbers_, profile_);
}

Fallible<std::shared_ptr<Program>> load_layout(const Origin& origin, std::uint64_t number,
                                               wsevm_print print, void* user) {
  if (number == 0) return bad_input("number is 0; runs of a script are counted from 1");
  Inputs inputs = new_inputs();
  Choices choices;
  choices.machine = origin.machine;
  const ScriptHost host{.capture = number, .print = print, .user = user};
  const auto result = run_script(origin, choices, host, *inputs);
  if (!result) return std::unexpected(result.error());
  if (result->captured.empty() && result->ending != script::Ending::Fine) {
    return fault(code_of(result->ending), result->message);
  }
  if (result->captured.empty()) {
    return bad_input(fmt::format("{}: the script runs {} program{}, there is no number {}",
                                 origin.file, result->runs.size(),
                                 result->runs.size() == 1 ? "" : "s", number));
  }
  Origin made{origin.file, result->captured, origin.machine, result->captured_values};
  return Program::load(std::move(made), std::move(inputs));
}

}  // namespace wse::library
