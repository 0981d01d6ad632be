// Checks and ends that instructions of any kind have.
#include "asm/code/emitter_context.h"

namespace wse::assembler {
namespace {

using isa::Op;

constexpr bool is_value_letter(char letter) {
  return std::string_view("dabSDABEFX@CT").find(letter) != std::string_view::npos;
}

}  // namespace

bool EmitterContext::read_operands(Line& line) {
  if (is_comparison(*line.row)) return true;
  const std::string_view letters = isa::info(line.row->format).operands;
  bool good = true;
  line.operands.reserve(line.exprs.size());
  for (std::size_t k = 0; k < line.exprs.size(); ++k) {
    const ExprId id = line.exprs[k];
    if (is_value_letter(letters[k])) {
      std::optional<OperandPlan> operand =
          letters[k] == 'T' ? operands.read_task(id) : operands.read(id);
      if (operand) {
        line.operands.push_back(std::move(*operand));
        continue;
      }
      good = false;
    }
    line.operands.push_back({.where = c.unit[id].where});
  }
  return good;
}

bool EmitterContext::check_element(const Line& line, std::size_t k) {
  const isa::OperandType type = line.row->type_of(k);
  const OperandPlan& operand = line.operands[k];
  const std::optional<isa::Type> element =
      operand.descriptor ? operand.descriptor->element : operand.element;
  if (!element) return true;
  const bool any = type == isa::OperandType::Any32 || type == isa::OperandType::Any16;
  const bool same_size = isa::info(*element).bytes == isa::info(type).bytes;
  if (any ? same_size : isa::operand_type_of(*element) == type) return true;
  const std::string_view name = c.unit[line.exprs[k]].text;
  c.reporter.report(Problem::ElementType, operand.where, line.syntax->name.text,
                    isa::info(type).text, name.empty() ? "this" : fmt::format("'{}'", name),
                    isa::info(*element).text);
  return false;
}

bool EmitterContext::check_async(const Line& line) {
  if (line.syntax->microthread == kNoExpr || line.row->is_vector()) return true;
  const Named& name = line.syntax->name;
  c.reporter.report(Problem::AsyncScalar, name.where, name.text);
  return false;
}

void EmitterContext::refuse_type(const BodySyntax& body) {
  const Named& type = c.unit.types[body.type];
  c.reporter.report(Problem::Expected, type.where, "the end of the line",
                    fmt::format("': {}'", type.text));
}

bool EmitterContext::refuse_operand(const Line& line, std::size_t k, std::string_view wanted) {
  c.reporter.report(Problem::WrongOperand, line.operands[k].where, describe(line.operands[k].kind),
                    line.syntax->name.text, wanted, usage(*line.row));
  return false;
}

bool EmitterContext::refuse_name(ExprId id, std::string_view wanted) {
  c.reporter.report(Problem::Expected, c.unit[id].where, wanted, "a value");
  return false;
}

std::optional<isa::Type> EmitterContext::type_of(const Named& name) {
  const auto fits = [](const isa::TypeInfo& row) { return row.type != isa::Type::Colour; };
  const std::optional<isa::Type> type = isa::type_named(name.text);
  if (type && fits(isa::info(*type))) return type;
  report_unknown_type(c.reporter, name.text, name.where);
  return std::nullopt;
}

void EmitterContext::finish(const Line& line, Work& work) {
  isa::Instruction& instruction = work.instruction;
  if (work.address != nullptr && !code.set_address(instruction, *work.address)) return;
  if (work.scalar != nullptr &&
      !code.set_scalar(instruction, work.scalar->formula, work.scalar_type, work.scalar->where)) {
    return;
  }
  if (work.label != kNoLabel) {
    code.append_jump(instruction, work.label);
  } else {
    code.append(instruction);
  }
  if (work.loaded != nullptr) {
    code.add_run_time(instruction.destination, *work.loaded->descriptor, work.loaded->where);
  }
  if (work.store != nullptr) {
    code.store(*work.store, instruction.destination, line.row->types.result);
  }
  const isa::Format format = line.row->format;
  ends = instruction.op == Op::Halt || instruction.op == Op::EndTask ||
         format == isa::Format::Jump || format == isa::Format::Return;
  if (ends || format == isa::Format::Call) code.forget_descriptors();
}

bool EmitterContext::check_plain(const BodySyntax& syntax) {
  if (syntax.microthread != kNoExpr) {
    c.reporter.report(Problem::AsyncScalar, syntax.name.where, syntax.name.text);
  } else if (syntax.type != kNoType) {
    refuse_type(syntax);
  } else {
    return true;
  }
  return false;
}

}  // namespace wse::assembler
