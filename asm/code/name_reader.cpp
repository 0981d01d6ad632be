// Each name is looked for in its table; one that is not there is told with the nearest that is.
#include "asm/code/name_reader.h"

#include "asm/code/mnemonics.h"

namespace wse::assembler {

std::optional<std::uint32_t> NameReader::label(ExprId id) {
  const Expr& expr = c_.unit[id];
  if (expr.kind != ExprKind::Name) return e_.refuse_name(id, "a label"), std::nullopt;
  if (const auto label = c_.labels.find(expr.text, expr.scope)) return label;
  Suggestion suggestion(expr.text, c_.reporter);
  c_.labels.offer_all(expr.scope, suggestion);
  c_.reporter.report(Problem::UnknownLabel, expr.where, expr.text, suggestion.best());
  return std::nullopt;
}

std::optional<std::uint32_t> NameReader::microthread(ExprId id) {
  const Expr& expr = c_.unit[id];
  if (expr.kind == ExprKind::Number) {
    const std::optional<std::int64_t> number =
        c_.formulas(FormulaScope::Level::Fixed)
            .whole(id, "the number of a microthread", 0, isa::kMicrothreads - 1);
    if (!number) return std::nullopt;
    return static_cast<std::uint32_t>(*number);
  }
  if (expr.kind != ExprKind::Name) return e_.refuse_name(id, "a microthread"), std::nullopt;
  if (const auto number = c_.microthreads.find(expr.text)) return number;
  if (c_.unit.broken_names.contains(expr.text)) return std::nullopt;
  Suggestion suggestion(expr.text, c_.reporter);
  c_.microthreads.offer_all(suggestion);
  c_.reporter.report(Problem::UnknownMicrothread, expr.where, expr.text, suggestion.best());
  return std::nullopt;
}

std::optional<std::uint32_t> NameReader::mark(ExprId id) {
  const Expr& expr = c_.unit[id];
  if (expr.kind != ExprKind::Name) return e_.refuse_name(id, "a name"), std::nullopt;
  if (const Meaning* meaning = mark_names_.find(expr.text)) return meaning->index;
  const auto index = static_cast<std::uint32_t>(marks_.size());
  mark_names_.define({expr.text, expr.where}, NameKind::Other, index, c_.reporter);
  marks_.emplace_back(expr.text);
  return index;
}

std::optional<std::uint32_t> NameReader::setting(ExprId id, const NameTable& names,
                                                 std::string_view what,
                                                 std::string_view directive) {
  const Expr& expr = c_.unit[id];
  if (expr.kind != ExprKind::Name) return e_.refuse_name(id, "a name"), std::nullopt;
  if (const Meaning* meaning = names.find(expr.text)) return meaning->index;
  if (c_.unit.broken_names.contains(expr.text)) return std::nullopt;
  Suggestion suggestion(expr.text, c_.reporter);
  names.offer_all(suggestion);
  c_.reporter.report(Problem::UnknownSetting, expr.where, what, expr.text, suggestion.best(),
                     directive);
  return std::nullopt;
}

const HeaderPlan* NameReader::function(ExprId id, bool or_instruction) {
  const Expr& expr = c_.unit[id];
  if (expr.kind != ExprKind::Name) return e_.refuse_name(id, "the name of a function"), nullptr;
  if (const HeaderPlan* plan = c_.headers.function(expr.text)) {
    return plan->broken ? nullptr : plan;
  }
  if (c_.unit.broken_names.contains(expr.text)) return nullptr;
  Suggestion suggestion(expr.text, c_.reporter);
  c_.headers.offer_functions(suggestion);
  for (const ProgramSyntax& library : c_.unit.libraries) {
    for (const HeaderSyntax& header : library.headers) suggestion.offer(header.name.text);
  }
  std::string meant = suggestion.best();
  if (meant.empty() && or_instruction) meant = meant_by(expr.text, c_.unit, c_.reporter);
  c_.reporter.report(Problem::NoFunction, expr.where, expr.text, meant);
  return nullptr;
}

}  // namespace wse::assembler
