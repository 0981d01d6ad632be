// Resolves the headers of a program: registers, colours and entries, then the ids of local tasks.
//
// One numbering: data tasks have the number of their colour, control tasks that of their entry;
// local tasks are pinned or take what is left, first the ids that no colour can have.
#include <algorithm>

#include "asm/program/program_context.h"
#include "isa/machine/control_word.h"

namespace wse::assembler {
namespace {

using isa::TaskKind;
using Level = FormulaScope::Level;

class HeaderResolver {
 public:
  explicit HeaderResolver(ProgramContext& context) : c_(context) {}

  void run() {
    for (const HeaderSyntax& syntax : c_.syntax.headers) c_.headers.push_back({.syntax = &syntax});
    for (std::uint32_t k = 0; k < c_.headers.size(); ++k) {
      define(k);
      resolve_registers(c_.headers[k]);
      if (!c_.headers[k].syntax->is_function) resolve_id(c_.headers[k]);
    }
    for (HeaderPlan& plan : c_.headers) {
      const bool free = !plan.syntax->is_function && plan.syntax->kind == TaskKind::Local &&
                        plan.syntax->id == kNoExpr && !plan.broken;
      if (free) take_free_id(plan);
    }
  }

 private:
  void define(std::uint32_t k) {
    HeaderPlan& plan = c_.headers[k];
    const HeaderSyntax& header = *plan.syntax;
    NameTable& table = header.is_function ? c_.functions : c_.tasks;
    plan.duplicate = !table.define(header.name, NameKind::Other, k, c_.reporter);
    plan.broken = plan.duplicate;
    const bool extras = header.kind != TaskKind::Main || header.high;
    if (header.is_function || header.name.text != "main" || !extras) return;
    c_.reporter.report(Problem::MainHeader, header.name.where);
    plan.broken = true;
  }

  void resolve_registers(HeaderPlan& plan) {
    const HeaderSyntax& header = *plan.syntax;
    const std::size_t most = header.is_function                 ? isa::kRegisters
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
  }

  std::uint32_t register_of(ExprId id, HeaderPlan& plan) {
    const Expr& expr = c_.unit[id];
    if (expr.kind == ExprKind::Name) {
      const std::optional<std::uint32_t> number = register_number(expr.text, 'r');
      if (number && *number < isa::kRegisters) return *number;
      const Meaning* meaning = c_.names.find(expr.text);
      const bool named = meaning != nullptr && meaning->kind == NameKind::Register;
      if (named && c_.registers[meaning->index] != kNoRegister) {
        return c_.registers[meaning->index];
      }
      plan.broken = true;
      if (named || c_.unit.broken_names.contains(expr.text)) return 0;
    }
    plan.broken = true;
    c_.reporter.report(Problem::Expected, expr.where, "a register, r0 to r15 or a name",
                       expr.text.empty() ? "a value" : fmt::format("'{}'", expr.text));
    return 0;
  }

  void resolve_id(HeaderPlan& plan) {
    const HeaderSyntax& header = *plan.syntax;
    switch (header.kind) {
      case TaskKind::Main: return;
      case TaskKind::Data: resolve_colour(plan); break;
      case TaskKind::Teardown:
        c_.has_teardown = true;
        resolve_colour(plan);
        break;
      case TaskKind::Control: resolve_number(plan, "the number of an entry", isa::kTaskIds); break;
      case TaskKind::Local:
        if (header.id == kNoExpr) return;
        resolve_number(plan, "the id of a local task", isa::kLocalIds);
        break;
    }
    if (!plan.id || !plan.id->is_constant()) return;
    take(plan, static_cast<std::uint32_t>(plan.id->nodes[0].constant.integer));
  }

  void resolve_colour(HeaderPlan& plan) {
    const ExprId id = plan.syntax->id;
    plan.id = c_.formulas().build(id);
    const std::uint32_t limit = std::min(c_.profile.colours, isa::kMaxColours);
    if (plan.id && c_.pools.may_be_float(*plan.id)) {
      c_.reporter.report(Problem::FloatIndex, c_.unit[id].where);
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

  void resolve_number(HeaderPlan& plan, std::string_view what, std::uint32_t limit) {
    const ExprId id = plan.syntax->id;
    const std::optional<std::int64_t> number =
        c_.formulas(Level::Fixed).whole(id, what, 0, limit - 1);
    if (number == isa::kTeardownId || number == isa::kNoEntry) {
      c_.reporter.report(Problem::ReservedId, c_.unit[id].where, *number);
    } else if (number) {
      plan.id = isa::Formula::of(isa::Number::of(*number));
    }
    plan.broken |= !plan.id;
  }

  // A task whose name is taken takes no id.
  void take(HeaderPlan& plan, std::uint32_t id) {
    const bool teardown = plan.syntax->kind == TaskKind::Teardown;
    const HeaderPlan*& owner = teardown ? torn_[id] : owner_[id];
    if (plan.broken) return;
    if (owner != nullptr) {
      const Named& other = owner->syntax->name;
      const isa::SourceRange& where = plan.syntax->name.where;
      if (teardown) {
        c_.reporter.report(Problem::TwoTeardowns, where, id);
      } else {
        c_.reporter.report(Problem::TaskClash, where, plan.syntax->name.text, id, other.text);
      }
      c_.reporter.note(Remark::FirstDefined, other.where, other.text);
      return;
    }
    owner = &plan;
    const bool local = plan.syntax->kind == TaskKind::Local;
    if (!teardown) (local ? c_.local_ids : c_.other_ids) |= std::uint64_t{1} << id;
  }

  std::optional<std::uint32_t> free_id() const {
    for (const std::uint32_t id : {24u, 25u, 26u, 27u, 28u, 30u}) {
      if (id >= c_.profile.first_local_id && owner_[id] == nullptr) return id;
    }
    for (std::uint32_t id = c_.profile.first_local_id; id < isa::kMaxColours; ++id) {
      if (owner_[id] == nullptr) return id;
    }
    return std::nullopt;
  }

  // Those of the machine, less that of teardown tasks.
  std::uint32_t local_ids() const {
    const std::uint32_t first = c_.profile.first_local_id;
    return isa::kLocalIds - first - (first <= isa::kTeardownId ? 1 : 0);
  }

  void take_free_id(HeaderPlan& plan) {
    const std::optional<std::uint32_t> id = free_id();
    if (!id) {
      const Named& name = plan.syntax->name;
      c_.reporter.report(Problem::TooMany, name.where, name.text, "local task", local_ids());
      plan.broken = true;
      return;
    }
    plan.id = isa::Formula::of(isa::Number::of(std::int64_t{*id}));
    take(plan, *id);
  }

  ProgramContext& c_;
  const HeaderPlan* owner_[isa::kTaskIds] = {};
  const HeaderPlan* torn_[isa::kMaxColours] = {};
};

}  // namespace

void declare_headers(ProgramContext& context) { HeaderResolver(context).run(); }

}  // namespace wse::assembler
