// The executor of one strip: native code where there is some, else the interpreter, which counts
// how hot each place is.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "jit/workshop.h"
#include "vm/pe/interpreter.h"

namespace wse::jit {

class JitExecutor : public vm::Executor {
 public:
  using Programs = std::vector<std::shared_ptr<NativeProgram>>;  // by number

  JitExecutor(const isa::Profile& profile, std::shared_ptr<Workshop> workshop,
              std::shared_ptr<Programs> programs);

  // Its native_work() tells what is compiled from now on, for the other strips too.
  void tell_compilation() { before_ = workshop_->work(); }

  isa::Step run(isa::ScalarState& state, const vm::LoadedProgram& program,
                const vm::StretchLimits& limits) override;
  isa::RangeFunction range(isa::Op op) const override { return interpreter_.range(op); }
  vm::NativeWork native_work() const override;

 private:
  // Where there is native code, or might be soon.
  isa::Step run_native(isa::ScalarState& state, const vm::LoadedProgram& program,
                       const vm::StretchLimits& limits);
  // Whether so much has been interpreted from the place on that its region may be wanted.
  bool is_hot(const Place& place) const;
  // Returns whether the region of a hot place is worth compiling.
  bool pays(NativeProgram& native, vm::StretchKind kind, std::uint32_t pc);
  // Interprets until native code may begin, at most up to instruction `end` of the state.
  isa::Step interpret(isa::ScalarState& state, const vm::LoadedProgram& program,
                      const NativeProgram& native, vm::StretchLimits limits, std::uint64_t end);

  isa::CostTable costs_;
  vm::Interpreter interpreter_;
  std::shared_ptr<Workshop> workshop_;
  std::shared_ptr<Programs> programs_;
  std::uint32_t threshold_;
  std::uint32_t looks_at_;  // heat from which a place is judged
  static constexpr std::uint32_t kNowhere = ~0u;
  std::uint32_t cut_ = kNowhere;  // where the last stretch came to its limit
  std::uint32_t rest_ = 0;        // stretches that are not counted, for nothing would be compiled
  std::uint32_t long_slice_;      // instructions interpreted at once where nothing is native
  std::uint64_t native_instructions_ = 0;
  std::optional<Work> before_;
};

}  // namespace wse::jit
