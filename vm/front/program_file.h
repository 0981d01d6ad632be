// Program files: .wsa text is assembled, .wsb images are read; either becomes an image.
#pragma once

#include <memory>

#include "asm/assembler.h"
#include "isa/image/image.h"
#include "isa/support/input_list.h"
#include "vm/front/failure.h"
#include "vm/front/program_source.h"
#include "vm/run/machine.h"

namespace wse::front {

struct ProgramFile {
  isa::Image image;
  isa::SourceFiles sources;  // empty for an image
  std::vector<assembler::ChosenNumber> numbers;
  std::string warnings;  // to be printed to stderr
};

// The result of assembling a text; of an image nothing but the image.
struct Assembly {
  assembler::Output output{};
  assembler::Options options{};  // its loader needs the list of inputs
};

// Returns what the command line says to the assembler. `path`: of the text, empty if it has none;
// the list must live longer.
assembler::Options assembler_options(const ProgramSource& source, const isa::Profile& profile,
                                     const std::string& path, isa::InputList& inputs);

// Assembles the text or reads the image. Failures: it cannot be read. Errors of the text are
// diagnostics of the output.
Outcome<Assembly> read_assembly(const ProgramSource& source, const isa::Profile& profile,
                                isa::InputList& inputs);

bool is_script(std::string_view file);

// A failure's message is ready to print: diagnostics of the assembler, or one line.
Outcome<ProgramFile> read_program(const ProgramSource& source, const isa::Profile& profile,
                                  isa::InputList& inputs);

// The machine of a program, if the memory allowed is enough for it. `options`: those that the
// source does not say.
Outcome<std::unique_ptr<vm::Machine>> make_machine(const ProgramSource& source, isa::Image image,
                                                   const isa::Profile& profile,
                                                   vm::MachineOptions options = {});

}  // namespace wse::front
