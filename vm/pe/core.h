// One PE: registers and memory, its main thread, its instructions in flight. Plain state; Cores
// moves it through time.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "isa/semantics/state.h"
#include "vm/load/loaded.h"
#include "vm/load/task_ids.h"
#include "vm/pe/fifos.h"
#include "vm/pe/in_flight.h"
#include "vm/pe/stretch_log.h"

namespace wse::vm {

// A colour that was torn down, and the first cycle in which the picker may start its task.
struct TornDown {
  std::uint32_t colour = 0;
  Cycle visible = 0;
};

// The arguments of a launch, from its cycle up to the one in which its task is picked.
struct LaunchedTask {
  std::uint32_t task = 0;  // index
  std::vector<std::uint32_t> arguments;
};

// In whole cache lines: a visit takes all of them.
struct alignas(64) Core {
  // The states of the main thread.
  enum class Main : std::uint8_t {
    Ready,      // executes the instruction at the pc now
    Computing,  // in a scalar stretch until `resume`, at a stop point or cut after it
    Trapping,   // in a scalar stretch that ends in a trap at `resume`
    Vector,     // waits for its own vector instruction
    Waiting,    // waits for microthread `awaited`
    Saving,     // waits until nothing in flight writes back to the descriptor registers it uses
    Free,       // the last task has ended; the picker looks for the next one
    Halted,
  };

  // Parts that few PEs have.
  struct Rare {
    std::vector<TornDown> torn_down;  // in the order of their tasks: by cycle, then by colour
    std::vector<FifoEnds> fifos;
    std::vector<LaunchedTask> launched;  // one at most of each task
  };

  isa::PeState state;
  const LoadedProgram* program = nullptr;
  InFlightList in_flight;
  Cycle resume = 0;
  Cycle burst_cycle = kNever;  // instructions done without time passing, and when
  std::uint32_t burst = 0;     // at most Profile::stretch_instructions, and then a few
  Main main = Main::Ready;
  std::uint8_t awaited = 0;     // a thread
  bool is_mid_stretch = false;  // its last stretch was cut for nothing but its lines
  std::uint32_t task = 0;       // index of the one that runs, or ran last
  std::uint32_t first_run = 0;  // where History counts the runs of its tasks
  Cycle picked = kNever;        // the last cycle with a pick
  const TaskTable* tasks = nullptr;
  TaskIds ids;
  StretchLog log;  // of the last stretch
  std::unique_ptr<Rare> rare;

  // The colours of which instructions in flight take control wavelets, as bits.
  std::uint32_t controls() const {
    std::uint32_t set = 0;
    for (const InFlight& f : in_flight) set |= f.is_moving() ? f.plan->controls : 0;
    return set;
  }
  const isa::Instruction& instruction() const { return program->code[state.pc]; }
  // True if the vector instruction of the main thread starts after cycle `now`.
  bool has_started_ahead(Cycle now) const { return main == Main::Vector && resume > now; }
  // The descriptor registers to which instructions in flight write their positions back, as bits.
  std::uint32_t saved_registers() const {
    std::uint32_t set = 0;
    for (const InFlight& f : in_flight) set |= f.plan->saved;
    return set;
  }
  // The ends of those of its program.
  std::span<const FifoEnds> fifos() const {
    return rare != nullptr ? std::span<const FifoEnds>(rare->fifos) : std::span<const FifoEnds>();
  }
  // To be changed.
  Rare& rarely() {
    if (rare == nullptr) rare = std::make_unique<Rare>();
    return *rare;
  }
};
static_assert(sizeof(Core) == 384);  // a line more is 48 MB of 750 000 PEs

}  // namespace wse::vm
