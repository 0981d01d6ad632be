// Prices of the instructions of straight code, one after the other, for the listing: what each adds
// to the time of those above it, before its elements issue one by one.
//
// Jumps are not followed, so an instruction behind one, and the first of a task, begins with
// nothing in flight. Waiting for words, slots or elements of an instruction above is not known
// here.
#pragma once

#include <array>
#include <cstdint>

#include "isa/image/image.h"
#include "isa/instruction/instruction.h"
#include "isa/machine/profile.h"

namespace wse::assembler {

class StraightLine {
 public:
  // `profile` must live longer.
  explicit StraightLine(const isa::Profile& profile) : profile_(profile) {}

  // Begins with an instruction that comes after no other.
  void begin();

  // Returns the price of the next instruction. The cycles of a vector instruction are those beside
  // its issues: of an asynchronous one on its microthread, else on the thread that executes it.
  isa::Cost next(const isa::Instruction& instruction, const isa::Program& program);

 private:
  isa::Cost of_vector(const isa::Instruction& instruction, isa::Cost price);
  isa::Cost of_scalar(const isa::Instruction& instruction, const isa::Program& program);
  bool uses_fifo(const isa::Instruction& instruction) const;
  void note_descriptor(const isa::Instruction& instruction, const isa::Program& program);

  const isa::Profile& profile_;
  std::uint64_t now_ = 0;
  std::uint64_t settled_ = 0;  // from here on vector instructions may issue
  std::uint64_t drained_ = 0;  // those above have finished
  std::array<isa::DescriptorKind, isa::kDescriptorRegisters> held_{};
};

}  // namespace wse::assembler
