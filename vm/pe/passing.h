// Vector instructions that scalar code passes: it runs ahead of the clock through one as if it were
// a scalar instruction that takes so many cycles. A passed one is the main thread's, works on
// memory and scalars alone, nothing else is in flight on its PE, and its plan was made before.
//
// Both engines are made of this (scalar_step.h). Must never change anything but the state of the
// stretch, and memory that the recorder has kept: jit/ executes a stretch twice to compare engines,
// and rewind.cpp to stop within it.
#pragma once

#include <span>
#include <vector>

#include "vm/ledger/pending_stalls.h"
#include "vm/pe/plans.h"
#include "vm/pe/stretch_log.h"
#include "vm/pe/succession.h"

namespace wse::vm {

// The scalars of a vector instruction, which are read once.
struct PassedWords {
  std::uint32_t scalar;       // the operand S
  std::uint32_t accumulator;  // of a register destination; what it holds afterwards
  std::uint32_t source[2];
};

// When the vector instructions that a stretch passes stall, for those who keep slices of time: in
// cycles from the start of the stretch on. Engines that are compared execute it twice, and tell
// everything twice.
class PassedStalls {
 public:
  void clear() { spans_.clear(); }
  // Compiled code calls it too.
  void add(const StallSpan& span);
  std::span<const StallSpan> spans() const { return spans_; }

 private:
  std::vector<StallSpan> spans_;
};

class VisitTape;

// For stretches of one program.
class VectorPasser {
 public:
  // Passes instructions that write at most so many bytes per stretch: its log may have to keep all.
  // `stalls`, if there are any, gets those of each stretch, and `tape` what it passes.
  VectorPasser(Plans& plans, const LoadedProgram& program, std::uint64_t most_written,
               PassedStalls* stalls = nullptr, VisitTape* tape = nullptr)
      : plans_(plans),
        program_(program),
        most_written_(most_written),
        stalls_(stalls),
        tape_(tape) {}

  // Does the instruction at s.pc, and charges it. False if the stretch must stop there; nothing has
  // changed then. `recorder`, if there is one, keeps what is overwritten.
  bool pass(isa::ScalarState& s, const isa::Instruction& i, StretchRecorder* recorder) const;

  // Applies all its elements.
  static void apply_all(const Plan& plan, const isa::Instruction& i, std::byte* memory,
                        PassedWords& words) {
    if (plan.passage.is_linear) {
      apply_linear(plan, i, memory, words);
    } else {
      apply_bent(plan, memory, words);
    }
  }

  // Whether it may be one that is passed.
  bool knows(const isa::ScalarState& s) const {
    const Plan* const plan = plans_.known(program_, s.pc, s.d);
    return plan != nullptr && plan->passage.price.cycles != 0;
  }

 private:
  // Puts it on the tape.
  void note(const isa::ScalarState& s, const Plan& plan, const isa::Instruction& i,
            const PassedWords& words) const;
  static inline void apply_linear(const Plan& plan, const isa::Instruction& i, std::byte* memory,
                                  PassedWords& words);
  static void apply_bent(const Plan& plan, std::byte* memory, PassedWords& words);

  Plans& plans_;
  const LoadedProgram& program_;
  std::uint64_t most_written_;
  PassedStalls* stalls_;
  VisitTape* tape_;
};

// A register that is source and destination is the accumulator of a reduction.
inline bool accumulates(const isa::Instruction& i, isa::SourceKind kind, std::uint32_t number) {
  return kind == isa::SourceKind::Register && i.destination_kind == 0 && number == i.destination;
}

// Fills them where they are: in a copy words are moved by two, and the host would wait for each
// half.
inline void read_words(const isa::ScalarState& s, const isa::Instruction& i, PassedWords& words) {
  const std::uint32_t scalar = isa::semantics::scalar_operand(s, i);
  const auto source = [&](isa::SourceKind kind, std::uint32_t number) {
    return kind == isa::SourceKind::Scalar ? scalar : s.r[number];
  };
  words.scalar = scalar;
  words.accumulator = s.r[i.destination];
  words.source[0] = source(i.source_a_operand(), i.source_a);
  words.source[1] = source(i.source_b_operand(), i.source_b);
}

// All elements in one call.
void VectorPasser::apply_linear(const Plan& plan, const isa::Instruction& i, std::byte* memory,
                                PassedWords& words) {
  if (plan.clears_destination) words.accumulator &= 0xffffu;
  const auto bytes_of = [](std::uint32_t& word) { return reinterpret_cast<std::byte*>(&word); };
  const auto range = [&](std::size_t k, std::byte* base) {
    const Passage::Range of = plan.passage.range[k];
    return isa::ElementRange{base + of.first, static_cast<std::ptrdiff_t>(of.step)};
  };
  const auto source = [&](std::size_t k, isa::SourceKind kind, std::uint32_t number) {
    if (kind == isa::SourceKind::Descriptor) return range(1 + k, memory);
    const bool accumulator = accumulates(i, kind, number);
    return range(1 + k, bytes_of(accumulator ? words.accumulator : words.source[k]));
  };
  plan.function(range(0, i.destination_kind != 0 ? memory : bytes_of(words.accumulator)),
                source(0, i.source_a_operand(), i.source_a),
                source(1, i.source_b_operand(), i.source_b), words.scalar,
                plan.passage.price.elements);
}

inline bool VectorPasser::pass(isa::ScalarState& s, const isa::Instruction& i,
                               StretchRecorder* recorder) const {
  const Plan* const plan = plans_.known(program_, s.pc, s.d);
  if (plan == nullptr || plan->passage.price.cycles == 0) return false;
  const Passage& passage = plan->passage;
  if (s.written + passage.written > most_written_) return false;
  if (recorder != nullptr) {
    recorder->before_read(passage.registers);
    if (passage.written > 0) recorder->before_store(passage.first_written, passage.written);
  }
  PassedWords words;
  read_words(s, i, words);
  if (tape_ != nullptr) note(s, *plan, i, words);
  apply_all(*plan, i, s.memory, words);
  if (i.destination_kind == 0) s.r[i.destination] = words.accumulator;
  s.left = 0;
  const VectorPrice& price = passage.price;
  std::uint64_t first = s.cycles_charged + price.first_issue;
  std::uint64_t stalls = price.stalls;
  // A copy: a call that takes the address of a member keeps all of `s` in memory, and scalar code
  // wants its registers.
  isa::Succession after;
  if (plan->is_followed) {
    after = s.after;
    first = first_after(after, *plan, first);
    stalls -= hidden_stalls(after, *plan, first);
  }
  s.first_issue = first;
  if (stalls > 0 && s.stalls == 0) s.first_stall = first;
  s.stalls += stalls;
  s.elements += price.elements;
  s.written += passage.written;
  s.flops += price.flops;
  s.cycles_charged = first + price.cycles - price.first_issue;
  if (stalls > 0 && stalls_ != nullptr) {
    stalls_->add({first + 2 * (price.stalls - stalls), stalls, s.cycles_charged});
  }
  if (plan->is_followed) {
    note_end(after, *plan, price.elements, s.cycles_charged);
    s.after = after;
  }
  s.slots_charged = s.cycles_charged;  // of what comes after it
  return true;
}

}  // namespace wse::vm
