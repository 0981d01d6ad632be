// A function or an instruction, and the operands of the loop over a function.
#include "asm/code/map_emitter.h"

#include "asm/code/map_loop.h"

namespace wse::assembler {

void MapEmitter::emit(const Line& line) {
  const Named& name = line.syntax->name;
  e_.ends = false;
  if (line.exprs.size() < 3) {
    c_.reporter.report(Problem::OperandCount, name.where, name.text, "3 operands or more",
                       line.exprs.size(), "map destination, function or instruction, source");
    return;
  }
  if (!e_.check_plain(*line.syntax)) return;
  if (const isa::InstructionInfo* row = mapped_.row_of(line.exprs[1]))
    return mapped_.emit(line, *row);
  const HeaderPlan* plan = names_.function(line.exprs[1], true);
  if (plan == nullptr) return;
  const std::size_t sources = line.exprs.size() - 2;
  const bool fits = plan->arguments.size() == sources;
  if (!fits || plan->result == kNoRegister) {
    c_.reporter.report(
        Problem::MapFunction, c_.unit[line.exprs[1]].where, plan->syntax->name.text,
        counted(static_cast<std::int64_t>(sources), "source"),
        fits ? "it has no result"
             : fmt::format("it takes {}",
                           counted(static_cast<std::int64_t>(plan->arguments.size()), "register")));
    return;
  }
  MapLoop map(c_, code_, *plan);
  for (std::size_t k = 0; k < line.exprs.size(); ++k) {
    if (k != 1 && !read_for_map(line, *plan, k, map)) return;
  }
  if (line.syntax->index != kNoExpr) {
    std::optional<OperandPlan> index = operands_.read(line.syntax->index);
    if (!index) return;
    if (index->kind != OperandKind::Register) {
      c_.reporter.report(Problem::OptionValue, index->where, kIndexWord, "a register",
                         "map destination, function, source, index=r1");
      return;
    }
    map.count_in(std::move(*index));
  }
  map.emit(name);
}

// Operand k of the line: elements, or the same value for all of them.
bool MapEmitter::read_for_map(const Line& line, const HeaderPlan& function, std::size_t k,
                              MapLoop& map) {
  std::optional<OperandPlan> operand = operands_.read(line.exprs[k]);
  if (!operand) return false;
  const HeaderSyntax& header = *function.syntax;
  const std::optional<isa::Type> type = k == 0 ? header.result_type : header.argument_types[k - 2];
  if (operand->is_vector()) return map.add_vector(std::move(*operand), type);
  CallEmitter::Passed passed;
  if (!calls_.read_passed(line, k, type, std::move(operand), passed)) return false;
  map.add_scalar(std::move(passed.operand), passed.type);
  return true;
}

}  // namespace wse::assembler
