// Headers, what ends the code below them, operands that are tasks, and calls of functions.
#include <algorithm>

#include "asm/emitter.h"
#include "asm/reach.h"

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
  if (syntax.broken || syntax.broken_header) return;
  const auto is_main = [](const HeaderSyntax& h) {
    return !h.is_function && h.name.text == "main";
  };
  if (std::ranges::none_of(syntax.headers, is_main)) {
    c_.reporter.report(Problem::NoTask, syntax.name.where, syntax.name.text);
    return;
  }
  const bool ends_itself = has_main_only() && !code_.has_written(Op::EndTask);
  if (ends_itself || c_.program.passive || c_.reporter.errors() > c_.errors_before) return;
  if (!reaches(c_.program, Op::Halt)) {
    c_.reporter.report(Problem::NeverHalts, syntax.name.where, syntax.name.text);
  }
}

// ---- operands that name a task or colour

std::optional<Operand> Emitter::read_task(ExprId id) {
  const Expr& expr = c_.unit[id];
  if (expr.kind != ExprKind::Name || expr.grouped) return operands_.read(id);
  if (const Meaning* meaning = c_.tasks.find(expr.text)) {
    return task_operand(expr, c_.headers[meaning->index]);
  }
  if (unknown_task(expr)) return std::nullopt;
  return operands_.read(id);
}

std::optional<Operand> Emitter::task_operand(const Expr& expr, const HeaderPlan& plan) {
  Operand made{.where = expr.where};
  if (plan.syntax->kind == TaskKind::Teardown) {
    made.formula = isa::Formula::of(isa::Number::of(std::int64_t{isa::kTeardownId}));
    return made;
  }
  if (plan.syntax->kind == TaskKind::Main) {
    c_.reporter.report(Problem::NotActivated, expr.where, expr.text, "every PE starts with it");
  }
  if (!plan.id) return std::nullopt;
  made.formula = *plan.id;
  return made;
}

// A name that means nothing else either.
bool Emitter::unknown_task(const Expr& expr) {
  const bool known = c_.names.find(expr.text) != nullptr ||
                     c_.globals.names.find(expr.text) != nullptr ||
                     is_reserved(expr.text, NameKind::Other);
  if (known) return false;
  if (c_.unit.broken_names.contains(expr.text)) return true;
  Suggestion suggestion(expr.text, c_.reporter);
  c_.tasks.offer_all(suggestion);
  c_.globals.names.offer_all(suggestion);
  c_.reporter.report(Problem::UnknownTask, expr.where, expr.text, suggestion.best());
  return true;
}

// What is known before the run: an id that no task of the kind has is refused.
bool Emitter::check_task(const Operand& operand, ExprId id, bool activates) {
  if (operand.kind != OperandKind::Value || !operand.formula.is_constant()) return true;
  const isa::Number number = operand.formula.nodes[0].constant;
  const std::int64_t value = number.is_float ? -1 : number.integer;
  const auto is_in = [value](std::uint64_t ids) {
    return value >= 0 && value < isa::kTaskIds && (ids >> value & 1) != 0;
  };
  constexpr std::uint64_t kColours = (std::uint64_t{1} << isa::kMaxColours) - 1;
  if (activates && !is_in(c_.local_ids)) {
    const std::string_view name = c_.unit[id].text;
    c_.reporter.report(Problem::NotActivated, operand.where,
                       name.empty() ? isa::to_text(number) : std::string(name),
                       "no local task has that id");
    return false;
  }
  const bool teardown = c_.has_teardown && value == isa::kTeardownId;
  if (activates || teardown || is_in(c_.local_ids | c_.other_ids | kColours)) return true;
  c_.reporter.report(Problem::NoSuchId, operand.where, c_.syntax.name.text, isa::to_text(number));
  return false;
}

bool Emitter::fill_task(const Line& line, std::size_t k, Work& work) {
  if (!check_task(line.operands[k], line.exprs[k], line.row->op == Op::Activate)) return false;
  return fill_scalar(line, k, work);
}

bool Emitter::fill_completion(const Line& line, Work& work) {
  const BodySyntax& syntax = *line.syntax;
  if (syntax.completion == isa::Completion::None) return true;
  const std::optional<Operand> operand = read_task(syntax.completes);
  if (!operand) return false;
  if (operand->kind != OperandKind::Value) {
    return wrong_name(syntax.completes, "a task or colour, known before the run");
  }
  const bool activates = syntax.completion == isa::Completion::Activate;
  if (!check_task(*operand, syntax.completes, activates)) return false;
  const isa::SlotValue id = c_.pools.value(operand->formula, isa::Type::I32);
  work.instruction.completion = static_cast<std::uint32_t>(syntax.completion);
  work.instruction.completes_slot = id.is_slot ? 1 : 0;
  work.instruction.completes = id.value;
  return true;
}

// ---- functions

const HeaderPlan* Emitter::function(ExprId id) {
  const Expr& expr = c_.unit[id];
  if (expr.kind != ExprKind::Name) return wrong_name(id, "the name of a function"), nullptr;
  if (const Meaning* meaning = c_.functions.find(expr.text)) {
    const HeaderPlan& plan = c_.headers[meaning->index];
    return plan.broken ? nullptr : &plan;
  }
  if (c_.unit.broken_names.contains(expr.text)) return nullptr;
  Suggestion suggestion(expr.text, c_.reporter);
  c_.functions.offer_all(suggestion);
  c_.reporter.report(Problem::NoFunction, expr.where, expr.text, suggestion.best());
  return nullptr;
}

// `call f`: the header of f says where its return address goes.
bool Emitter::emit_call(const Line& line) {
  const isa::InstructionInfo& row = isa::info(Op::Call);
  if (line.syntax->name.text != row.mnemonic || line.exprs.size() != 1) return false;
  const BodySyntax& syntax = *line.syntax;
  if (syntax.microthread != kNoExpr) {
    c_.reporter.report(Problem::AsyncScalar, syntax.name.where, syntax.name.text);
  } else if (syntax.type != kNoType) {
    refuse_type(syntax);
  } else if (const HeaderPlan* plan = function(line.exprs[0])) {
    code_.append_jump({.op = row.op, .destination = plan->link}, plan->label);
    code_.forget_descriptors();
    ends_ = false;
  }
  return true;
}

}  // namespace wse::assembler
