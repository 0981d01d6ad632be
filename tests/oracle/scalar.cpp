// Scalar code: stretches between stop points, run when they start and paid for as they last.
#include <span>

#include "isa/instruction/codec.h"
#include "tests/oracle/processor.h"
#include "tests/oracle/values.h"

namespace wse::oracle {

// What the main thread does in this cycle; false if nothing.
bool Processor::run_main(Cycle now) {
  if (main_ != Main::Running || ready_at_ > now) return false;
  memory.release(now);
  if (now != ran_in_) burst_ = 0;
  ran_in_ = now;
  Stretch stretch{.start = now};
  stretch_.clear();
  memory.keep_changes(true);
  while (step_main(stretch) == Step::GoesOn) {
  }
  memory.keep_changes(false);
  return true;
}

void Processor::take_back(Cycle end) {
  for (; !stretch_.empty() && stretch_.back().end > end; stretch_.pop_back()) {
    count_scalar(0 - stretch_.back().instructions, 0 - stretch_.back().flops);
    memory.take_back(stretch_.back().changes_before);
    registers_ = stretch_.back().registers_before;
    pc_ = stretch_.back().pc;
  }
}

Processor::Step Processor::step_main(Stretch& stretch) {
  const std::span<const std::uint32_t> words(program_->code);
  const auto code = pc_ < words.size() ? isa::decode(words.subspan(pc_)) : std::nullopt;
  if (!code) return trap_ahead(stretch, isa::Trap::BadInstruction);
  if (burst_++ == profile_.stretch_instructions) {
    if (stretch.cycles > 0) return leave(stretch);
    trap(stretch.start, isa::Trap::NoProgress);
    return Step::Leaves;
  }
  const isa::InstructionInfo& row = isa::info(code->op);
  lines.note(stretch.now(), Doing::Computes, pc_);
  if (is_stop_point(*code, row)) {
    if (stretch.cycles > 0) return leave(stretch);
    const Step step = stop_point(*code, row, stretch);
    if (main_ == Main::Trapped) count_scalar(0 - std::uint64_t{1}, 0);  // it has not been done
    return step;
  }
  const isa::Cost cost = isa::cost_of(profile_, row.cost);
  if (slot_until_[0] > stretch.start) {  // held by a bank conflict: no longer than it must be
    if (stretch.cycles > 0) return leave(stretch);
    if (cost.slots > 0) {
      ready_at_ = slot_until_[0];
      return Step::Leaves;
    }
  }
  if (sees_finish(row) && drained_ > stretch.now()) stretch.cycles = drained_ - stretch.start;
  Done done{.changes_before = memory.changes(), .pc = pc_, .registers_before = registers_};
  const std::span<const std::uint32_t> rest = words.subspan(pc_ + row.words());
  const std::optional<isa::Trap> cause = scalar(*code, row, stretch);
  if (cause) return trap_ahead(stretch, *cause);
  // Marks and prints are for people, not counted.
  const bool counts = row.format != isa::Format::Mark && row.format != isa::Format::Print;
  done.instructions = counts ? 1 : 0;
  done.flops = row.flops;
  count_scalar(done.instructions, done.flops);
  ++outcome_.ops[static_cast<std::size_t>(code->op)];
  charge(stretch, row.cost);
  stretch.cycles += latency_left(*code, row, rest);
  const bool writes_descriptor = isa::info(row.format).operands.contains('E');
  if (writes_descriptor) settled_ = stretch.now() + profile_.vector_start_cycles;
  done.end = stretch.now();
  stretch_.push_back(done);
  return Step::GoesOn;
}

void Processor::charge(Stretch& stretch, isa::CostClass cost) const {
  const isa::Cost price = isa::cost_of(profile_, cost);
  stretch.slots += price.slots;
  stretch.cycles += price.cycles;
}

// The stretch is known: it lasts until its end, and holds the slot in its first cycles.
Processor::Step Processor::leave(const Stretch& stretch) {
  ready_at_ = stretch.now();
  busy_until_ = stretch.now();
  scalar_slot_until_ = stretch.start + stretch.slots;
  return Step::Leaves;
}

// The code before what traps lasts as long as it lasts: the run may be stopped before the trap.
Processor::Step Processor::trap_ahead(const Stretch& stretch, isa::Trap cause) {
  trap(stretch.now(), cause);
  return leave(stretch);
}

bool Processor::is_stop_point(const isa::Instruction& code, const isa::InstructionInfo& row) const {
  switch (row.format) {
    case isa::Format::Vector1:
    case isa::Format::Vector2:
    case isa::Format::Vector3:
    case isa::Format::None:
    case isa::Format::Wait:
    case isa::Format::TaskId:
    case isa::Format::Colour:
    case isa::Format::WriteRouting:
    case isa::Format::WriteFilter:
    case isa::Format::WritePosition: return true;
    default: return awaits(code, row).has_value();
  }
}

std::optional<std::size_t> Processor::thread_that_saves(std::uint32_t descriptor_register) const {
  for (std::size_t thread = 0; thread < kThreads; ++thread) {
    if (!flights_[thread]) continue;
    if (flights_[thread]->destination.saves_to == descriptor_register) return thread;
    for (const Operand& source : flights_[thread]->sources) {
      if (source.saves_to == descriptor_register) return thread;
    }
    const std::optional<Operand>& scalars = flights_[thread]->scalars;
    if (scalars && scalars->saves_to == descriptor_register) return thread;
  }
  return std::nullopt;
}

// The thread that will write a descriptor register of this instruction.
// Letters: E a descriptor register written, F one read, D, A and B descriptors of operands.
std::optional<std::size_t> Processor::awaits(const isa::Instruction& code,
                                             const isa::InstructionInfo& row) const {
  const bool a = code.source_a_operand() == isa::SourceKind::Descriptor;
  const bool b = code.source_b_operand() == isa::SourceKind::Descriptor;
  for (const char letter : isa::info(row.format).operands) {
    std::optional<std::size_t> thread;
    if (letter == 'E') thread = thread_that_saves(code.destination);
    if (letter == 'F') thread = thread_that_saves(code.source_a);
    if (letter == 'D' && code.destination_kind == 1) thread = thread_that_saves(code.destination);
    if (letter == 'A' && a) thread = thread_that_saves(code.source_a);
    if (letter == 'B' && b) thread = thread_that_saves(code.source_b);
    if (thread) return thread;
  }
  return code.mapped != 0 ? thread_that_saves(code.scalar) : std::nullopt;
}

// Nothing of the stretch has taken time yet.
Processor::Step Processor::stop_point(const isa::Instruction& code, const isa::InstructionInfo& row,
                                      Stretch& stretch) {
  const Cycle now = stretch.start;
  std::optional<std::size_t> awaited = awaits(code, row);
  if (code.op == isa::Op::Wait && flights_[1 + code.microthread]) awaited = 1 + code.microthread;
  if (awaited) {
    main_ = Main::WaitsForThread;
    lines.note(now, Doing::Waits, pc_);
    awaited_ = *awaited;
    if (code.op != isa::Op::Wait) return Step::Leaves;  // looks again
  }
  if (isa::cost_of(profile_, row.cost).slots > 0 && slot_until_[0] > now) {
    ready_at_ = slot_until_[0];
    return Step::Leaves;
  }
  const bool ends = code.op == isa::Op::Halt || code.op == isa::Op::EndTask;
  if (ends && drained_ > now) {
    ready_at_ = drained_;
    return Step::Leaves;
  }
  count_scalar(1, 0);
  ++outcome_.ops[static_cast<std::size_t>(code.op)];
  pc_ += row.words();
  if (row.is_vector()) {
    const std::optional<isa::Trap> cause = start_vector(code, row, now);
    if (cause) trap(now, *cause);
    return main_ == Main::Running ? Step::GoesOn : Step::Leaves;
  }
  if (code.op == isa::Op::Halt || code.op == isa::Op::EndTask) {
    main_ = code.op == isa::Op::Halt ? Main::Halted : Main::Free;
    lines.note(now, main_ == Main::Halted ? Doing::Halted : Doing::Nothing, 0);
    if (code.op == isa::Op::Halt) {
      finishes_.push_back({now, kHalt});
      numbers().halted_at = now;
    }
    return Step::Leaves;
  }
  if (row.format == isa::Format::TaskId) {
    change_task(code.op, scalar_value(code), now);
  } else if (code.op != isa::Op::Wait) {
    const std::optional<isa::Trap> cause = configure(code);
    if (cause) trap(now, *cause);
  }
  if (main_ != Main::Running) return Step::Leaves;
  if (row.cost == isa::CostClass::None || row.format == isa::Format::Wait) return Step::GoesOn;
  charge(stretch, row.cost);
  return stretch.cycles > 0 ? leave(stretch) : Step::GoesOn;  // what follows is the next stretch
}

bool Processor::begins_instruction(std::uint32_t address) const {
  const std::span<const std::uint32_t> words(program_->code);
  std::uint32_t pc = 0;
  while (pc < address && pc < words.size()) {
    pc += isa::info(isa::decode(words.subspan(pc))->op).words();
  }
  return pc == address && pc < words.size();
}

std::uint32_t Processor::scalar_value(const isa::Instruction& code) const {
  switch (code.scalar_operand()) {
    case isa::ScalarKind::Register: return registers_[code.scalar];
    case isa::ScalarKind::Immediate: return static_cast<std::uint32_t>(code.immediate());
    case isa::ScalarKind::Literal: return program_->literals[code.scalar];
    case isa::ScalarKind::Slot: return slots_[code.scalar];
  }
  return 0;
}

std::optional<isa::Trap> Processor::scalar(const isa::Instruction& code,
                                           const isa::InstructionInfo& row, Stretch& stretch) {
  const std::uint32_t next = pc_ + row.words();
  switch (row.format) {
    case isa::Format::Branch:
      if (branches(row.mnemonic, registers_[code.source_a], scalar_value(code))) {
        charge(stretch, isa::CostClass::BranchTaken);
        stretch.slots -= isa::cost_of(profile_, row.cost).slots;
        stretch.cycles -= isa::cost_of(profile_, row.cost).cycles;
        pc_ = code.target;
        return std::nullopt;
      }
      break;
    case isa::Format::Jump: pc_ = code.target; return std::nullopt;
    case isa::Format::Call:
      registers_[code.destination] = next;
      pc_ = code.target;
      return std::nullopt;
    case isa::Format::Return:
      if (!begins_instruction(registers_[code.source_a])) return isa::Trap::BadReturn;
      pc_ = registers_[code.source_a];
      return std::nullopt;
    case isa::Format::Read: registers_[code.destination] = read(code.op, stretch.now()); break;
    case isa::Format::Mark:
      outcome_.marks[code.target].push_back(std::max(stretch.now(), drained_));
      numbers().first_marks.try_emplace(code.target, outcome_.marks[code.target].back());
      break;
    case isa::Format::Print: break;
    case isa::Format::Assert:
      if (!compares(static_cast<isa::Condition>(code.condition),
                    static_cast<isa::Type>(code.compared_type), registers_[code.source_a],
                    scalar_value(code))) {
        return isa::Trap::Assertion;
      }
      break;
    default: {
      const std::optional<isa::Trap> cause = descriptor_code(code, stretch);
      if (cause) return cause;
    }
  }
  pc_ = next;
  return std::nullopt;
}

std::uint32_t Processor::read(isa::Op op, Cycle now) {
  switch (op) {
    case isa::Op::Random16: return next_random();
    case isa::Op::ReadTscHigh: return now >> 32 & 0xffffu;
    case isa::Op::ReadLeft: return left_;
    default: return static_cast<std::uint32_t>(now);
  }
}

// A register of x^23 + x^18 + 1, bit by bit; the newest bit is the lowest.
std::uint32_t Processor::next_random() {
  for (int step = 0; step < 128; ++step) {
    random_ = random_ << 1 | ((random_ >> 22 ^ random_ >> 17) & 1);
  }
  return random_ & 0xffffu;
}

std::optional<isa::Trap> Processor::arithmetic(const isa::Instruction& code,
                                               const isa::InstructionInfo& row) {
  const std::uint32_t a = registers_[code.source_a];
  const std::uint32_t b = registers_[code.source_b];
  const std::uint32_t s = scalar_value(code);
  std::optional<std::uint32_t> made;
  if (row.format == isa::Format::Reg2) made = compute(row.mnemonic, s, 0, 0);
  if (row.format == isa::Format::Reg3) made = compute(row.mnemonic, a, s, 0);
  if (row.format == isa::Format::Reg4) made = compute(row.mnemonic, a, b, s);
  if (!made) return isa::Trap::DivisionByZero;
  registers_[code.destination] = *made;
  return std::nullopt;
}

std::optional<isa::Trap> Processor::access(const isa::Instruction& code,
                                           const isa::InstructionInfo& row) {
  const bool loads = row.format == isa::Format::Load || row.format == isa::Format::LoadIndexed;
  const std::uint32_t size = row.result_bytes();
  std::uint32_t address = scalar_value(code);
  if (row.format == isa::Format::LoadIndexed) address += size * registers_[code.source_a];
  if (row.format == isa::Format::StoreIndexed) address += size * registers_[code.source_b];
  if (const auto cause = memory.refuses(address, size)) return cause;
  Words words;
  add_words(words, address, size);
  if (is_of_fifo(words)) return isa::Trap::FifoMisuse;
  if (!(loads ? memory.may_read(words) : memory.may_write(words))) return isa::Trap::MemoryRace;
  if (loads) {
    registers_[code.destination] = memory.read(address, size);
  } else {
    memory.write(address, size, registers_[code.source_a]);
  }
  return std::nullopt;
}

}  // namespace wse::oracle
