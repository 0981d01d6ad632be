// From native code to the interpreter and back, within the limit of a stretch.
#include "jit/executor.h"

#include <algorithm>

#include "isa/support/mutant.h"
#include "vm/pe/scalar_step.h"

// What regions without a loop call (externals.txt): meaning.cpp has the same for the others.
extern "C" {
#define PASS(kind)                                                                             \
  wse::isa::Step wse_pass_##kind(wse::isa::ScalarState& state, const wse::isa::Instruction& i, \
                                 const wse::vm::StretchLimits& limits);                        \
  wse::isa::Step wse_pass_##kind(wse::isa::ScalarState& state, const wse::isa::Instruction& i, \
                                 const wse::vm::StretchLimits& limits) {                       \
    return wse::vm::pass<wse::vm::kind>(state, i, limits);                                     \
  }
PASS(Plain)
PASS(Recorded)
#undef PASS
}

namespace wse::jit {
namespace {

// Instructions that are interpreted before it is looked at whether native code may begin.
constexpr std::uint64_t kSlice = 64;
// The same while the program has no native code: to look takes as long as some ten instructions.
constexpr std::uint64_t kLongSlice = 2048;

}  // namespace

JitExecutor::JitExecutor(const isa::Profile& profile, std::shared_ptr<Workshop> workshop,
                         std::shared_ptr<Programs> programs)
    : costs_(profile),
      interpreter_(profile),
      workshop_(std::move(workshop)),
      programs_(std::move(programs)) {}

isa::Step JitExecutor::run(isa::ScalarState& state, const vm::LoadedProgram& program,
                           const vm::StretchLimits& limits) {
  const vm::StretchKind kind = kind_of(limits);
  NativeProgram& native = *(*programs_)[program.number];
  const std::uint64_t end = state.instructions + limits.instructions;
  while (state.instructions < end) {
    Place& place = native.at(kind, state.pc);
    RegionFunction function = place.function.load(std::memory_order_acquire);
    if (function == nullptr && is_hot(native, kind, state.pc)) {
      workshop_->ask({(*programs_)[program.number], kind, state.pc, costs_});
      function = place.function.load(std::memory_order_acquire);
    }
    const std::uint64_t before = state.instructions;
    if (function != nullptr) {
      const std::uint32_t r1 = state.r[1];
      const isa::Step step = function(&state, state.memory, &limits, end);
      if (isa::mutant(isa::Mutant::RegionRegisterLost)) state.r[1] = r1;
      if (isa::mutant(isa::Mutant::RegionTrapPc) && step == isa::Step::Trap) ++state.pc;
      native_instructions_ += state.instructions - before;
      if (step != isa::Step::Next) return step;
      if (state.instructions > before) continue;
    }
    const isa::Step step = interpret(state, program, limits, end);
    if (function == nullptr) {
      // No addition in one step, which would take longer than a short stretch: strips that count at
      // the same time may lose some.
      const std::uint32_t heat = place.heat.load(std::memory_order_relaxed);
      place.heat.store(heat + static_cast<std::uint32_t>(state.instructions - before),
                       std::memory_order_relaxed);
    }
    if (step != isa::Step::Next) return step;
  }
  return isa::Step::Next;
}

bool JitExecutor::is_hot(NativeProgram& native, vm::StretchKind kind, std::uint32_t pc) const {
  Place& place = native.at(kind, pc);
  const std::uint32_t heat = place.heat.load(std::memory_order_relaxed);
  if (heat < workshop_->threshold() || place.asked || !native.is_head(kind, pc)) return false;
  if (heat >= workshop_->straight_threshold()) return true;
  if (place.shape == Shape::Unknown) {
    place.shape = native.region_from(kind, pc).has_loop ? Shape::Loop : Shape::Straight;
  }
  return place.shape == Shape::Loop;
}

vm::NativeWork JitExecutor::native_work() const {
  vm::NativeWork work{.instructions = native_instructions_};
  if (!before_) return work;
  const Work now = workshop_->work();
  work.regions = now.regions - before_->regions;
  work.cached = now.cached - before_->cached;
  work.compile_seconds = now.seconds - before_->seconds;
  return work;
}

isa::Step JitExecutor::interpret(isa::ScalarState& state, const vm::LoadedProgram& program,
                                 vm::StretchLimits limits, std::uint64_t end) {
  const vm::StretchKind kind = kind_of(limits);
  const NativeProgram& native = *(*programs_)[program.number];
  isa::Step step = isa::Step::Next;
  if (native.is_head(kind, state.pc)) {
    limits.instructions =
        std::min(native.has_native() ? kSlice : kLongSlice, end - state.instructions);
    step = interpreter_.run(state, program, limits);
  }
  limits.instructions = 1;
  for (std::uint64_t k = 0; k < kSlice && step == isa::Step::Next && state.instructions < end;
       ++k) {
    if (native.is_head(kind, state.pc)) break;
    step = interpreter_.run(state, program, limits);
  }
  return step;
}

}  // namespace wse::jit
