// Each instruction belongs to the loop around it that begins last.
#include "asm/code/loop_costs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "isa/machine/timing.h"
#include "isa/support/mutant.h"

namespace wse::assembler {
namespace {

// Cycles of a turn that a conflict must cost to be told.
constexpr std::uint64_t kWorthMoving = 16;
// One or two loads in a loop are what most loops have; from here on naming them is worth a line.
constexpr std::size_t kWorthNaming = 3;
// Descriptor registers that the literal operands of one instruction need.
constexpr std::size_t kOperands = 3;
constexpr std::size_t kMostSaid = 8;       // of a kind, of a program
constexpr std::uint32_t kPlacesTried = 4;  // banks in which an array could begin
constexpr std::size_t kNone = ~std::size_t{0};

// The byte address of the first element, if it is known.
std::optional<std::int64_t> first_address(const DescriptorPlan& plan, std::uint32_t element_bytes) {
  if (!isa::is_memory(plan.kind) || !plan.address.is_constant() || plan.saves) return std::nullopt;
  const std::int64_t address = plan.address.nodes[0].constant.integer;
  if (!plan.start) return address;
  if (!plan.start->is_constant()) return std::nullopt;
  return address + plan.start->nodes[0].constant.integer * plan.stride * element_bytes;
}

// The array that holds the byte. Symbols are in the order of their addresses, views after them.
std::optional<std::uint32_t> symbol_at(const isa::Program& program, std::int64_t address) {
  const auto views = std::ranges::find(program.symbols, true, &isa::Symbol::is_view);
  const auto behind = std::upper_bound(
      program.symbols.begin(), views, address,
      [](std::int64_t place, const isa::Symbol& symbol) { return place < symbol.address; });
  if (behind == program.symbols.begin()) return std::nullopt;
  const auto found = behind - 1;
  if (address >= found->address + static_cast<std::int64_t>(found->bytes())) return std::nullopt;
  return static_cast<std::uint32_t>(found - program.symbols.begin());
}

std::uint32_t bank_of(const isa::Profile& profile, std::int64_t address) {
  return static_cast<std::uint32_t>(address / isa::kBankBytes) % profile.banks;
}

// Its elements are without gaps: others issue more slowly.
std::optional<std::uint64_t> issues_of(const VectorWork& work, const isa::Profile& profile) {
  if (!work.elements) return std::nullopt;
  const isa::VectorTiming timing = isa::vector_timing(profile, *work.row);
  const std::uint32_t rate = work.on_fabric ? timing.fabric_rate : timing.memory_rate;
  return (static_cast<std::uint64_t>(*work.elements) + rate - 1) / rate;
}

}  // namespace

void LoopCosts::add(const VectorWork& work, const ProgramContext& context) {
  Instruction made{.pc = work.pc,
                   .where = work.where,
                   .first_load = loads_.size(),
                   .asynchronous = work.asynchronous};
  made.issues = issues_of(work, context.profile);
  if (work.first != nullptr && work.second != nullptr) find_conflict(work, context, made);
  instructions_.push_back(made);
}

void LoopCosts::find_conflict(const VectorWork& work, const ProgramContext& context,
                              Instruction& made) const {
  const isa::Profile& profile = context.profile;
  const std::optional<std::int64_t> a = first_address(*work.first, work.row->source_bytes(0));
  const std::optional<std::int64_t> b = first_address(*work.second, work.row->source_bytes(1));
  if (!a || !b || *a < 0 || *b < 0) return;
  const std::uint32_t simd = isa::cost_of(profile, work.row->cost).simd;
  const auto words = [&](std::int64_t address, std::size_t source) {
    return isa::SourceWords{static_cast<std::uint64_t>(address),
                            isa::compared_words(profile, simd, work.row->source_bytes(source))};
  };
  made.first_words = words(*a, 0);
  made.second_words = words(*b, 1);
  if (isa::banks_always_conflict(profile, made.first_words.words, made.second_words.words)) return;
  if (!isa::banks_conflict(profile, made.first_words, made.second_words)) return;
  const std::optional<std::uint32_t> first = symbol_at(context.program, *a);
  const std::optional<std::uint32_t> second = symbol_at(context.program, *b);
  // Within one array no place of it helps.
  if (!first || !second) return;
  made.first_symbol = *first;
  made.second_symbol = *second;
}

void LoopCosts::report(const ProgramContext& context) {
  if (loops_.empty() || context.reporter.has_errors()) return;
  std::ranges::sort(loops_, {}, &Loop::first);
  const std::vector<std::size_t> around = loops_around();
  std::map<std::size_t, std::vector<std::size_t>> by_loop;  // instructions
  std::size_t conflicts = 0;
  for (std::size_t k = 0; k < instructions_.size(); ++k) {
    if (around[k] == kNone) continue;
    by_loop[around[k]].push_back(k);
    const bool worth = instructions_[k].first_symbol != instructions_[k].second_symbol &&
                       instructions_[k].issues >= kWorthMoving;
    if (worth && conflicts++ < kMostSaid) report_conflict(instructions_[k], context);
  }
  std::size_t loops = 0;
  for (const auto& [loop, instructions] : by_loop) {
    loops += report_loads(instructions, context) ? 1 : 0;
    if (loops == kMostSaid) return;
  }
}

// For each instruction the index of its loop, or kNone.
std::vector<std::size_t> LoopCosts::loops_around() const {
  std::vector<std::size_t> around;
  std::vector<std::size_t> open;
  std::size_t next = 0;
  for (const Instruction& instruction : instructions_) {
    const std::uint32_t least = isa::mutant(isa::Mutant::LoopBegins) ? 1 : 0;
    for (; next < loops_.size() && loops_[next].first + least <= instruction.pc; ++next) {
      open.push_back(next);
    }
    while (!open.empty() && loops_[open.back()].last < instruction.pc) open.pop_back();
    around.push_back(open.empty() ? kNone : open.back());
  }
  return around;
}

// The one that is declared later comes first among the remedies: it takes only those behind it
// along.
void LoopCosts::report_conflict(const Instruction& instruction,
                                const ProgramContext& context) const {
  const isa::Profile& profile = context.profile;
  if (profile.bank_conflict_cycles < 2) return;
  const isa::Symbol& first = context.program.symbols[instruction.first_symbol];
  const isa::Symbol& second = context.program.symbols[instruction.second_symbol];
  context.reporter.report(Problem::BankConflict, instruction.where, first.name, second.name,
                          profile.bank_conflict_cycles);
  const bool in_order = instruction.first_symbol < instruction.second_symbol;
  const auto offer_first = [&] {
    offer_banks(first, instruction.first_words, instruction.second_words, context);
  };
  if (!in_order) offer_first();
  offer_banks(second, instruction.second_words, instruction.first_words, context);
  if (in_order) offer_first();
}

// Offers other banks in which the array could begin, as edits of its declaration, and in which its
// words, `moved`, do not conflict with the other array's.
void LoopCosts::offer_banks(const isa::Symbol& symbol, isa::SourceWords moved,
                            const isa::SourceWords& other, const ProgramContext& context) {
  const auto data = std::ranges::find_if(context.syntax.data, [&symbol](const DataSyntax& each) {
    return each.data.name.text == symbol.name;
  });
  const bool can_move = data != context.syntax.data.end() && data->address == kNoExpr;
  if (!can_move) return;
  Edit edit{.where = data->behind, .text = ""};
  if (data->bank != kNoExpr) {
    const Expr& bank = context.unit[data->bank];
    if (bank.kind != ExprKind::Number) return;
    edit.where = bank.where;
  }
  const isa::Profile& profile = context.profile;
  const std::uint32_t begins = bank_of(profile, symbol.address);
  const std::uint32_t step = std::max(1u, profile.banks / kPlacesTried);
  for (std::uint32_t further = step; further < profile.banks; further += step) {
    moved.address += step * isa::kBankBytes;
    if (isa::banks_conflict(profile, moved, other)) continue;
    const std::uint32_t bank = (begins + further) % profile.banks;
    edit.text = fmt::format("{}{}", data->bank == kNoExpr ? " bank=" : "", bank);
    context.reporter.offer(edit, "", "", "", bank, symbol.name);
  }
}

// Reports the loads of a loop if they take longer than its elements, and all of them could stay in
// registers of their own.
bool LoopCosts::report_loads(const std::vector<std::size_t>& instructions,
                             const ProgramContext& context) const {
  const isa::Profile& profile = context.profile;
  const std::uint64_t settling = isa::cost_of(profile, isa::CostClass::Settling).cycles;
  const std::size_t free = context.descriptor_registers.free().count();
  std::set<std::uint32_t> literals;
  std::size_t loads = 0;
  std::uint64_t cycles = 0;
  std::uint64_t issues = 0;
  const Instruction* first = nullptr;
  for (const std::size_t k : instructions) {
    const Instruction& instruction = instructions_[k];
    const std::size_t end =
        k + 1 < instructions_.size() ? instructions_[k + 1].first_load : loads_.size();
    if (!instruction.issues) return false;
    issues += *instruction.issues;
    loads += end - instruction.first_load;
    if (first == nullptr && end > instruction.first_load) first = &instruction;
    for (std::size_t k_load = instruction.first_load; k_load < end; ++k_load) {
      const auto& [literal, further] = loads_[k_load];
      literals.insert(literal);
      cycles += isa::descriptor_cost(profile, isa::CostClass::DescriptorLoad, further).cycles;
    }
    // An instruction behind a load waits for it to settle; the thread does not wait for a
    // microthread.
    if (end > instruction.first_load && !instruction.asynchronous) cycles += settling;
  }
  const bool worth = literals.size() >= kWorthNaming && cycles > issues;
  if (!worth || literals.size() + kOperands > free) return false;
  context.reporter.report(Problem::LoopDescriptors, first->where, loads, cycles);
  return true;
}

}  // namespace wse::assembler
