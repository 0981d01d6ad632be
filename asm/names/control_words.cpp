// control(ENTRY, command, ...): the 32 bits of a control wavelet, in expressions.
#include <algorithm>

#include "asm/names/formulas.h"
#include "isa/machine/control_word.h"

namespace wse::assembler {
namespace {

using isa::FormulaNode;
using isa::FormulaOp;

FormulaNode number_node(std::int64_t value) {
  FormulaNode node;
  node.constant = isa::Number::of(value);
  return node;
}

FormulaNode operation_node(FormulaOp op, std::size_t left, std::size_t right) {
  FormulaNode node;
  node.op = op;
  node.operand[0] = static_cast<std::uint32_t>(left);
  node.operand[1] = static_cast<std::uint32_t>(right);
  return node;
}

}  // namespace

// A word, or ignore(word).
std::optional<isa::RouterCommand> FormulaBuilder::command(ExprId id) {
  isa::RouterCommand made{.ignore = false};
  const Expr* expr = &unit_[id];
  const bool ignored = expr->kind == ExprKind::Call && expr->text == "ignore" && expr->count == 1;
  if (ignored) {
    made.ignore = true;
    expr = &unit_[unit_.arguments[expr->first].value];
  }
  const auto* found = std::ranges::find(isa::kCommandTexts, expr->text);
  if (expr->kind != ExprKind::Name || found == std::end(isa::kCommandTexts)) {
    report_choice(reporter_, Problem::UnknownCommand, expr->where, expr->text,
                  {std::begin(isa::kCommandTexts), std::end(isa::kCommandTexts)});
    return std::nullopt;
  }
  made.command = static_cast<isa::Command>(found - isa::kCommandTexts);
  return made;
}

bool FormulaBuilder::emit_control(const Expr& expr, Nodes& out) {
  const auto refuse = [&](std::string_view what) {
    reporter_.report(Problem::ControlArguments, expr.where, what);
    return false;
  };
  const std::span<const Argument> arguments(unit_.arguments.data() + expr.first, expr.count);
  ExprId data = kNoExpr;
  std::vector<ExprId> plain;
  for (const Argument& argument : arguments) {
    if (argument.name.text.empty()) {
      plain.push_back(argument.value);
    } else if (argument.name.text == "data" && data == kNoExpr) {
      data = argument.value;
    } else {
      return refuse(fmt::format("control has no such option: '{}'", argument.name.text));
    }
  }
  if (plain.size() < 2) return refuse("control takes an entry and at least one command");
  if (plain.size() > 1 + isa::kControlCommands) {
    return refuse(fmt::format("a control wavelet holds {} commands", isa::kControlCommands));
  }
  if (data != kNoExpr && plain.size() > 2) {
    return refuse("only a control wavelet with one command carries data");
  }
  FormulaScope entry_scope = scope_;
  entry_scope.level = std::min(scope_.level, FormulaScope::Level::Fixed);
  const std::optional<std::int64_t> entry =
      FormulaBuilder(unit_, globals_, reporter_, entry_scope)
          .whole(plain[0], "a control entry", 0, isa::kEntries - 1);
  if (!entry) return false;
  auto word = static_cast<std::uint32_t>(*entry) << isa::kEntryShift;
  for (std::uint32_t k = 0; k < isa::kControlCommands; ++k) {
    std::optional<isa::RouterCommand> made = isa::RouterCommand{};
    if (k + 1 < plain.size()) made = command(plain[k + 1]);
    if (!made) return false;
    word = isa::with_command(word, k, *made);
  }
  return emit_control_data(word, data, out);
}

// `data & 0xffff | word`, the low bits of `word` given up.
bool FormulaBuilder::emit_control_data(std::uint32_t word, ExprId data, Nodes& out) {
  if (data == kNoExpr) {
    out.push_back(number_node(word));
    return true;
  }
  word &= ~isa::kControlDataMask;
  if (!emit(data, out)) return false;
  if (out.back().op == FormulaOp::Constant && !out.back().constant.is_float) {
    const std::int64_t value = out.back().constant.integer & isa::kControlDataMask;
    out.back() = number_node(value | word);
    return true;
  }
  const std::size_t value = out.size() - 1;
  out.push_back(number_node(isa::kControlDataMask));
  out.push_back(operation_node(FormulaOp::BitAnd, value, out.size() - 1));
  const std::size_t low = out.size() - 1;
  out.push_back(number_node(word));
  out.push_back(operation_node(FormulaOp::BitOr, low, out.size() - 1));
  return true;
}

}  // namespace wse::assembler
