// Declares, emits, and checks that the result fits into the memory of a PE.
#include "asm/code/program_builder.h"

#include <algorithm>

#include "asm/program/declarations.h"

namespace wse::assembler {
namespace {

constexpr std::size_t kShownSymbols = 5;  // of the map of memory

// The map: the largest data, then what the program itself takes.
void report_overflow(const ProgramContext& c, std::uint64_t bytes) {
  const isa::SourceRange& place = c.syntax.name.where;
  c.reporter.report(Problem::MemoryOverflow, place, c.program.name, bytes, c.profile.memory_bytes);
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < c.program.symbols.size(); ++k) order.push_back(k);
  std::ranges::stable_sort(order, std::greater{},
                           [&c](std::size_t k) { return c.program.symbols[k].bytes(); });
  for (std::size_t k = 0; k < std::min(order.size(), kShownSymbols); ++k) {
    const isa::Symbol& symbol = c.program.symbols[order[k]];
    c.reporter.note(Remark::TakesSymbol, c.data.line(order[k]).data.name.where, symbol.name,
                    symbol.bytes());
  }
  c.reporter.note(Remark::TakesRest, place, 4 * c.program.code.size(),
                  4 * c.program.literals.size(), c.program.descriptor_bytes(),
                  4 * std::uint64_t{c.program.slot_count()});
}

// Checks what the format allows; memory is smaller on every machine built so far.
void check_tables(const ProgramContext& c) {
  const auto check = [&c](std::size_t count, isa::Limit limit, std::string_view what) {
    if (count <= isa::most(limit)) return;
    c.reporter.report(Problem::TooMany, c.syntax.name.where, c.program.name, what,
                      isa::most(limit));
  };
  check(c.program.literals.size(), isa::Limit::Literals, "literal");
  check(c.program.slot_count(), isa::Limit::Slots, "parameter slot");
  check(c.program.descriptors.size(), isa::Limit::Descriptors, "descriptor");
  check(c.program.routings.size(), isa::Limit::Routings, "routing");
  check(c.program.filters.size(), isa::Limit::Filters, "filter");
}

void add_numbers(const ProgramContext& c, std::vector<ChosenNumber>& numbers) {
  const auto add = [&](const Binding& binding, std::string value) {
    numbers.push_back({c.program.name, std::string(binding.name.text), std::move(value)});
  };
  for (const ChosenConstant& constant : c.syntax.constants) {
    numbers.push_back({c.program.name, std::string(constant.name.text), constant.value});
  }
  for (const Named& colour : c.syntax.absent) {
    numbers.push_back({c.program.name, std::string(colour.text), "absent"});
  }
  const auto add_registers = [&](const std::vector<Binding>& bindings, char letter,
                                 const RegisterNumbers& registers) {
    for (std::uint32_t k = 0; k < bindings.size(); ++k) {
      const std::optional<std::uint32_t> number = registers.of(k);
      if (number) add(bindings[k], fmt::format("{}{}", letter, *number));
    }
  };
  add_registers(c.syntax.registers, 'r', c.registers);
  add_registers(c.syntax.descriptor_registers, 'd', c.descriptor_registers);
  for (const HeaderPlan& plan : c.headers.all()) {
    if (plan.id && plan.id->is_constant()) {
      constexpr std::string_view kTexts[] = {"", "local task", "task on colour", "task of entry",
                                             "teardown task of colour"};
      numbers.push_back({c.program.name, std::string(plan.syntax->name.text),
                         fmt::format("{} {}", kTexts[static_cast<int>(plan.syntax->kind)],
                                     plan.id->nodes[0].constant.integer)});
    }
  }
  for (std::size_t k = 0; k < c.syntax.microthreads.size(); ++k) {
    add(c.syntax.microthreads[k], fmt::format("microthread {}", c.microthreads.numbers()[k]));
  }
  for (std::size_t k = 0; k < c.syntax.queues.size(); ++k) {
    add(c.syntax.queues[k], fmt::format("queue {}", c.queues.numbers()[k]));
  }
}

// Finds where labels lie, if an expression of the program may ask for that. Errors of the program
// are reported when it is written for good.
Labels::Places label_places(const Unit& unit, const ProgramSyntax& syntax, const Globals& globals,
                            const isa::Profile& profile, MarkTable marks) {
  if (!unit.takes_addresses) return {};
  Reporter unheard;
  ProgramContext context(unit, syntax, globals, profile, unheard);
  declare(context);
  Emitter(context, marks.names, marks.marks).emit_body();
  return context.labels.places();
}

}  // namespace

isa::Program build_program(const Unit& unit, const ProgramSyntax& syntax, const Globals& globals,
                           const isa::Profile& profile, MarkTable& marks,
                           std::vector<ChosenNumber>& numbers, std::vector<FabricInputs>& inputs,
                           Reporter& reporter) {
  ProgramContext context(unit, syntax, globals, profile, reporter);
  context.program.name = std::string(syntax.name.text);
  context.program.role = syntax.role;
  context.program.passive = !syntax.passive.empty();
  context.labels.remember(label_places(unit, syntax, globals, profile, marks));
  declare(context);
  Emitter emitter(context, marks.names, marks.marks);
  emitter.emit_body();
  if (context.labels.have_moved()) {
    reporter.report(Problem::AddressMoves, syntax.name.where, syntax.name.text);
  }
  add_numbers(context, numbers);
  inputs.insert(inputs.end(), emitter.fabric_inputs().begin(), emitter.fabric_inputs().end());
  const std::uint64_t bytes = context.data.end() + context.program.code_bytes();
  if (bytes > profile.memory_bytes) {
    report_overflow(context, bytes);
  } else {
    check_tables(context);
  }
  return std::move(context.program);
}

}  // namespace wse::assembler
