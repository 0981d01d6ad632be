// Both engines on one stretch, and what differs.
#include "jit/lockstep.h"

#include <fmt/format.h>

#include <cstring>

#include "isa/image/disassembler.h"
#include "vm/pe/interpreter.h"

namespace wse::jit {
namespace {

constexpr std::uint32_t kLinesShown = 12;  // of code, from where the stretch begins

void copy_registers(const isa::DescriptorRegisters& from, isa::DescriptorRegisters& to) {
  for (std::size_t k = 0; k < isa::kDescriptorRegisters; ++k) {
    if (const isa::Descriptor* const shared = from.shared(k)) {
      to.share(k, *shared);
    } else {
      to.set(k, from[k]);
    }
  }
}

// A PE of its own, equal to another one.
class Copy {
 public:
  explicit Copy(const isa::ScalarState& of) : state(of) {
    memory_.assign(of.memory, of.memory + of.memory_bytes);
    state.memory = memory_.data();
    if (of.d == nullptr) return;
    copy_registers(*of.d, registers_);
    state.d = &registers_;
  }

  isa::ScalarState state;

 private:
  std::vector<std::byte> memory_;
  isa::DescriptorRegisters registers_;
};

// Collects what two states do not have in common.
class Differences {
 public:
  void compare(std::string_view name, std::uint64_t interpreted, std::uint64_t native) {
    if (interpreted == native) return;
    text_ += fmt::format("  {:<20} interpreter {:#x}, native {:#x}\n", name, interpreted, native);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void compare_memory(Differences& found, const isa::ScalarState& a, const isa::ScalarState& b) {
  if (std::memcmp(a.memory, b.memory, a.memory_bytes) == 0) return;
  std::uint32_t at = 0;
  while (a.memory[at] == b.memory[at]) ++at;
  found.compare(fmt::format("byte {}", at), std::to_integer<std::uint64_t>(a.memory[at]),
                std::to_integer<std::uint64_t>(b.memory[at]));
}

std::string differences(const isa::ScalarState& a, isa::Step step_a, const isa::ScalarState& b,
                        isa::Step step_b) {
  Differences found;
  found.compare("step", static_cast<std::uint64_t>(step_a), static_cast<std::uint64_t>(step_b));
  for (std::size_t k = 0; k < isa::kRegisters; ++k) {
    found.compare(fmt::format("r{}", k), a.r[k], b.r[k]);
  }
  found.compare("pc", a.pc, b.pc);
  found.compare("random", a.random, b.random);
  found.compare("left", a.left, b.left);
  found.compare("cycles", a.cycles_charged, b.cycles_charged);
  found.compare("slots", a.slots_charged, b.slots_charged);
  found.compare("instructions", a.instructions, b.instructions);
  found.compare("flops", a.flops, b.flops);
  found.compare("passed", a.passed ? 1 : 0, b.passed ? 1 : 0);
  found.compare("elements", a.elements, b.elements);
  found.compare("written", a.written, b.written);
  found.compare("stalls", a.stalls, b.stalls);
  found.compare("first stall", a.first_stall, b.first_stall);
  found.compare("drained", a.after.drained, b.after.drained);
  found.compare("settled", a.after.settled, b.after.settled);
  found.compare("same words from", a.after.same_from, b.after.same_from);
  found.compare("others from", a.after.others_from, b.after.others_from);
  found.compare("burst from", a.burst_from, b.burst_from);
  found.compare("burst cycles", a.burst_cycles, b.burst_cycles);
  if (step_a == isa::Step::Trap && step_b == isa::Step::Trap) {
    found.compare("trap", static_cast<std::uint64_t>(a.trap), static_cast<std::uint64_t>(b.trap));
    found.compare("trap address", a.trap_address, b.trap_address);
  }
  compare_memory(found, a, b);
  for (std::size_t k = 0; a.d != nullptr && k < isa::kDescriptorRegisters; ++k) {
    found.compare(fmt::format("d{} is the same", k), 1, (*a.d)[k] == (*b.d)[k] ? 1 : 0);
  }
  return found.text();
}

class LockstepExecutor : public vm::Executor {
 public:
  LockstepExecutor(const isa::Image& image, const isa::Profile& profile,
                   std::unique_ptr<vm::Executor> native)
      : image_(image), interpreter_(profile), native_(std::move(native)) {}

  isa::Step run(isa::ScalarState& state, const vm::LoadedProgram& program,
                const vm::StretchLimits& limits) override {
    Copy copy(state);
    const std::uint32_t pc = state.pc;
    vm::StretchLimits unrecorded = limits;
    unrecorded.recorder = nullptr;
    unrecorded.notes = nullptr;
    const isa::Step interpreted = interpreter_.run(copy.state, program, unrecorded);
    const isa::Step native = native_->run(state, program, limits);
    if (problem_.empty()) {
      const std::string found = differences(copy.state, interpreted, state, native);
      if (!found.empty()) problem_ = explain(program, pc, found);
    }
    return native;
  }

  isa::RangeFunction range(isa::Op op) const override { return native_->range(op); }
  vm::NativeWork native_work() const override { return native_->native_work(); }
  std::string problem() const override { return problem_; }

 private:
  std::string explain(const vm::LoadedProgram& program, std::uint32_t pc,
                      const std::string& found) const {
    std::string text = fmt::format("the engines differ in program {}, from code word {} on:\n",
                                   program.program->name, pc);
    text += found;
    std::uint32_t lines = 0;
    for (std::uint32_t at = pc; at < program.code.size() && lines < kLinesShown; ++at) {
      if (program.begins[at] == 0) continue;
      text += fmt::format("  {:5}  {}\n", at,
                          isa::instruction_text(image_, *program.program, program.code[at]));
      ++lines;
    }
    return text;
  }

  const isa::Image& image_;
  vm::Interpreter interpreter_;
  std::unique_ptr<vm::Executor> native_;
  std::string problem_;  // the first
};

}  // namespace

std::vector<std::unique_ptr<vm::Executor>> LockstepEngine::executors(
    const isa::Image& image, const isa::Profile& profile,
    std::span<const vm::LoadedProgram> programs, std::size_t count) const {
  std::vector<std::unique_ptr<vm::Executor>> executors =
      native_.executors(image, profile, programs, count);
  for (auto& executor : executors) {
    executor = std::make_unique<LockstepExecutor>(image, profile, std::move(executor));
  }
  return executors;
}

}  // namespace wse::jit
