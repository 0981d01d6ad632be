// Writes the field of each letter of a scalar format.
#include "asm/code/scalar_emitter.h"

#include <algorithm>

namespace wse::assembler {

using isa::Op;
using isa::OperandType;

bool ScalarEmitter::fill_row(const Line& line, Work& work) {
  const std::string_view letters = isa::info(line.row->format).operands;
  bool good = true;
  for (std::size_t k = 0; k < letters.size() && good; ++k) {
    good = fill_letter(line, letters[k], k, work);
  }
  return good;
}

bool ScalarEmitter::fill_letter(const Line& line, char letter, std::size_t k, Work& work) {
  switch (letter) {
    case 'd': return fill_destination(line, k, work);
    case 'E': return fill_descriptor_register(line, k, work.instruction.destination);
    case 'F': return fill_descriptor_register(line, k, work.instruction.source_a);
    case 'a': return fill_source(line, k, work.instruction.source_a);
    case 'b': return fill_source(line, k, work.instruction.source_b);
    case 'S': return fill_scalar(line, k, work);
    case '@': return fill_address(line, k, work);
    case 'X': return fill_descriptor(line, k, work);
    case 'C': return fill_colour(line, k, work);
    case 'T': return fill_task(line, k, work);
    default: return fill_name(line, letter, k, work);
  }
}

bool ScalarEmitter::fill_destination(const Line& line, std::size_t k, Work& work) {
  const OperandPlan& operand = line.operands[k];
  if (operand.kind == OperandKind::Register) {
    work.instruction.destination = operand.number;
    return true;
  }
  if (line.row->format == isa::Format::Call) return e_.refuse_operand(line, k, "a register");
  if (operand.kind != OperandKind::Memory)
    return e_.refuse_operand(line, k, "a register or memory");
  if (!e_.check_element(line, k)) return false;
  const std::optional<std::uint32_t> taken = code_.scratch();
  work.instruction.destination = taken.value_or(0);
  work.store = &operand;
  return taken.has_value();
}

bool ScalarEmitter::fill_descriptor_register(const Line& line, std::size_t k,
                                             std::uint32_t& field) {
  const OperandPlan& operand = line.operands[k];
  if (operand.kind != OperandKind::DescriptorRegister) {
    return e_.refuse_operand(line, k, "a descriptor register, d0 to d15");
  }
  field = operand.number;
  return true;
}

bool ScalarEmitter::fill_source(const Line& line, std::size_t k, std::uint32_t& field) {
  if (line.operands[k].is_vector())
    return e_.refuse_operand(line, k, "a register, memory or a value");
  if (!e_.check_element(line, k)) return false;
  const std::optional<std::uint32_t> taken =
      code_.in_register(line.operands[k], line.row->type_of(k));
  field = taken.value_or(0);
  return taken.has_value();
}

bool ScalarEmitter::fill_scalar(const Line& line, std::size_t k, Work& work) {
  if (line.operands[k].kind == OperandKind::Value) {
    work.scalar = &line.operands[k];
    work.scalar_type = line.row->type_of(k);
    return true;
  }
  work.instruction.scalar_kind = static_cast<std::uint32_t>(isa::ScalarKind::Register);
  return fill_source(line, k, work.instruction.scalar);
}

bool ScalarEmitter::fill_address(const Line& line, std::size_t k, Work& work) {
  const OperandPlan& operand = line.operands[k];
  const isa::Format format = line.row->format;
  const bool indexed = format == isa::Format::LoadIndexed || format == isa::Format::StoreIndexed;
  const bool whole =
      format == isa::Format::DescriptorLoad || format == isa::Format::DescriptorStore;
  if (operand.kind != OperandKind::Memory) {
    return e_.refuse_operand(line, k, "memory: scalar data or an element");
  }
  if (!e_.check_element(line, k)) return false;
  const bool has_index = operand.index || !operand.terms.empty();
  if (indexed && !has_index) return e_.refuse_operand(line, k, "an element `v[register]`");
  if (whole && has_index)
    return e_.refuse_operand(line, k, "an element whose index is no register");
  work.address = &operand;
  return true;
}

bool ScalarEmitter::fill_descriptor(const Line& line, std::size_t k, Work& work) {
  const OperandPlan& operand = line.operands[k];
  if (operand.kind != OperandKind::Descriptor) return e_.refuse_operand(line, k, "a descriptor");
  work.instruction.target = c_.pools.descriptor(*operand.descriptor);
  work.loaded = &operand;
  return true;
}

// Known before the run, so that the machine knows which routers change.
bool ScalarEmitter::fill_colour(const Line& line, std::size_t k, Work& work) {
  const OperandPlan& operand = line.operands[k];
  if (operand.kind != OperandKind::Value) return e_.refuse_operand(line, k, "a colour");
  if (!operand.formula.is_constant()) {
    work.instruction.colour_kind = 1;
    work.instruction.colour = c_.pools.slot(operand.formula, isa::Type::Colour);
    return true;
  }
  const isa::Number& number = operand.formula.nodes[0].constant;
  const std::int64_t limit = std::min(c_.profile.colours, isa::kMaxColours);
  work.instruction.colour = static_cast<std::uint32_t>(number.integer);
  if (!number.is_float && number.integer >= 0 && number.integer < limit) return true;
  c_.reporter.report(Problem::NotInRange, operand.where, "a colour", 0, limit - 1,
                     isa::to_text(number));
  return false;
}

bool ScalarEmitter::fill_task(const Line& line, std::size_t k, Work& work) {
  if (!operands_.check_task(line.operands[k], line.exprs[k], line.row->op == Op::Activate))
    return false;
  return fill_scalar(line, k, work);
}

bool ScalarEmitter::fill_name(const Line& line, char letter, std::size_t k, Work& work) {
  std::optional<std::uint32_t> value;
  switch (letter) {
    case 'L':
      value = names_.label(line.exprs[k]);
      work.label = value.value_or(kNoLabel);
      return value.has_value();
    case 'U':
      value = names_.microthread(line.exprs[k]);
      work.instruction.microthread = value.value_or(0);
      return value.has_value();
    case 'M': value = names_.mark(line.exprs[k]); break;
    case 'P': value = prints_.read(line.exprs[k]); break;
    case 'R': value = names_.setting(line.exprs[k], c_.routings, "routing", ".routing"); break;
    case 'W': value = names_.setting(line.exprs[k], c_.filters, "filter", ".filtering"); break;
    default: break;
  }
  work.instruction.target = value.value_or(0);
  return value.has_value();
}

bool ScalarEmitter::is_move(const Line& line) const {
  const Op op = line.row->op;
  if (op != Op::Mov32 && op != Op::FMovS && op != Op::Mov16 && op != Op::FMovH) return false;
  return line.operands[0].kind == OperandKind::Memory ||
         line.operands[1].kind == OperandKind::Memory;
}

void ScalarEmitter::emit_move(const Line& line) {
  const OperandPlan& to = line.operands[0];
  const OperandPlan& from = line.operands[1];
  e_.ends = false;
  if (!e_.check_element(line, 0) || !e_.check_element(line, 1)) return;
  const OperandType type = line.row->types.result;
  if (to.kind == OperandKind::Register) {
    code_.load(to.number, from, type);
  } else if (to.kind != OperandKind::Memory) {
    e_.refuse_operand(line, 0, "a register or memory");
  } else if (const auto source = code_.in_register(from, type)) {
    code_.store(to, *source, type);
  }
}

}  // namespace wse::assembler
