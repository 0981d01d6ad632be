// Checks that the tasks of a PE have ids of their own where parameters decide which colours they
// are on.
#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "asm/mesh/mesh_checks.h"

namespace wse::assembler {
namespace {

using isa::TaskKind;

const HeaderSyntax& header_of(const ProgramSyntax& program, const isa::Task& task) {
  return *std::ranges::find_if(program.headers, [&task](const HeaderSyntax& header) {
    return !header.is_function && header.name.text == task.name;
  });
}

// Two tasks of a PE with one id.
struct Clash {
  const isa::Task* first;
  const isa::Task* second;
  std::uint32_t id;
};

// Returns the first two in the order of the program; nothing if every task has its own.
std::optional<Clash> clash_of(const isa::Program& program, std::span<const std::uint32_t> slots) {
  // Teardown tasks are numbered apart, by colour.
  std::array<const isa::Task*, 2 * std::size_t{isa::kTaskIds}> owners{};
  for (const isa::Task& task : program.tasks) {
    if (task.kind == TaskKind::Main) continue;
    const std::uint32_t id = isa::value_of(task.id, slots.data());
    if (id >= isa::kTaskIds) continue;  // no colour: reported elsewhere
    const isa::Task*& owner = owners[task.kind == TaskKind::Teardown ? isa::kTaskIds + id : id];
    if (owner != nullptr) return Clash{owner, &task, id};
    owner = &task;
  }
  return std::nullopt;
}

// The one of the two whose number is written, or that of its entry; empty if colours decide both.
std::string_view numbered(const Clash& clash) {
  for (const isa::Task* task : {clash.first, clash.second}) {
    if (task->kind == TaskKind::Local || task->kind == TaskKind::Control) return task->name;
  }
  return "";
}

}  // namespace

// Clashes of ids that no PE decides are reported where the headers are resolved.
bool MeshChecker::check_task_ids(const PlacedProgram& placed, const isa::PlacementValues& values,
                                 std::int64_t x, std::int64_t y) {
  const isa::Program& program = image_.programs[placed.item.program];
  const auto varies = [](const isa::Task& task) { return task.id.is_slot; };
  if (std::ranges::none_of(program.tasks, varies)) return true;
  const std::optional<Clash> clash = clash_of(program, values.slots());
  if (!clash) return true;
  const ProgramSyntax& syntax = unit_.programs[placed.item.program];
  const Named& first = header_of(syntax, *clash->first).name;
  const Named& second = header_of(syntax, *clash->second).name;
  const std::string_view noun = clash->second->kind == TaskKind::Teardown ? "colour" : "id";
  reporter_.report(Problem::PlacedTaskClash, second.where, second.text, first.text, noun, clash->id,
                   x, y, numbered(*clash));
  reporter_.note(Remark::FirstDefined, first.where, first.text);
  reporter_.note(Remark::PlacedHere, placed.syntax->program.where, program.name);
  return false;
}

}  // namespace wse::assembler
