// Programs of random instructions, and a PE to execute them on: all rows, operands that trap now
// and then, jumps to anywhere. What a row is, its format says; a new instruction is among them.
#pragma once

#include <array>
#include <vector>

#include "isa/semantics/state.h"
#include "tests/support/random.h"
#include "vm/load/loaded_program.h"

namespace wse::test_support {

class RandomCode {
 public:
  static constexpr std::uint32_t kMemoryBytes = 1024;

  explicit RandomCode(std::uint32_t seed);
  RandomCode(const RandomCode&) = delete;
  RandomCode& operator=(const RandomCode&) = delete;

  const isa::Image& image() const { return image_; }
  const vm::LoadedProgram& program() const { return program_; }
  // The PE, with new values in registers and memory, at some instruction.
  isa::ScalarState& new_state();
  // Another instruction.
  std::uint32_t any_pc() { return pcs_[random_.below(static_cast<std::uint32_t>(pcs_.size()))]; }
  Random& random() { return random_; }

 private:
  isa::Instruction instruction(const isa::InstructionInfo& row);
  std::uint32_t any_word();
  isa::Descriptor memory_descriptor();
  void write_code();

  Random random_;
  isa::Image image_;
  vm::LoadedProgram program_;
  std::vector<std::uint32_t> pcs_;
  std::vector<std::uint32_t> slots_;
  std::array<isa::Descriptor, 8> resolved_;
  std::vector<const isa::Descriptor*> descriptors_;
  isa::ProgramView view_;
  isa::DescriptorRegisters registers_;
  std::vector<std::byte> memory_;
  isa::ScalarState state_;
};

}  // namespace wse::test_support
