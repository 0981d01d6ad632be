// One numbering: data tasks have the number of their colour, control tasks that of their entry;
// local tasks are pinned or take what is left, first the ids that no colour can have.
#include "asm/program/header_resolver.h"

#include <algorithm>

#include "asm/syntax/rewrites.h"
#include "isa/machine/control_word.h"

namespace wse::assembler {

using isa::TaskKind;
using Level = FormulaScope::Level;

namespace {

// Whether the header itself has a number for the task.
bool pins(const HeaderSyntax& header) {
  return header.kind == TaskKind::Local && header.id != kNoExpr;
}

}  // namespace

void HeaderResolver::run() {
  for (std::uint32_t k = 0; k < c_.headers.all().size(); ++k) {
    define(k);
    resolve_registers(c_.headers[k]);
    if (!c_.headers[k].syntax->is_function) resolve_id(c_.headers[k]);
  }
  for (HeaderPlan& plan : c_.headers.all()) {
    const bool free = !plan.syntax->is_function && plan.syntax->kind == TaskKind::Local &&
                      plan.syntax->id == kNoExpr && !plan.broken;
    if (free) take_free_id(plan);
  }
}

void HeaderResolver::define(std::uint32_t k) {
  HeaderPlan& plan = c_.headers[k];
  const HeaderSyntax& header = *plan.syntax;
  plan.duplicate = !c_.headers.define(k, c_.reporter);
  plan.broken = plan.duplicate;
  const bool extras = header.kind != TaskKind::Main || header.high || header.exported;
  if (header.is_function || header.name.text != "main" || !extras) return;
  c_.reporter.report(header.exported ? Problem::MainExported : Problem::MainHeader,
                     header.name.where);
  if (header.rest.line != 0) c_.reporter.spells(Edit{.where = header.rest});
  plan.broken = true;
}

void HeaderResolver::resolve_registers(HeaderPlan& plan) {
  const HeaderSyntax& header = *plan.syntax;
  if (header.exported && !check_exported(header)) {
    plan.broken = true;
    return;
  }
  const std::size_t most = header.is_function                 ? isa::kRegisters
                           : header.exported                  ? isa::kMaxLaunchArguments
                           : header.kind == TaskKind::Data    ? isa::kMaxTaskArguments
                           : header.kind == TaskKind::Control ? 1
                                                              : 0;
  if (header.arguments.size() > most) {
    c_.reporter.report(
        Problem::HeaderArguments, c_.unit[header.arguments[most]].where,
        header.kind == TaskKind::Control ? "a control task" : "this task",
        most == 0 ? "no register" : counted(static_cast<std::int64_t>(most), "register"),
        header.arguments.size());
    plan.broken = true;
    return;
  }
  for (const ExprId id : header.arguments) plan.arguments.push_back(register_of(id, plan));
  if (header.result != kNoExpr) plan.result = register_of(header.result, plan);
  if (header.link != kNoExpr) plan.link = register_of(header.link, plan);
  if (header.exported && !plan.broken) check_registers(plan);
}

bool HeaderResolver::check_exported(const HeaderSyntax& header) {
  if (header.kind == TaskKind::Main || header.name.text == "main") return false;  // said before
  if (header.kind != TaskKind::Local) {
    c_.reporter.report(Problem::ExportedKind, header.name.where, header.name.text);
    return false;
  }
  if (header.arguments.size() <= isa::kMaxLaunchArguments) return true;
  c_.reporter.report(Problem::LaunchArguments,
                     c_.unit[header.arguments[isa::kMaxLaunchArguments]].where, header.name.text,
                     header.arguments.size(), isa::kMaxLaunchArguments);
  return false;
}

void HeaderResolver::check_registers(HeaderPlan& plan) {
  std::uint32_t seen = 0;
  for (std::size_t k = 0; k < plan.arguments.size(); ++k) {
    const std::uint32_t bit = 1u << plan.arguments[k];
    if ((seen & bit) != 0) {
      const HeaderSyntax& header = *plan.syntax;
      c_.reporter.report(Problem::ArgumentTwice, c_.unit[header.arguments[k]].where,
                         header.name.text, plan.arguments[k]);
      plan.broken = true;
      return;
    }
    seen |= bit;
  }
}

std::uint32_t HeaderResolver::register_of(ExprId id, HeaderPlan& plan) {
  const Expr& expr = c_.unit[id];
  if (expr.kind == ExprKind::Name) {
    if (const std::optional<std::uint32_t> number = c_.registers.find(expr.text)) return *number;
    const Meaning* meaning = c_.names.find(expr.text);
    const bool named = meaning != nullptr && meaning->kind == NameKind::Register;
    plan.broken = true;
    if (named || c_.unit.broken_names.contains(expr.text)) return 0;
  }
  plan.broken = true;
  c_.reporter.report(Problem::Expected, expr.where, "a register, r0 to r15 or a name",
                     expr.text.empty() ? "a value" : fmt::format("'{}'", expr.text));
  return 0;
}

void HeaderResolver::resolve_id(HeaderPlan& plan) {
  const HeaderSyntax& header = *plan.syntax;
  switch (header.kind) {
    case TaskKind::Main: return;
    case TaskKind::Data:
    case TaskKind::Teardown: resolve_colour(plan); break;
    case TaskKind::Control: resolve_number(plan, "the number of an entry", isa::kTaskIds); break;
    case TaskKind::Local:
      if (header.id == kNoExpr) return;
      resolve_number(plan, "the id of a local task", isa::kLocalIds);
      break;
  }
  if (!plan.id || !plan.id->is_constant()) return;
  take(plan, static_cast<std::uint32_t>(plan.id->nodes[0].constant.integer));
}

void HeaderResolver::resolve_colour(HeaderPlan& plan) {
  const ExprId id = plan.syntax->id;
  plan.id = c_.formulas().build(id);
  const std::uint32_t limit = std::min(c_.profile.colours, isa::kMaxColours);
  if (plan.id && c_.pools.may_be_float(*plan.id)) {
    c_.reporter.report(Problem::FloatIndex, c_.unit[id].where, "(int(...))");
    c_.reporter.spells(enclosed(c_.unit[id], "(int(", "))"));
    plan.id.reset();
  } else if (plan.id && plan.id->is_constant()) {
    const std::int64_t value = plan.id->nodes[0].constant.integer;
    if (value < 0 || value >= limit) {
      c_.reporter.report(Problem::NotInRange, c_.unit[id].where, "a colour", 0, limit - 1, value);
      plan.id.reset();
    }
  }
  plan.broken |= !plan.id;
}

void HeaderResolver::resolve_number(HeaderPlan& plan, std::string_view what, std::uint32_t limit) {
  const ExprId id = plan.syntax->id;
  const std::optional<std::int64_t> number =
      c_.formulas(Level::Fixed).whole(id, what, 0, limit - 1);
  if (number == isa::kTeardownId || number == isa::kNoEntry) {
    report_reserved(*plan.syntax, *number);
  } else if (number) {
    plan.id = isa::Formula::of(isa::Number::of(*number));
  }
  plan.broken |= !plan.id;
}

// Returns the binding that pins the number of an entry; nullptr if `id` names none.
const Binding* HeaderResolver::pinned_entry(const Expr& id) const {
  if (id.kind != ExprKind::Name || !c_.reporter.may_suggest()) return nullptr;
  const auto entry = std::ranges::find(c_.unit.entries, id.text,
                                       [](const Binding& binding) { return binding.name.text; });
  const bool is_pinned = entry != c_.unit.entries.end() && entry->value != kNoExpr;
  return is_pinned ? &*entry : nullptr;
}

void HeaderResolver::report_reserved(const HeaderSyntax& header, std::int64_t number) {
  const Expr& id = c_.unit[header.id];
  if (pins(header)) {
    c_.reporter.report(Problem::ReservedId, id.where, number, header.name.text);
    return c_.reporter.spells(removed_behind(header.name.where, id));
  }
  const Binding* const entry = pinned_entry(id);
  c_.reporter.report(Problem::ReservedId, id.where, number,
                     entry == nullptr ? "" : entry->name.text);
  if (entry != nullptr) c_.reporter.spells(without_value(c_.unit, *entry));
}

// A task whose name is taken takes no id.
void HeaderResolver::take(HeaderPlan& plan, std::uint32_t id) {
  if (plan.broken) return;
  const HeaderPlan* owner = c_.headers.take(plan, id);
  if (owner == nullptr) return;
  const Named& other = owner->syntax->name;
  const isa::SourceRange& where = plan.syntax->name.where;
  if (plan.syntax->kind == TaskKind::Teardown) {
    c_.reporter.report(Problem::TwoTeardowns, where, id);
  } else {
    const HeaderSyntax* pinned = pins(*plan.syntax)     ? plan.syntax
                                 : pins(*owner->syntax) ? owner->syntax
                                                        : nullptr;
    c_.reporter.report(Problem::TaskClash, where, plan.syntax->name.text, id, other.text,
                       pinned == nullptr ? "" : pinned->name.text);
    if (pinned != nullptr) {
      c_.reporter.spells(removed_behind(pinned->name.where, c_.unit[pinned->id]));
    }
  }
  c_.reporter.note(Remark::FirstDefined, other.where, other.text);
}

// The machine has the id, and no other task has it at any PE.
bool HeaderResolver::may_choose(std::uint32_t id) const {
  return id >= c_.profile.first_local_id && c_.headers.is_free(id) &&
         (c_.syntax.data_colours >> id & 1) == 0;
}

std::optional<std::uint32_t> HeaderResolver::free_id() const {
  for (const std::uint32_t id : kIdsWithoutColour) {
    if (may_choose(id)) return id;
  }
  for (std::uint32_t id = 0; id < isa::kMaxColours; ++id) {
    if (may_choose(id)) return id;
  }
  return std::nullopt;
}

// Returns the ids of the machine, less that of teardown tasks.
std::uint32_t HeaderResolver::local_ids() const {
  const std::uint32_t first = c_.profile.first_local_id;
  return isa::kLocalIds - first - (first <= isa::kTeardownId ? 1 : 0);
}

void HeaderResolver::take_free_id(HeaderPlan& plan) {
  const std::optional<std::uint32_t> id = free_id();
  if (!id) {
    const Named& name = plan.syntax->name;
    if (c_.syntax.data_colours != 0) {
      c_.reporter.report(Problem::NoFreeId, name.where, name.text);
    } else {
      c_.reporter.report(Problem::TooMany, name.where, name.text, "local task", local_ids());
    }
    plan.broken = true;
    return;
  }
  plan.id = isa::Formula::of(isa::Number::of(std::int64_t{*id}));
  take(plan, *id);
}

}  // namespace wse::assembler
