// Names of tasks and of functions are apart: a name may be both.
#include "asm/program/header_plans.h"

#include <algorithm>

namespace wse::assembler {

bool HeaderPlans::define(std::uint32_t k, Reporter& reporter) {
  const HeaderSyntax& header = *plans_[k].syntax;
  NameTable& names = header.is_function ? functions_ : tasks_;
  return names.define(header.name, NameKind::Other, k, reporter);
}

const HeaderPlan* HeaderPlans::take(const HeaderPlan& task, std::uint32_t id) {
  const bool teardown = task.syntax->kind == isa::TaskKind::Teardown;
  const HeaderPlan*& owner = teardown ? teardown_owners_[id] : owners_[id];
  if (owner != nullptr) return owner;
  owner = &task;
  return nullptr;
}

bool HeaderPlans::is_local(std::uint32_t id) const {
  return !is_free(id) && owners_[id]->syntax->kind == isa::TaskKind::Local;
}

bool HeaderPlans::has_teardown() const {
  return std::ranges::any_of(
      plans_, [](const HeaderPlan& plan) { return plan.syntax->kind == isa::TaskKind::Teardown; });
}

}  // namespace wse::assembler
