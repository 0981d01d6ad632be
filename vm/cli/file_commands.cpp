// wsevm asm, dis, check: programs in and out, nothing runs.
#include <fmt/format.h>

#include "asm/listing.h"
#include "vm/cli/data_folder.h"
#include "vm/cli/program_file.h"

namespace wse::cli {

ExitCode asm_command(const AsmCommand& command) {
  const isa::Profile profile = *isa::find_profile(command.source.machine);
  const Outcome<ProgramFile> program = read_program(command.source, profile);
  if (!program) return report(program.error());
  fmt::print(stderr, "{}", program->warnings);
  if (command.list) {
    fmt::print("{}",
               assembler::listing(program->image, program->sources, program->numbers, profile));
  }
  if (command.symbols) fmt::print("{}", assembler::symbol_table(program->image));
  if (command.output.empty()) return ExitCode::Fine;
  const auto written = isa::write_whole_file(command.output, isa::write_image(program->image));
  if (!written) return report(failure(written.error()).error());
  return ExitCode::Fine;
}

ExitCode dis_command(const std::string& file) {
  const Outcome<std::string> path = find_input(file);
  if (!path) return report(path.error());
  const auto bytes = isa::read_whole_file(*path);
  if (!bytes) return report(failure(bytes.error()).error());
  const isa::Result<isa::Image> image = isa::read_image(*bytes);
  if (!image) return report({fmt::format("{}: {}", file, image.error()), ExitCode::BadInput});
  fmt::print("{}", isa::disassemble(*image));
  return ExitCode::Fine;
}

ExitCode check_command(const ProgramSource& source) {
  const isa::Profile profile = *isa::find_profile(source.machine);
  const Outcome<ProgramFile> program = read_program(source, profile);
  if (!program) return report(program.error());
  fmt::print(stderr, "{}", program->warnings);
  const auto machine = vm::Machine::create(program->image, profile);
  if (!machine) return report(machine_failure(source.file, machine.error()));
  fmt::print("{}: no errors\n", source.file);
  return ExitCode::Fine;
}

}  // namespace wse::cli
