// The state of a PE that scalar instructions see: plain data, so that compiled code can share it.
//
// `memory` is the data of the program, nothing else: an address at or beyond memory_bytes traps,
// code included. Cycles and slots are charged by execute() alone.
#pragma once

#include <cstdint>

#include "isa/instruction/traps.h"
#include "isa/semantics/descriptor_registers.h"

namespace wse::isa {

// The state with which the generator of a PE begins, unless its program has a seed of its own.
inline constexpr std::uint32_t kRandomSeed = 0xdeadbeefu;
// The lowest bits of the state decide all that follow; if they are 0 every draw is 0.
inline constexpr std::uint32_t kRandomBits = 23;

constexpr bool is_random_seed(std::uint32_t bits) { return bits << (32 - kRandomBits) != 0; }

// The parts that PEs share which run one program with equal parameters.
struct ProgramView {
  const std::uint32_t* literals = nullptr;
  const std::uint32_t* slots = nullptr;
  const Descriptor* const* descriptors = nullptr;  // by number of the literal
  const std::uint8_t* begins = nullptr;            // by code word: 1 if an instruction begins there
  std::uint32_t code_words = 0;
};

// The state that a PE keeps from one stretch of scalar code to the next.
struct PeState {
  std::uint32_t r[kRegisters] = {};
  DescriptorRegisters* d = nullptr;  // may be null if no instruction of the program names one
  std::byte* memory = nullptr;
  const ProgramView* view = nullptr;
  std::uint32_t memory_bytes = 0;
  std::uint32_t pc = 0;                // code word index of the instruction that executes
  std::uint32_t random = kRandomSeed;  // the last 32 bits that the generator made
  // Elements that the last vector instruction of the main thread did not do; -1: without bound.
  std::uint32_t left = 0;
};
static_assert(sizeof(PeState) <= 128);

// Times that vector instructions of a main thread leave to what follows them (vm/pe/succession.h).
// A time that has passed may be any earlier one.
struct Succession {
  std::uint64_t drained = 0;      // what sees them finished waits until then
  std::uint64_t settled = 0;      // descriptors have been loaded: from then on vectors may issue
  const void* former = nullptr;   // the last one, if it writes memory
  std::uint64_t same_from = 0;    // from then on one may issue that touches the same elements,
  std::uint64_t others_from = 0;  // and one that touches its words otherwise
};

// A PE while a stretch runs.
struct ScalarState : PeState {
  ScalarState() = default;
  // Where nothing has been charged yet.
  explicit ScalarState(const PeState& pe) : PeState(pe) {}

  std::uint64_t start_cycle = 0;    // the PE's cycle counter as the stretch began
  std::uint64_t slots_charged = 0;  // cycles that the stretch holds the issue slot
  std::uint64_t cycles_charged = 0;
  std::uint64_t instructions = 0;
  std::uint64_t flops = 0;

  Succession after = {};  // times from the start of the stretch on

  // Counts of the vector instructions and waits that the stretch passed, if the machine lets it.
  bool passed = false;
  std::uint64_t elements = 0;
  std::uint64_t written = 0;      // bytes of memory, also those that are written again
  std::uint64_t stalls = 0;       // cycles in which a conflict of banks held the slot
  std::uint64_t first_stall = 0;  // if there are some: cycles before the first of them issued
  std::uint64_t first_issue = 0;  // of the last vector instruction: cycles before it issued
  // Where time passed last: what has been charged there, and the instructions before it.
  std::uint64_t burst_cycles = 0;
  std::uint64_t burst_from = 0;

  Trap trap = Trap::BadInstruction;  // valid after Step::Trap
  std::uint32_t trap_address = 0;    // of a memory trap
};

// How an instruction ended: pc set to the next one (Next), or left at this one because the machine
// must act (Stop: a stop point; Service: a mark or print) or must stop (Trap; state unchanged).
enum class Step : std::uint8_t { Next, Stop, Service, Trap };

}  // namespace wse::isa
