// Where tasks and functions begin and end.
#include "asm/code/section_emitter.h"

#include <algorithm>

#include "asm/code/reach.h"
#include "asm/syntax/rewrites.h"
#include "isa/support/mutant.h"

namespace wse::assembler {

using isa::Op;
using isa::TaskKind;

namespace {

constexpr std::string_view kMainHeader = "  task main:";

}  // namespace

void SectionEmitter::label(const BodySyntax& body) {
  c_.labels.place(*c_.labels.find(body.name.text, body.scope), code_.position());
  told_early_code_ = true;  // what is here can be called
  if (!isa::mutant(isa::Mutant::LabelKeeps)) code_.forget_descriptors();
  e_.ends = false;
}

void SectionEmitter::instruction(const BodySyntax& body) {
  const bool early = section_ == nullptr && !c_.syntax.headers.empty();
  if (early && !told_early_code_ && !c_.syntax.incomplete) {
    const bool has_main = c_.headers.task("main") != nullptr;
    c_.reporter.report(Problem::CodeBeforeTask, body.name.where, body.name.text,
                       has_main ? "" : "task main:");
    if (!has_main) c_.reporter.spells(line_above(body.name.where, kMainHeader));
  }
  told_early_code_ |= early;
}

void SectionEmitter::begin(const BodySyntax& body) {
  close();
  const HeaderPlan& plan = c_.headers[body.header];
  section_ = &plan;
  code_.begin_section();
  if (plan.syntax->is_function) return label(body);
  code_.forget_descriptors();
  e_.ends = false;
  if (!plan.broken) begin_task(plan);
}

void SectionEmitter::begin_task(const HeaderPlan& plan) {
  const HeaderSyntax& header = *plan.syntax;
  isa::Task task{.name = std::string(header.name.text),
                 .entry = code_.position(),
                 .kind = header.kind,
                 .id = {},
                 .high = header.high,
                 .arguments = plan.arguments,
                 .exported = header.exported};
  if (header.exported) {
    for (const std::optional<isa::Type>& type : header.argument_types) {
      task.argument_types.push_back(type.value_or(isa::Type::I32));
    }
  }
  if (plan.id) task.id = c_.pools.value(*plan.id, isa::Type::Colour);
  c_.program.tasks.push_back(std::move(task));
}

void SectionEmitter::close() {
  if (e_.ends || (section_ == nullptr && code_.position() == 0)) return;
  code_.begin(c_.syntax.name, last_line_);
  if (section_ != nullptr && section_->syntax->is_function) {
    if (section_->link == kNoRegister) return;
    code_.append({.op = Op::Return, .source_a = section_->link});
  } else {
    code_.append({.op = has_main_only() ? Op::Halt : Op::EndTask});
  }
  e_.ends = true;
}

bool SectionEmitter::has_main_only() const {
  return std::ranges::all_of(c_.syntax.headers, [](const HeaderSyntax& header) {
    return header.is_function || header.kind == TaskKind::Main;
  });
}

void SectionEmitter::check_end() {
  const ProgramSyntax& syntax = c_.syntax;
  if (syntax.broken || syntax.incomplete || c_.unit.lacks(".macro")) return;
  const auto is_main = [](const HeaderSyntax& h) {
    return !h.is_function && h.name.text == "main";
  };
  if (std::ranges::none_of(syntax.headers, is_main)) {
    c_.reporter.report(Problem::NoTask, syntax.name.where, syntax.name.text);
    if (!syntax.body.empty()) {
      c_.reporter.spells(line_above(syntax.body.front().name.where, kMainHeader));
    }
    return;
  }
  const bool ends_itself = has_main_only() && !code_.has_written(Op::EndTask);
  if (ends_itself || c_.program.passive || c_.has_mistakes()) return;
  if (c_.program.exports_tasks()) return;  // it waits for launches
  if (!reaches(c_.program, Op::Halt)) {
    c_.reporter.report(Problem::NeverHalts, syntax.name.where, syntax.name.text);
  }
}

}  // namespace wse::assembler
