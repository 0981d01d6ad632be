// Which lines of a PE's program send a colour, block a task, pop a FIFO, ...: where to look for
// what a run lacked.
//
// Read from the code, not from the run: a line may never have been reached. Descriptor registers
// are followed from line to line, not through branches; an id in a register may be any.
#pragma once

#include <string>
#include <vector>

#include "vm/report/scene.h"

namespace wse::vm {

enum class Mention : std::uint8_t {
  Sends,         // words of the colour
  Controls,      // sends control wavelets of the colour, or advances its switch
  Receives,      // words of the colour
  Pushes,        // the FIFO
  Pops,          // the FIFO
  Activates,     // the task
  Blocks,        // the task or colour
  Unblocks,      // the task or colour
  ExitsTeardown  // of the colour
};

// The lines of the program at `pe` that do so with the colour, id or FIFO `number`; in the order of
// the code, each once. A PE without a program, and code without lines, have none.
std::vector<isa::SourceLine> mentions(const Scene& scene, PeId pe, Mention what,
                                      std::uint32_t number);

// The same as text: "heat.wsa:12", "heat.wsa:12, 15 and 2 more lines"; "" if there is none.
std::string mentions_text(const Scene& scene, PeId pe, Mention what, std::uint32_t number);

// Returns whether code that task `task` of the PE (its index) can reach does so. False where that
// is not certain.
bool is_in_task(const Scene& scene, PeId pe, Mention what, std::uint32_t number,
                std::uint32_t task);

// Whether the program at `pe` can take words of the colour, by an instruction or a data task.
bool may_receive(const Scene& scene, PeId pe, std::uint32_t colour);
// Whether it can send wavelets of the colour.
bool may_send(const Scene& scene, PeId pe, std::uint32_t colour);

}  // namespace wse::vm
