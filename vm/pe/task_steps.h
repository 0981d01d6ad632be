// The tasks of cores: what starts them, what instructions and completions change about them.
#pragma once

#include <span>

#include "vm/pe/checks.h"
#include "vm/pe/core_table.h"
#include "vm/pe/core_traps.h"
#include "vm/pe/scalar_time.h"

namespace wse::vm {

class TaskSteps {
 public:
  // All must live longer.
  TaskSteps(const CoreParts& parts, CoreTable& cores, CoreTraps& traps, ScalarTime& time)
      : parts_(parts), cores_(cores), traps_(traps), time_(time) {}

  // True if a task was picked; its first instruction may execute in the cycle `resume`.
  bool pick(PeId pe, Core& core, Cycle now);
  // Executes activate, block, unblock at the pc: seen by the picker from the next cycle on.
  void act(PeId pe, Core& core, Cycle now);
  // An instruction has finished: what it activates or unblocks can be picked in this cycle.
  struct Completed {
    isa::Completion action;
    std::uint32_t id;  // of the task or colour
    std::uint32_t pc;  // of the instruction
  };
  void complete(PeId pe, Core& core, const Completed& completed, Cycle now);
  // Activates or unblocks the id in the middle of an instruction: seen from the next cycle on.
  void tell(PeId pe, Core& core, isa::Op op, std::uint32_t id, std::uint32_t pc, Cycle now);
  // A launch in cycle `now` activates the task of that index, which gets the arguments when it is
  // picked: from the next cycle on.
  void launch(PeId pe, std::uint32_t task, std::span<const std::uint32_t> arguments, Cycle now);
  // The teardown task of the colour, if the PE has one, may be picked from cycle `visible` on.
  void torn_down(PeId pe, std::uint32_t colour, Cycle visible);

 private:
  static void take_arguments(Core& core, const isa::Task& task, std::uint32_t wavelet);
  static void take_launched(Core& core, std::uint32_t index);
  void start(PeId pe, Core& core, const isa::Task& task, Cycle now);
  void look_on_tape(PeId pe, const Core& core);
  // Why the id may not be changed so, as the picker sees it from cycle `from` on.
  std::optional<Complaint> check(const Core& core, isa::Op op, std::uint32_t id, Cycle from) const;

  CoreParts parts_;
  CoreTable& cores_;
  CoreTraps& traps_;
  ScalarTime& time_;
};

}  // namespace wse::vm
