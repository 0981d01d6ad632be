// Headers, what ends the code below them, operands that are tasks, and calls of functions.
#include <algorithm>

#include "asm/code/emitter.h"
#include "asm/code/mnemonics.h"
#include "asm/code/reach.h"

namespace wse::assembler {

using isa::Op;
using isa::TaskKind;

bool Emitter::has_main_only() const {
  return std::ranges::all_of(c_.syntax.headers, [](const HeaderSyntax& header) {
    return header.is_function || header.kind == TaskKind::Main;
  });
}

void Emitter::emit_header(const BodySyntax& body) {
  close_section();
  const HeaderPlan& plan = c_.headers[body.header];
  section_ = &plan;
  code_.begin_section();
  if (plan.syntax->is_function) return emit_label(body);
  code_.forget_descriptors();
  ends_ = false;
  if (!plan.broken) emit_task(plan);
}

void Emitter::emit_task(const HeaderPlan& plan) {
  const HeaderSyntax& header = *plan.syntax;
  isa::Task task{.name = std::string(header.name.text),
                 .entry = code_.position(),
                 .kind = header.kind,
                 .id = {},
                 .high = header.high,
                 .arguments = plan.arguments};
  if (plan.id) task.id = c_.pools.value(*plan.id, isa::Type::Colour);
  c_.program.tasks.push_back(std::move(task));
}

// A function returns, a task ends. Where there is only main, the PE has nothing more to do.
void Emitter::close_section() {
  if (ends_ || (section_ == nullptr && code_.position() == 0)) return;
  code_.begin(c_.syntax.name, last_line_);
  if (section_ != nullptr && section_->syntax->is_function) {
    if (section_->link == kNoRegister) return;
    code_.append({.op = Op::Return, .source_a = section_->link});
  } else {
    code_.append({.op = has_main_only() ? Op::Halt : Op::EndTask});
  }
  ends_ = true;
}

void Emitter::check_end() {
  const ProgramSyntax& syntax = c_.syntax;
  if (syntax.broken || syntax.incomplete || c_.unit.lacks(".macro")) return;
  const auto is_main = [](const HeaderSyntax& h) {
    return !h.is_function && h.name.text == "main";
  };
  if (std::ranges::none_of(syntax.headers, is_main)) {
    c_.reporter.report(Problem::NoTask, syntax.name.where, syntax.name.text);
    return;
  }
  const bool ends_itself = has_main_only() && !code_.has_written(Op::EndTask);
  if (ends_itself || c_.program.passive || c_.reporter.mistakes() > c_.mistakes_before) return;
  if (!reaches(c_.program, Op::Halt)) {
    c_.reporter.report(Problem::NeverHalts, syntax.name.where, syntax.name.text);
  }
}

// ---- operands that are tasks

bool Emitter::fill_task(const Line& line, std::size_t k, Work& work) {
  if (!operands_.check_task(line.operands[k], line.exprs[k], line.row->op == Op::Activate))
    return false;
  return fill_scalar(line, k, work);
}

bool Emitter::fill_completion(const Line& line, Work& work) {
  const BodySyntax& syntax = *line.syntax;
  if (syntax.completion == isa::Completion::None) return true;
  const std::optional<Operand> operand = operands_.read_task(syntax.completes);
  if (!operand) return false;
  if (operand->kind != OperandKind::Value) {
    return wrong_name(syntax.completes, "a task or colour, known before the run");
  }
  const bool activates = syntax.completion == isa::Completion::Activate;
  if (!operands_.check_task(*operand, syntax.completes, activates)) return false;
  const isa::SlotValue id = c_.pools.value(operand->formula, isa::Type::I32);
  work.instruction.completion = static_cast<std::uint32_t>(syntax.completion);
  work.instruction.completes_slot = id.is_slot ? 1 : 0;
  work.instruction.completes = id.value;
  return true;
}

// ---- functions

// For `map`, which takes instructions too, one of those may be meant.
const HeaderPlan* Emitter::function(ExprId id, bool or_instruction) {
  const Expr& expr = c_.unit[id];
  if (expr.kind != ExprKind::Name) return wrong_name(id, "the name of a function"), nullptr;
  if (const Meaning* meaning = c_.functions.find(expr.text)) {
    const HeaderPlan& plan = c_.headers[meaning->index];
    return plan.broken ? nullptr : &plan;
  }
  if (c_.unit.broken_names.contains(expr.text)) return nullptr;
  Suggestion suggestion(expr.text, c_.reporter);
  c_.functions.offer_all(suggestion);
  for (const ProgramSyntax& library : c_.unit.libraries) {
    for (const HeaderSyntax& header : library.headers) suggestion.offer(header.name.text);
  }
  std::string meant = suggestion.best();
  if (meant.empty() && or_instruction) meant = meant_by(expr.text, c_.unit, c_.reporter);
  c_.reporter.report(Problem::NoFunction, expr.where, expr.text, meant);
  return nullptr;
}

// `call f`, or `call d, f, a`; `call r9, label` is an instruction like any other.
bool Emitter::emit_call(const Line& line) {
  const BodySyntax& syntax = *line.syntax;
  if (syntax.name.text != isa::info(Op::Call).mnemonic || line.exprs.size() == 2) return false;
  if (line.exprs.empty()) return false;
  if (syntax.microthread != kNoExpr) {
    c_.reporter.report(Problem::AsyncScalar, syntax.name.where, syntax.name.text);
  } else if (syntax.type != kNoType) {
    refuse_type(syntax);
  } else if (line.exprs.size() > 1) {
    emit_call_with(line);
  } else if (const HeaderPlan* plan = function(line.exprs[0])) {
    jump_into(*plan);
  }
  return true;
}

// The header of the function says where its return address goes.
void Emitter::jump_into(const HeaderPlan& plan) {
  code_.append_jump({.op = Op::Call, .destination = plan.link}, plan.label);
  code_.forget_descriptors();
  ends_ = false;
}

}  // namespace wse::assembler
