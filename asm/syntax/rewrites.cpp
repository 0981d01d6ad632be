// Places of edits: an expression knows where it begins, and whether its place reaches to its end.
#include "asm/syntax/rewrites.h"

#include <utility>

namespace wse::assembler {
namespace {

bool can_change(const Expr& expr) { return expr.whole && expr.where.line != 0; }

std::uint32_t end_of(const isa::SourceRange& where) { return where.column + where.length; }

bool is_plain_call(const Expr& expr) {
  return expr.kind == ExprKind::Call && !expr.grouped && can_change(expr);
}

}  // namespace

std::optional<Edit> replaced(const Expr& expr, std::string text) {
  if (!can_change(expr)) return std::nullopt;
  return Edit{.where = expr.where, .text = std::move(text)};
}

std::optional<Edit> enclosed(const Expr& expr, std::string opening, std::string closing) {
  if (!can_change(expr)) return std::nullopt;
  return Edit{.where = expr.where, .text = std::move(opening), .closing = std::move(closing)};
}

std::optional<Edit> removed_behind(const isa::SourceRange& first, const Expr& last) {
  const isa::SourceRange& until = last.where;
  const bool in_line = can_change(last) && first.file == until.file && first.line == until.line &&
                       end_of(first) <= end_of(until);
  if (!in_line) return std::nullopt;
  Edit edit{.where = first};
  edit.where.column = end_of(first);
  edit.where.length = end_of(until) - end_of(first);
  return edit;
}

std::optional<Edit> without_value(const Unit& unit, const Binding& binding) {
  return removed_behind(binding.name.where, unit[binding.value]);
}

std::optional<Edit> with_function(const Expr& call, std::string_view function) {
  if (!is_plain_call(call)) return std::nullopt;
  Edit edit{.where = call.where, .text = std::string(function)};
  edit.where.length = static_cast<std::uint32_t>(call.text.size());
  return edit;
}

std::optional<Edit> with_argument(const Expr& call, std::string_view text) {
  if (!is_plain_call(call)) return std::nullopt;
  Edit edit{.where = call.where, .text = fmt::format(", {}", text)};
  edit.where.column = end_of(call.where) - 1;  // its closing bracket
  edit.where.length = 0;
  return edit;
}

std::optional<Edit> without_argument(const Unit& unit, const Expr& call, std::string_view word) {
  if (call.kind != ExprKind::Call) return std::nullopt;
  for (std::uint32_t k = call.count; k-- > 1;) {
    const Argument& argument = unit.arguments[call.first + k];
    const Expr& value = unit[argument.value];
    if ((argument.name.text.empty() ? value.text : argument.name.text) != word) continue;
    const Expr& before = unit[unit.arguments[call.first + k - 1].value];
    return can_change(before) ? removed_behind(before.where, value) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<Edit> line_above(const isa::SourceRange& place, std::string_view text) {
  if (place.line == 0 || place.origin != 0) return std::nullopt;
  Edit edit{.where = place, .text = fmt::format("{}\n", text)};
  edit.where.column = 1;
  edit.where.length = 0;
  return edit;
}

}  // namespace wse::assembler
