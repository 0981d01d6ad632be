// A program, decoded and checked against the PE memory of the machine: what all its PEs share.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "isa/image/image.h"
#include "isa/image/machine_limits.h"
#include "isa/machine/profile.h"

namespace wse::vm {

struct LoadedProgram {
  const isa::Program* program = nullptr;
  std::uint32_t number = 0;                      // of the program in the image
  std::vector<isa::Instruction> code;            // by code word; second words are never reached
  std::vector<std::uint8_t> begins;              // by code word: 1 if an instruction begins there
  std::vector<isa::Instruction> configurations;  // that write the router, see configuration.h
  std::uint32_t entry = 0;                       // of task main
  std::uint32_t main = 0;                        // its index
  std::uint32_t data_bytes = 0;
  std::uint32_t data_stride = 0;  // from the data of one PE to those of the next
  // By slot: 1 if anything of the program reads it, 0 if at most initial data depend on it.
  std::vector<std::uint8_t> slots_read;
  std::uint32_t threads = 0;  // those up to the highest that it names; 0: no vector instruction
  bool names_descriptors = false;   // some instruction reads or writes a descriptor register
  bool chooses_colours = false;     // descriptors can get colours that no literal names
  bool waits_for_launches = false;  // it exports tasks: its PEs need not halt
  // The colours that have queues, if a queue has one colour and descriptors may have any.
  std::optional<isa::ColourUses> queues;

  // Returns how many of its tasks have their runs counted: main alone runs once.
  std::uint32_t counted_tasks() const {
    return program->has_main_only() ? 0 : static_cast<std::uint32_t>(program->tasks.size());
  }
};

// Errors: a program that does not fit into PE memory or has no task main. `program` must stay.
isa::Result<LoadedProgram> load_program(const isa::Program& program, const isa::Profile& profile);

}  // namespace wse::vm
