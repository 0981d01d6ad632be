// A FIFO with an error keeps its number, so that those after it keep theirs.
#include "asm/program/fifo_declarer.h"

#include <algorithm>

namespace wse::assembler {
namespace {

// 0 unless they are constant and lie one after the other.
std::int64_t constant_elements(const OperandPlan& operand) {
  if (!operand.descriptor || operand.descriptor->kind != isa::DescriptorKind::Memory) return 0;
  const DescriptorPlan& plan = *operand.descriptor;
  const bool dense =
      plan.stride == 1 && plan.inner.empty() && plan.address.is_constant() && plan.run_time.empty();
  return dense && plan.element ? plan.constant_length().value_or(0) : 0;
}

}  // namespace

void FifoDeclarer::declare(const FifoSyntax& syntax) {
  const auto number = static_cast<std::uint32_t>(c_.program.fifos.size());
  if (!c_.define(syntax.name, NameKind::Fifo, number)) return;
  isa::Fifo fifo{.name = std::string(syntax.name.text)};
  const bool good = storage(syntax.storage, fifo) &&
                    task(syntax.on_leaving_full, fifo.on_leaving_full) &&
                    task(syntax.on_leaving_empty, fifo.on_leaving_empty);
  if (!good) c_.broken_names.insert(syntax.name.text);
  c_.program.fifos.push_back(std::move(fifo));
}

bool FifoDeclarer::storage(ExprId id, isa::Fifo& fifo) {
  const std::optional<OperandPlan> operand = operands_.read(id);
  if (!operand) return false;
  const std::int64_t count = constant_elements(*operand);
  const isa::Symbol* array = count > 0 ? array_at(*operand) : nullptr;
  if (array == nullptr) {
    c_.reporter.report(Problem::FifoStorage, operand->where);
    return false;
  }
  const auto address = operand->descriptor->address.nodes[0].constant.integer;
  fifo.symbol = static_cast<std::uint32_t>(array - c_.program.symbols.data());
  fifo.first =
      static_cast<std::uint32_t>((address - array->address) / isa::info(array->type).bytes);
  fifo.count = static_cast<std::uint32_t>(count);
  return shares_nothing(fifo, operand->where);
}

// A part of an array of several dimensions has no other name than its subscripts.
const isa::Symbol* FifoDeclarer::array_at(const OperandPlan& operand) const {
  const std::int64_t address = operand.descriptor->address.nodes[0].constant.integer;
  const auto found = std::ranges::find_if(c_.program.symbols, [&](const isa::Symbol& symbol) {
    return address >= symbol.address &&
           address < symbol.address + static_cast<std::int64_t>(symbol.bytes());
  });
  if (found == c_.program.symbols.end() || !found->is_array) return nullptr;
  if (found->type != operand.descriptor->element) return nullptr;
  const bool whole = operand.descriptor->constant_length() == found->count;
  return whole || found->dimensions() == 1 ? &*found : nullptr;
}

bool FifoDeclarer::shares_nothing(const isa::Fifo& fifo, const isa::SourceRange& where) {
  for (const isa::Fifo& other : c_.program.fifos) {
    const bool apart = other.symbol != fifo.symbol || other.first + other.count <= fifo.first ||
                       fifo.first + fifo.count <= other.first;
    if (apart) continue;
    c_.reporter.report(Problem::FifoShared, where, fifo.name, other.name);
    return false;
  }
  return true;
}

bool FifoDeclarer::task(ExprId id, std::optional<std::uint32_t>& number) {
  if (id == kNoExpr) return true;
  const std::optional<OperandPlan> operand = operands_.read_task(id);
  if (!operand) return false;
  if (operand->kind != OperandKind::Value || !operand->formula.is_constant()) {
    c_.reporter.report(Problem::Expected, operand->where, "a local task", describe(operand->kind));
    return false;
  }
  if (!operands_.check_task(*operand, id, true)) return false;
  number = static_cast<std::uint32_t>(operand->formula.nodes[0].constant.integer);
  return true;
}

}  // namespace wse::assembler
