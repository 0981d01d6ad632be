// wsevm asm, dis: programs in and out, nothing runs.
#include <fmt/format.h>

#include "asm/listing.h"
#include "isa/support/atomic_file.h"
#include "vm/cli/interrupt.h"
#include "vm/cli/machine_option.h"
#include "vm/cli/memory_limit.h"
#include "vm/cli/outputs.h"
#include "vm/cli/standard_streams.h"
#include "vm/front/data_folder.h"
#include "vm/front/program_file.h"
#include "vm/front/source_loader.h"

namespace wse::cli {
namespace {

// Returns the texts that --list and --symbols print.
std::string texts_of(const AsmCommand& command, const front::ProgramFile& program,
                     const isa::Profile& profile) {
  std::string text;
  if (command.list) {
    text += assembler::listing(program.image, program.sources, program.numbers, profile);
  }
  if (command.symbols) text += assembler::symbol_table(program.image);
  return text;
}

Outcome<void> assemble(const AsmCommand& command, Interrupts& interrupts) {
  isa::InputList inputs;
  expect_inputs(command.source, inputs);
  if (auto possible = check_outputs(outputs_of(command), inputs); !possible) return possible;
  const Outcome<isa::MeasuredProfile> machine = find_machine(command.source.machine, inputs);
  if (!machine) return std::unexpected(machine.error());
  const isa::Profile& profile = machine->profile;
  const Outcome<front::ProgramFile> program = front::read_program(command.source, profile, inputs);
  if (!program) return std::unexpected(program.error());
  complain(program->warnings);
  interrupts.enter(Interrupts::Stage::Writing);
  if (!command.output.empty()) {  // before the texts: who reads those may go away
    const auto written =
        isa::write_whole_file(command.output, inputs, isa::write_image(program->image));
    if (!written) return failure(written.error());
  }
  const std::string texts = texts_of(command, *program, profile);
  if (!takes_stdout(outputs_of(command))) return print_text(texts);
  complain(texts);
  return {};
}

Outcome<void> disassemble(const std::string& file) {
  const Outcome<std::string> path = front::find_input(file);
  if (!path) return std::unexpected(path.error());
  isa::InputList inputs;
  const auto bytes = isa::read_whole_file(*path, inputs, front::kMaxProgramBytes);
  if (!bytes) return failure(bytes.error());
  const isa::Result<isa::Image> image = isa::read_image(*bytes);
  if (!image) return failure(fmt::format("{}: {}", file, image.error()));
  return print_data(isa::disassemble(*image));
}

// Calls work(interrupts), which an interrupt ends at once, unless it has entered a stage in which
// it writes.
template <class Work>
ExitCode interruptible(Work work) {
  Interrupts interrupts;
  const Outcome<void> done = guarded([&] { return work(interrupts); });
  return done ? ExitCode::Fine : report(done.error());
}

}  // namespace

ExitCode asm_command(const AsmCommand& command) {
  return interruptible([&](Interrupts& interrupts) { return assemble(command, interrupts); });
}

ExitCode dis_command(const std::string& file) {
  return interruptible([&](Interrupts&) { return disassemble(file); });
}

}  // namespace wse::cli
