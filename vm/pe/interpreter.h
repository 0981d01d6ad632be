// The interpreter: the executor that looks at one instruction after the other.
#pragma once

#include "isa/semantics/execute.h"
#include "vm/contract/executor.h"

namespace wse::vm {

class Interpreter : public Executor {
 public:
  explicit Interpreter(const isa::Profile& profile) : costs_(profile) {}

  isa::Step run(isa::ScalarState& state, const LoadedProgram& program,
                const StretchLimits& limits) override;
  isa::RangeFunction range(isa::Op op) const override { return isa::range_function(op); }

 private:
  isa::CostTable costs_;
};

class InterpreterEngine : public Engine {
 public:
  std::string_view name() const override { return "interp"; }
  std::vector<std::unique_ptr<Executor>> executors(const isa::Image& image,
                                                   const isa::Profile& profile,
                                                   std::span<const LoadedProgram> programs,
                                                   std::size_t count) const override;
};

}  // namespace wse::vm
