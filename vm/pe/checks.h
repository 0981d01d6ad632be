// Checks of a vector instruction that starts; everything undefined is a trap here.
#pragma once

#include <optional>
#include <span>

#include "isa/image/image.h"
#include "isa/image/machine_limits.h"
#include "vm/contract/executor.h"
#include "vm/load/task_table.h"
#include "vm/pe/complaint.h"
#include "vm/pe/in_flight.h"

namespace wse::vm {

struct Core;

// The surroundings of an instruction that starts, on its PE.
struct Surroundings {
  const InFlightList& in_flight;
  const isa::Image& image;
  const isa::Program& program;
  const TaskTable& tasks;
  IdMask blocked = 0;  // a data task that is not is the consumer of its colour
};
Surroundings surroundings_of(const Core& core, const isa::Image& image);

// Sets the length of the instruction from its operands: the first source that has one, else the
// destination, else 1. Checks operands by themselves: kinds, bounds, alignment, lengths.
std::optional<Complaint> check_operands(Plan& starting, std::uint32_t memory_bytes);

// At most so many fabric inputs as the machine lets an instruction have.
std::optional<Complaint> check_inputs(const Operands& operands, const isa::Profile& profile);

// Where a queue has one colour: fabric operands have one of those that have queues.
std::optional<Complaint> check_queues(const Operands& operands, const isa::ColourUses& queues,
                                      const std::uint32_t* slots, const isa::Image& image);

// Checks the instruction against itself and against those in flight on the same PE, in the order
// busy microthread, producer, consumer, FIFO, overlap, race.
std::optional<Complaint> check_start(const Plan& starting, const Surroundings& around, Cycle now);

// True if check_start() finds something whatever else is in flight.
bool clashes_with_itself(const Plan& starting, const isa::Program& program);

// Activates, blocks or unblocks an id: it must be a task's of that kind, and an unblocked data task
// must be the only consumer of its colour from cycle `from` on.
std::optional<Complaint> check_task(isa::Op op, std::uint32_t id, const Surroundings& around,
                                    Cycle from);

// A scalar access against the instructions in flight.
std::optional<Complaint> check_access(const Access& access, const InFlightList& in_flight,
                                      const isa::Image& image, const isa::Program& program,
                                      Cycle now);

}  // namespace wse::vm
