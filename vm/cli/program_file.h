// Program files: .wsa text is assembled, .wsb images are read; either becomes an image.
#pragma once

#include <memory>

#include "asm/assembler.h"
#include "isa/image/image.h"
#include "isa/support/input_list.h"
#include "vm/cli/commands.h"
#include "vm/cli/failure.h"

namespace wse::cli {

struct ProgramFile {
  isa::Image image;
  isa::SourceFiles sources;  // empty for an image
  std::vector<assembler::ChosenNumber> numbers;
  std::string warnings;  // to be printed to stderr
};

bool is_script(std::string_view file);

// A failure's message is ready to print: diagnostics of the assembler, or one line.
Outcome<ProgramFile> read_program(const ProgramSource& source, const isa::Profile& profile,
                                  isa::InputList& inputs);

// The machine of a program, if the memory allowed is enough for it.
Outcome<std::unique_ptr<vm::Machine>> make_machine(const ProgramSource& source, isa::Image image,
                                                   const isa::Profile& profile,
                                                   const vm::Engine* engine = nullptr);

}  // namespace wse::cli
