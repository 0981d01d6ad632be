// What must hold when a vector instruction starts; everything undefined is a trap here.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "isa/image.h"
#include "isa/traps.h"
#include "vm/pe/in_flight.h"
#include "vm/pe/interpreter.h"

namespace wse::vm {

struct Complaint {
  isa::Trap trap;
  std::string detail;
};

// Sets the length of the instruction from its operands: the first source that has one, else the
// destination, else 1. Checks operands by themselves: kinds, bounds, alignment, lengths.
std::optional<Complaint> check_operands(InFlight& starting, std::uint32_t memory_bytes);

// Checks the instruction against itself and against those in flight on the same PE, in the order
// busy microthread, producer, consumer, overlap, race.
std::optional<Complaint> check_start(const InFlight& starting, std::span<const InFlight> in_flight,
                                     const isa::Image& image, const isa::Program& program,
                                     Cycle now);

// A scalar access against the instructions in flight.
std::optional<Complaint> check_access(const Access& access, std::span<const InFlight> in_flight,
                                      const isa::Image& image, const isa::Program& program,
                                      Cycle now);

}  // namespace wse::vm
