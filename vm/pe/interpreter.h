// The interpreter: the executor that looks at one instruction after the other.
#pragma once

#include "isa/semantics/execute.h"
#include "vm/executor.h"
#include "vm/pe/stretch_log.h"

namespace wse::vm {

class Interpreter : public Executor {
 public:
  explicit Interpreter(const isa::Profile& profile) : costs_(profile) {}

  isa::Step run(isa::ScalarState& state, std::span<const isa::Instruction> code,
                const StretchLimits& limits) const override;
  isa::RangeFunction range(isa::Op op) const override { return isa::range_function(op); }

 private:
  isa::CostTable costs_;
};

// The descriptor registers that an instruction reads or writes, as bits.
std::uint32_t descriptor_registers(const isa::Instruction& instruction);

}  // namespace wse::vm
