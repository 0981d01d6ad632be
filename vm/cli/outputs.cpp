// Names of outputs, compared and tried.
#include "vm/cli/outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "isa/support/output_file.h"
#include "scripts/host/script.h"
#include "vm/cli/memory_limit.h"
#include "vm/front/data_folder.h"

namespace wse::cli {

std::vector<NamedOutput> outputs_of(const RunCommand& command) {
  std::vector<NamedOutput> outputs;
  for (const auto& [name, file] : command.out) outputs.push_back({"--out " + name, file});
  for (const auto& [name, file] : command.pictures) outputs.push_back({"--picture " + name, file});
  if (!command.trace.empty()) outputs.push_back({"--trace", command.trace});
  if (!command.dot.empty()) outputs.push_back({"--dot", command.dot});
  if (!command.list.empty()) outputs.push_back({"--list", command.list});
  if (!command.path.empty()) outputs.push_back({"--path", command.path});
  if (!command.profile.empty()) outputs.push_back({"--profile", command.profile});
  if (!command.report.empty()) outputs.push_back({"--report", command.report});
  if (!command.checkpoint.empty()) outputs.push_back({"--checkpoint", command.checkpoint});
  if (command.json) outputs.push_back({"--json", *command.json});
  return outputs;
}

std::vector<NamedOutput> outputs_of(const AsmCommand& command) {
  if (command.output.empty()) return {};
  return {{"--output", command.output}};
}

void expect_inputs(const ProgramSource& source, isa::InputList& inputs) {
  const UncountedMemory uncounted;  // what it protects is not to be lost for want of memory
  std::vector<std::string> files = {source.file};
  if (script::is_machine_file(source.machine)) files.push_back(source.machine);
  for (const std::string& file : files) {
    if (const Outcome<std::string> path = front::find_input(file)) inputs.expect(*path);
  }
}

void expect_inputs(const RunCommand& command, isa::InputList& inputs) {
  expect_inputs(command.source, inputs);
  const UncountedMemory uncounted;
  for (const auto& [name, file] : command.in) {
    if (const Outcome<std::string> path = front::find_input(file)) inputs.expect(*path);
  }
  if (command.restore.empty()) return;
  if (const Outcome<std::string> path = front::find_input(command.restore)) inputs.expect(*path);
}

Outcome<void> check_outputs(const std::vector<NamedOutput>& outputs, isa::InputList& inputs) {
  std::map<std::string, std::string> taken;  // option by file
  for (const NamedOutput& output : outputs) {
    if (auto possible = isa::check_output(output.path, inputs); !possible) {
      const Failure why = failure(possible.error()).error();
      return std::unexpected(Failure{output.option + ": " + why.message, why.code});
    }
    const std::string file = isa::output_identity(output.path);
    if (file.empty()) continue;
    const auto [other, is_new] = taken.try_emplace(file, output.option);
    if (is_new) continue;
    return failure(fmt::format("{}: '{}' is for {} too; give it a file of its own", output.option,
                               output.path == "-" ? "stdout" : output.path, other->second));
  }
  return {};
}

bool takes_stdout(const std::vector<NamedOutput>& outputs) {
  return std::ranges::any_of(outputs, [](const NamedOutput& o) { return o.path == "-"; });
}

}  // namespace wse::cli
