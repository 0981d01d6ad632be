// Instruction by instruction. Registers that the program mentions are never touched.
#include "asm/code/code_writer.h"

#include <algorithm>

#include "asm/syntax/rewrites.h"
#include "isa/instruction/codec.h"

namespace wse::assembler {
namespace {

using isa::Instruction;
using isa::Op;
using isa::OperandType;
using isa::ScalarKind;

// The rows that move a value of each operand type: from a scalar operand, from and to memory.
struct MoveRows {
  Op move;
  Op load;
  Op store;
};

constexpr MoveRows kMoveRows32{Op::Mov32, Op::Load32, Op::Store32};
constexpr MoveRows kMoveRows16{Op::Mov16, Op::Load16, Op::Store16};

constexpr MoveRows moves_of(OperandType type) {
  MoveRows rows = isa::info(type).bytes == 2 ? kMoveRows16 : kMoveRows32;
  if (type == OperandType::F32) rows.move = Op::FMovS;
  if (type == OperandType::F16) rows.move = Op::FMovH;
  return rows;
}

// The row that adds an index register to the address of a load or store.
Op indexed(Op op) {
  switch (op) {
    case Op::Load32: return Op::Load32X;
    case Op::Store32: return Op::Store32X;
    case Op::Load16: return Op::Load16X;
    case Op::Store16: return Op::Store16X;
    default: return op;
  }
}

constexpr std::uint32_t kScalarMask = (1u << isa::kScalarBits) - 1;

void set(Instruction& instruction, ScalarKind kind, std::uint32_t value) {
  instruction.scalar_kind = static_cast<std::uint32_t>(kind);
  instruction.scalar = value & kScalarMask;
}

// Whether the line calls something that is no function.
bool calls_label(const ProgramContext& c, const BodySyntax& line) {
  if (line.kind != BodySyntax::Kind::Instruction || line.operands != 2) return false;
  if (line.name.text != isa::info(Op::Call).mnemonic) return false;
  const Expr& target = c.unit[c.unit.operands[line.first_operand + 1]];
  return target.kind != ExprKind::Name || c.headers.function(target.text) == nullptr;
}

}  // namespace

CodeWriter::CodeWriter(ProgramContext& context) : c_(context) {
  sections_call_functions_ = !c_.unit.takes_addresses &&
                             std::ranges::none_of(c_.syntax.body, [this](const BodySyntax& line) {
                               return calls_label(c_, line);
                             });
  for (std::uint32_t k = 0; k < isa::kRegisters; ++k) {
    if (c_.registers.free().has(k)) free_registers_.push_back(k);
  }
}

void CodeWriter::begin(const Named& mnemonic, const isa::SourceLine& line,
                       std::span<const ExprId> operands) {
  mnemonic_ = mnemonic;
  operands_ = operands;
  line_ = line;
  scratches_ = 0;
  kept_ = sections_call_functions_ ? section_kept_ : most_kept_;
  ++statement_;
}

void CodeWriter::append(const Instruction& instruction) {
  std::vector<isa::LineEntry>& lines = c_.program.lines;
  if (lines.empty() || lines.back().where != line_) lines.push_back({position(), line_});
  isa::encode(instruction, c_.program.code);
  written_.set(static_cast<std::size_t>(instruction.op));
}

void CodeWriter::append_jump(Instruction instruction, std::uint32_t label) {
  jumps_.push_back({position(), instruction, label});
  append(instruction);
}

void CodeWriter::resolve_jumps() {
  for (Jump& jump : jumps_) {
    const std::uint32_t target = c_.labels.place_of(jump.label);
    jump.instruction.target = target;
    const bool calls = isa::info(jump.instruction.op).format == isa::Format::Call;
    if (target <= jump.position && !calls) loop_costs_.add_loop(target, jump.position);
    std::vector<std::uint32_t> words;
    isa::encode(jump.instruction, words);
    std::ranges::copy(words, c_.program.code.begin() + jump.position);
  }
}

void CodeWriter::refuse_float(const isa::SourceRange& where) {
  c_.reporter.report(Problem::FloatOperand, where, mnemonic_.text);
  const auto found =
      std::ranges::find_if(operands_, [&](const ExprId id) { return c_.unit[id].where == where; });
  if (found != operands_.end()) c_.reporter.spells(enclosed(c_.unit[*found], "int(", ")"));
}

std::optional<std::uint32_t> CodeWriter::constant_bits(const isa::Number& number, OperandType type,
                                                       const isa::SourceRange& where) {
  const bool half = isa::info(type).bytes == 2;
  const bool any = type == OperandType::Any32 || type == OperandType::Any16;
  if (isa::is_float(type) || (any && number.is_float)) {
    return *isa::to_bits(number, half ? isa::Type::F16 : isa::Type::F32);
  }
  if (number.is_float) {
    refuse_float(where);
    return std::nullopt;
  }
  for (const isa::Type integer :
       {half ? isa::Type::I16 : isa::Type::I32, half ? isa::Type::U16 : isa::Type::U32}) {
    if (const isa::Result<std::uint32_t> bits = isa::to_bits(number, integer)) return *bits;
  }
  c_.reporter.report(Problem::WideValue, where, number.integer, half ? 16 : 32);
  return std::nullopt;
}

bool CodeWriter::set_scalar(Instruction& instruction, const isa::Formula& formula, OperandType type,
                            const isa::SourceRange& where) {
  if (!formula.is_constant()) {
    const bool real = c_.pools.may_be_float(formula);
    const bool integer = type == OperandType::I32 || type == OperandType::I16;
    if (real && integer) {
      refuse_float(where);
      return false;
    }
    const isa::Type real_type = isa::info(type).bytes == 2 ? isa::Type::F16 : isa::Type::F32;
    const bool as_float = isa::is_float(type) || real;
    set(instruction, ScalarKind::Slot,
        c_.pools.slot(formula, as_float ? real_type : isa::Type::I32));
    return true;
  }
  const std::optional<std::uint32_t> bits = constant_bits(formula.nodes[0].constant, type, where);
  if (!bits) return false;
  const bool half = isa::info(type).bytes == 2;
  const std::int32_t value =
      half ? static_cast<std::int16_t>(*bits) : static_cast<std::int32_t>(*bits);
  if (value >= isa::kImmediateMin && value <= isa::kImmediateMax) {
    set(instruction, ScalarKind::Immediate, *bits);
  } else {
    set(instruction, ScalarKind::Literal, c_.pools.literal(*bits));
  }
  return true;
}

bool CodeWriter::set_address(Instruction& instruction, const OperandPlan& memory) {
  const std::size_t before = scratches_;  // which are free again after the instruction
  std::optional<std::uint32_t> index = memory.index;
  if (!memory.terms.empty()) {
    index = sum_of(memory.terms, memory.where);
    if (!index) return false;
  }
  scratches_ = before;
  if (index) instruction.op = indexed(instruction.op);
  const isa::Format format = isa::info(instruction.op).format;
  if (format == isa::Format::LoadIndexed) instruction.source_a = index.value_or(0);
  if (format == isa::Format::StoreIndexed) instruction.source_b = index.value_or(0);
  if (!memory.base) return set_scalar(instruction, memory.formula, OperandType::I32, memory.where);
  set(instruction, ScalarKind::Register, *memory.base);
  return true;
}

std::optional<std::uint32_t> CodeWriter::sum_of(const std::vector<RegisterTerm>& terms,
                                                const isa::SourceRange& where) {
  std::optional<std::uint32_t> sum;
  std::optional<std::uint32_t> product;
  std::uint32_t total = 0;
  for (std::size_t k = 0; k < terms.size(); ++k) {
    std::uint32_t value = terms[k].number;
    if (terms[k].times != 1) {
      std::optional<std::uint32_t>& to = k == 0 ? sum : product;
      if (!to) to = scratch();
      if (!to) return std::nullopt;
      Instruction times{.op = Op::Mul32, .destination = *to, .source_a = value};
      const isa::Formula factor = isa::Formula::of(isa::Number::of(terms[k].times));
      if (!set_scalar(times, factor, OperandType::I32, where)) return std::nullopt;
      append(times);
      value = *to;
    }
    if (k > 0 && !sum) sum = scratch();
    if (k > 0 && !sum) return std::nullopt;
    if (k > 0) {
      Instruction plus{.op = Op::Add32, .destination = *sum, .source_a = total};
      set(plus, ScalarKind::Register, value);
      append(plus);
      value = *sum;
    }
    total = value;
  }
  return total;
}

bool CodeWriter::load(std::uint32_t destination, const OperandPlan& memory, OperandType type) {
  Instruction instruction{.op = moves_of(type).load, .destination = destination};
  if (!set_address(instruction, memory)) return false;
  append(instruction);
  return true;
}

bool CodeWriter::store(const OperandPlan& memory, std::uint32_t source, OperandType type) {
  Instruction instruction{.op = moves_of(type).store, .source_a = source};
  if (!set_address(instruction, memory)) return false;
  append(instruction);
  return true;
}

std::optional<std::uint32_t> CodeWriter::scratch() {
  if (scratches_ + most_kept_ < free_registers_.size()) {
    most_scratches_ = std::max(most_scratches_, ++scratches_);
    return free_registers_[free_registers_.size() - scratches_];
  }
  c_.reporter.report(Problem::NoScratch, mnemonic_.where, mnemonic_.text);
  return std::nullopt;
}

// Not one that was a scratch before: it may still change it when this statement calls that code.
std::optional<std::uint32_t> CodeWriter::keep() {
  if (kept_ + most_scratches_ < free_registers_.size()) {
    most_kept_ = std::max(most_kept_, kept_ + 1);
    return free_registers_[kept_++];
  }
  c_.reporter.report(Problem::NoScratch, mnemonic_.where, mnemonic_.text);
  return std::nullopt;
}

std::optional<std::uint32_t> CodeWriter::in_register(const OperandPlan& operand, OperandType type) {
  if (operand.kind == OperandKind::Register) return operand.number;
  const std::optional<std::uint32_t> taken = scratch();
  if (!taken) return std::nullopt;
  if (operand.kind == OperandKind::Memory) {
    return load(*taken, operand, type) ? taken : std::nullopt;
  }
  // The move of the instruction's own type: its value means the same in the text of either.
  Instruction instruction{.op = moves_of(type).move, .destination = *taken};
  if (!set_scalar(instruction, operand.formula, type, operand.where)) return std::nullopt;
  append(instruction);
  return taken;
}

bool CodeWriter::move_into(std::uint32_t to, const OperandPlan& from, OperandType type) {
  if (from.kind == OperandKind::Memory) return load(to, from, type);
  const bool half = isa::info(type).bytes == 2;
  isa::Instruction move{.op = half ? Op::Mov16 : Op::Mov32, .destination = to};
  if (from.kind == OperandKind::Register) {
    if (from.number == to) return true;
    move.scalar_kind = static_cast<std::uint32_t>(isa::ScalarKind::Register);
    move.scalar = from.number;
  } else {
    // The move of the type itself: a value means the same in the text of either.
    if (type == OperandType::F32) move.op = Op::FMovS;
    if (type == OperandType::F16) move.op = Op::FMovH;
    if (!set_scalar(move, from.formula, type, from.where)) return false;
  }
  append(move);
  return true;
}

// The part of a slice that registers hold is set each time; one load of the rest serves all.
std::optional<std::uint32_t> CodeWriter::in_descriptor(const DescriptorPlan& plan) {
  const bool moved = !plan.run_time.terms.empty();
  const bool counted = plan.run_time.length_register.has_value();
  const bool strided = plan.run_time.stride.has_value();
  const std::uint32_t literal = c_.pools.descriptor(plan);
  Held* chosen = nullptr;
  bool is_loaded = false;
  for (std::uint32_t k = 0; k < isa::kDescriptorRegisters && !is_loaded; ++k) {
    Held& held = held_[k];
    if (!c_.descriptor_registers.free().has(k)) continue;
    const bool is_taken = held.used == statement_;  // this instruction uses it already
    is_loaded = held.literal == literal && held.moved == moved && held.counted == counted &&
                held.strided == strided && !(is_taken && (moved || counted || strided));
    const bool is_older = !is_taken && (chosen == nullptr || held.used < chosen->used);
    if (is_loaded || is_older) chosen = &held;
  }
  if (chosen == nullptr) {
    c_.reporter.report(Problem::NoDescriptorRegister, mnemonic_.where, mnemonic_.text);
    return std::nullopt;
  }
  *chosen = {literal, moved, counted, strided, statement_};
  const auto number = static_cast<std::uint32_t>(chosen - held_);
  if (!is_loaded) {
    // The loop of a map is the assembler's own.
    if (mnemonic_.text != kMapWord)
      loop_costs_.add_load(literal, c_.program.descriptors[literal].further);
    append({.op = Op::LoadDescriptor, .destination = number, .target = literal});
  }
  if (!add_run_time(number, plan, mnemonic_.where)) return std::nullopt;
  return number;
}

bool CodeWriter::add_run_time(std::uint32_t descriptor, const DescriptorPlan& plan,
                              const isa::SourceRange& where) {
  const RunTimePart& part = plan.run_time;
  const std::size_t before = scratches_;  // which are free again when a field is set
  const auto set_field = [&](Op op, std::uint32_t source) {
    Instruction instruction{.op = op, .destination = descriptor};
    set(instruction, ScalarKind::Register, source);
    append(instruction);
    scratches_ = before;
  };
  if (part.length_register) set_field(Op::SetLength, *part.length_register);
  if (part.stride) {
    const std::optional<std::uint32_t> stride = sum_of({*part.stride}, where);
    if (!stride) return false;
    set_field(Op::SetStride, *stride);
  }
  if (part.terms.empty()) return true;
  std::optional<std::uint32_t> sum = sum_of(part.terms, where);
  if (!sum) return false;
  const isa::Number nothing = isa::Number::of(std::int64_t{0});
  if (!plan.address.is_constant() || plan.address.nodes[0].constant != nothing) {
    Instruction base{.op = Op::Add32, .source_a = *sum};
    if (scratches_ == before) sum = scratch();
    if (!sum) return false;
    base.destination = *sum;
    if (!set_scalar(base, plan.address, OperandType::I32, where)) return false;
    append(base);
  }
  set_field(Op::SetBase, *sum);
  return true;
}

void CodeWriter::forget_descriptors() {
  for (Held& held : held_) held = {};
}

}  // namespace wse::assembler
