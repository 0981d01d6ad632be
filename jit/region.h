// A region: the instructions of a program that are compiled together, and how they hang together.
//
//            entry                     entry: where a stretch may begin, or a loop does
//     3  mov32 r1, 0     --.           check: an entry, or where a jump back leads; from here to
//     the 4  add32 r2, r2, 1 <-+-- check          next check are at most so many instructions 5
//     add32 r1, r1, 1   | 6  jlt r1, 8, 4    --' 7  fadds v, v, w   --> leaves: the machine acts 8
//     sub32 r3, r3, 1 <-- entry
//
// Only formats are looked at, never opcodes. The compiler may be any.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "isa/descriptor/descriptor.h"
#include "isa/instruction/instruction.h"

namespace wse::jit {

// The most instructions of a region: compile time grows faster than they do.
inline constexpr std::size_t kMostInstructions = 250;
// The weights of instructions in a region with a loop, as so many scalar ones: the start of a
// vector instruction, which is inlined with all that it looks at, and an instruction on a
// descriptor.
inline constexpr std::size_t kStartWeight = 20;
inline constexpr std::size_t kDescriptorWeight = 4;

// True of what leaves its PE to the machine whatever the state is.
bool always_stops(const isa::Instruction& i);

// The kind of a vector instruction as its code shows it, by the descriptors that were loaded before
// it: a guess, on which nothing but speed depends.
enum class Start : std::uint8_t {
  Unknown,
  Passes,  // on memory alone: it is passed, if it is the PE's only one
  Stops,   // on fabric or FIFOs, on a microthread, or with a descriptor of its own
};

// By code word. `literals` are the descriptors of the program.
std::vector<Start> guess_starts(std::span<const isa::Instruction> code,
                                std::span<const std::uint8_t> begins,
                                std::span<const isa::DescriptorLiteral> literals);

// The code of a program, and what is known of it.
struct RegionCode {
  std::span<const isa::Instruction> words;
  std::span<const std::uint8_t> begins;
  std::span<const Start> starts;
};

struct RegionInstruction {
  std::uint32_t pc = 0;
  isa::Instruction instruction;
  // Where it continues after Step::Next; one that is no member of the region leaves it.
  std::vector<std::uint32_t> next;
  bool returns = false;  // its target is in a register: one of the region's entries, or out
  bool is_entry = false;
  bool expects_stop = false;  // Start::Stops: what passes it is no part of the region
  std::uint32_t most = 0;     // of a check: instructions until the next one; 0: no check
};

struct Region {
  std::uint32_t start = 0;
  std::vector<RegionInstruction> instructions;  // by pc
  bool has_loop = false;  // else execution goes through it once and leaves, whatever it does

  const RegionInstruction* find(std::uint32_t pc) const {
    const auto found = std::ranges::lower_bound(instructions, pc, {}, &RegionInstruction::pc);
    return found != instructions.end() && found->pc == pc ? &*found : nullptr;
  }
};

// By code word: 1 where execution comes again and again: after stop points and calls, and where
// jumps back lead.
std::vector<std::uint8_t> region_heads(const RegionCode& code);

// Finds what can be reached from `start`, stop points included, the nearest first. `heads` are
// those of the code; where `native` is 1 native code begins: loops that it has already, and that
// never lead back to `start`, are left to it.
Region find_region(const RegionCode& code, std::span<const std::uint8_t> heads,
                   std::span<const std::uint8_t> native, std::uint32_t start);

}  // namespace wse::jit
