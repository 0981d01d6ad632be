// From native code to the interpreter and back, within the limit of a stretch.
#include "jit/executor.h"

#include <algorithm>

#include "isa/support/mutant.h"
#include "vm/pe/scalar_step.h"

// Functions that regions without a loop call (externals.txt); meaning.cpp has those of the others.
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
constexpr std::uint32_t kSlice = 64;
// The same at most while the program has no native code: to look takes as long as some ten
// instructions. Short enough for a loop to be known by its own head.
constexpr std::uint32_t kLongSlice = 1u << 12;
// Instructions after which it is known whether stretches from a place are short. Where they are,
// nothing is counted for so many times as many stretches.
constexpr std::uint32_t kSample = 1u << 16;
constexpr std::uint32_t kRestTimes = 16;
// A stretch of so many instructions is a reason to count again.
constexpr std::uint64_t kRestEnds = 1024;

// No addition in one step, which would take longer than a short stretch: strips that count at the
// same time may lose some.
void add(std::atomic<std::uint32_t>& to, std::uint64_t more) {
  to.store(to.load(std::memory_order_relaxed) + static_cast<std::uint32_t>(more),
           std::memory_order_relaxed);
}

void heat_up(Place& place, std::uint64_t instructions) {
  add(place.heat, instructions);
  add(place.visits, 1);
}

}  // namespace

JitExecutor::JitExecutor(const isa::Profile& profile, std::shared_ptr<Workshop> workshop,
                         std::shared_ptr<Programs> programs)
    : costs_(profile),
      interpreter_(profile),
      workshop_(std::move(workshop)),
      programs_(std::move(programs)),
      threshold_(workshop_->threshold()),
      looks_at_(workshop_->least_stretch() > 0 ? std::min(threshold_, kSample) : threshold_),
      long_slice_(std::clamp(threshold_, kSlice, kLongSlice)) {}

isa::Step JitExecutor::run(isa::ScalarState& state, const vm::LoadedProgram& program,
                           const vm::StretchLimits& limits) {
  if (limits.notes != nullptr) return interpreter_.run(state, program, limits);
  if (rest_ > 0) {
    --rest_;
    const isa::Step step = interpreter_.run(state, program, limits);
    if (state.instructions >= kRestEnds) rest_ = 0;
    return step;
  }
  NativeProgram& native = *(*programs_)[program.number];
  if (native.has_native()) return run_native(state, program, limits);
  const vm::StretchKind kind = kind_of(limits);
  // Where a limit cut the last one nothing begins: its loop is counted where that does.
  if (state.pc == cut_ && !native.is_head(kind, cut_)) return run_native(state, program, limits);
  Place& place = native.at(kind, state.pc);
  if (is_hot(place) && pays(native, kind, state.pc)) {
    workshop_->ask({(*programs_)[program.number], kind, state.pc, costs_});
    return run_native(state, program, limits);
  }
  // Most stretches are short, and nothing is compiled for them: no more is done than counting.
  const std::uint64_t before = state.instructions;
  if (limits.instructions <= long_slice_) {
    const isa::Step step = interpreter_.run(state, program, limits);
    heat_up(place, state.instructions - before);
    cut_ = step == isa::Step::Next ? state.pc : kNowhere;
    return step;
  }
  vm::StretchLimits part = limits;
  part.instructions = long_slice_;
  const isa::Step step = interpreter_.run(state, program, part);
  heat_up(place, state.instructions - before);
  if (step != isa::Step::Next) return step;
  part.instructions = limits.instructions - long_slice_;
  return run_native(state, program, part);
}

isa::Step JitExecutor::run_native(isa::ScalarState& state, const vm::LoadedProgram& program,
                                  const vm::StretchLimits& limits) {
  const std::shared_ptr<NativeProgram>& native = (*programs_)[program.number];
  const vm::StretchKind kind = kind_of(limits);
  const std::uint64_t end = state.instructions + limits.instructions;
  while (state.instructions < end) {
    Place& place = native->at(kind, state.pc);
    RegionFunction function = place.function.load(std::memory_order_acquire);
    const bool is_head = native->is_head(kind, state.pc);
    if (function == nullptr && is_head && is_hot(place) && pays(*native, kind, state.pc)) {
      workshop_->ask({native, kind, state.pc, costs_});
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
    const isa::Step step = interpret(state, program, *native, limits, end);
    if (function == nullptr && is_head) heat_up(place, state.instructions - before);
    if (step != isa::Step::Next) return step;
  }
  cut_ = state.pc;
  return isa::Step::Next;
}

bool JitExecutor::is_hot(const Place& place) const {
  return place.heat.load(std::memory_order_relaxed) >= looks_at_ && !place.asked;
}

bool JitExecutor::pays(NativeProgram& native, vm::StretchKind kind, std::uint32_t pc) {
  Place& place = native.at(kind, pc);
  const std::uint32_t heat = place.heat;
  if (heat / std::max(1u, place.visits.load()) < workshop_->least_stretch()) {
    const auto has_native = [](const auto& one) { return one->has_native(); };
    if (std::ranges::none_of(*programs_, has_native)) rest_ = kRestTimes * place.visits;
    place.heat = 0;  // later it may be otherwise
    place.visits = 0;
    return false;
  }
  // Once a program has native code, its compiler is there.
  if (heat < threshold_ && !native.has_native()) return false;
  if (place.shape == Shape::Unknown) {
    place.shape = native.region_from(kind, pc).has_loop ? Shape::Loop : Shape::Straight;
  }
  return place.shape == Shape::Loop || heat >= workshop_->straight_threshold();
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
                                 const NativeProgram& native, vm::StretchLimits limits,
                                 std::uint64_t end) {
  const vm::StretchKind kind = kind_of(limits);
  isa::Step step = isa::Step::Next;
  if (native.is_head(kind, state.pc)) {
    limits.instructions = std::min<std::uint64_t>(native.has_native() ? kSlice : long_slice_,
                                                  end - state.instructions);
    step = interpreter_.run(state, program, limits);
  }
  limits.instructions = 1;
  for (std::uint32_t k = 0; k < kSlice && step == isa::Step::Next && state.instructions < end;
       ++k) {
    if (native.is_head(kind, state.pc)) break;
    step = interpreter_.run(state, program, limits);
  }
  return step;
}

}  // namespace wse::jit
