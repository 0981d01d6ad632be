// Fields and checks of vector instructions.
#include "asm/code/vector_emitter.h"

#include <algorithm>

#include "asm/syntax/rewrites.h"

namespace wse::assembler {

using isa::DescriptorKind;
using isa::SourceKind;

namespace {

bool is_fabric(const OperandPlan& operand) {
  return operand.descriptor && isa::has_colour(operand.descriptor->kind);
}

// It may have to wait for others.
bool may_wait(const OperandPlan& operand) {
  return operand.kind == OperandKind::DescriptorRegister ||  // it may hold such a one
         (operand.descriptor && !isa::is_memory(operand.descriptor->kind));
}

bool same_place(const OperandPlan& a, const OperandPlan& b) {
  return a.kind == OperandKind::Memory && b.kind == OperandKind::Memory && a.index == b.index &&
         a.base == b.base && a.terms == b.terms && a.formula == b.formula;
}

}  // namespace

bool VectorEmitter::fill_row(Line& line, Work& work) {
  if (!check(line)) return false;
  check_control(line);
  count_inputs(line);
  note_work(line);
  const std::string_view letters = isa::info(line.row->format).operands;
  for (std::size_t k = 0; k < letters.size(); ++k) {
    bool good = true;
    if (letters[k] == 'D') good = fill_destination(line, work);
    if (letters[k] == 'A' || letters[k] == 'B') {
      good = fill_source(line, letters[k], k, work);
    }
    if (letters[k] == 'S') good = scalars_.fill_scalar(line, k, work);
    if (!good) return false;
  }
  if (line.syntax->microthread == kNoExpr) return true;
  const std::optional<std::uint32_t> number = names_.microthread(line.syntax->microthread);
  work.instruction.asynchronous = 1;
  work.instruction.microthread = number.value_or(0);
  return number.has_value() && fill_completion(line, work);
}

bool VectorEmitter::fill_destination(const Line& line, Work& work) {
  const OperandPlan& operand = line.operands[0];
  isa::Instruction& instruction = work.instruction;
  if (operand.kind == OperandKind::Register) {
    instruction.destination = operand.number;
    return true;
  }
  if (operand.kind == OperandKind::Memory) {
    const std::optional<std::uint32_t> taken = code_.scratch();
    instruction.destination = taken.value_or(0);
    work.store = &operand;
    return taken.has_value();
  }
  instruction.destination_kind = 1;
  const std::optional<std::uint32_t> number = operand.kind == OperandKind::Descriptor
                                                  ? code_.in_descriptor(*operand.descriptor)
                                                  : std::optional(operand.number);
  instruction.destination = number.value_or(0);
  return number.has_value();
}

bool VectorEmitter::fill_source(const Line& line, char letter, std::size_t k, Work& work) {
  const OperandPlan& operand = line.operands[k];
  isa::Instruction& i = work.instruction;
  std::uint32_t& kind = letter == 'A' ? i.source_a_kind : i.source_b_kind;
  std::uint32_t& number = letter == 'A' ? i.source_a : i.source_b;
  const bool has_scalar = isa::info(line.row->format).operands.find('S') != std::string_view::npos;
  std::optional<std::uint32_t> taken;
  if (operand.is_vector()) {
    kind = static_cast<std::uint32_t>(SourceKind::Descriptor);
    taken = operand.kind == OperandKind::Descriptor ? code_.in_descriptor(*operand.descriptor)
                                                    : std::optional(operand.number);
  } else if (operand.kind == OperandKind::Value && !has_scalar && work.scalar == nullptr) {
    kind = static_cast<std::uint32_t>(SourceKind::Scalar);
    work.scalar = &operand;
    work.scalar_type = line.row->type_of(k);
    return true;
  } else if (work.store != nullptr && same_place(operand, *work.store)) {
    // An accumulator in memory: the source must be the register of the destination.
    kind = static_cast<std::uint32_t>(SourceKind::Register);
    number = i.destination;
    return code_.load(number, operand, line.row->type_of(k));
  } else {
    kind = static_cast<std::uint32_t>(SourceKind::Register);
    taken = code_.in_register(operand, line.row->type_of(k));
  }
  number = taken.value_or(0);
  return taken.has_value();
}

bool VectorEmitter::fill_completion(const Line& line, Work& work) {
  const BodySyntax& syntax = *line.syntax;
  if (syntax.completion == isa::Completion::None) return true;
  const std::optional<OperandPlan> operand = operands_.read_task(syntax.completes);
  if (!operand) return false;
  if (operand->kind != OperandKind::Value) {
    return e_.refuse_name(syntax.completes, "a task or colour, known before the run");
  }
  const bool activates = syntax.completion == isa::Completion::Activate;
  if (!operands_.check_task(*operand, syntax.completes, activates)) return false;
  const isa::SlotValue id = c_.pools.value(operand->formula, isa::Type::I32);
  work.instruction.completion = static_cast<std::uint32_t>(syntax.completion);
  work.instruction.completes_slot = id.is_slot ? 1 : 0;
  work.instruction.completes = id.value;
  return true;
}

// The length that is known is good enough for what is only advice.
void VectorEmitter::note_work(const Line& line) {
  VectorWork work{.pc = code_.position(),
                  .where = line.syntax->name.where,
                  .row = line.row,
                  .asynchronous = line.syntax->microthread != kNoExpr};
  for (std::size_t k = 1; k <= line.operands.size(); ++k) {
    const OperandPlan& operand = line.operands[k % line.operands.size()];  // the destination last
    if (!operand.descriptor) continue;
    work.on_fabric |= may_wait(operand);
    if (!work.elements) work.elements = operand.descriptor->constant_length();
  }
  const auto is_known = [&line](std::size_t k) {
    return line.operands[k].descriptor && line.operands[k].descriptor->run_time.empty();
  };
  if (line.operands.size() > 2 && is_known(1) && is_known(2)) {
    work.first = &*line.operands[1].descriptor;
    work.second = &*line.operands[2].descriptor;
  }
  code_.loop_costs().add(work, c_);
}

// Counts inputs that the text shows: only a run knows what registers hold.
void VectorEmitter::count_inputs(const Line& line) {
  FabricInputs found;
  for (const OperandPlan& operand : line.operands) {
    if (!operand.descriptor || !isa::receives(operand.descriptor->kind)) continue;
    if (++found.count == c_.profile.fabric_inputs + 1) found.where = operand.where;
  }
  if (found.count > c_.profile.fabric_inputs) e_.fabric_inputs.push_back(found);
}

bool VectorEmitter::check(Line& line) {
  const std::string_view letters = isa::info(line.row->format).operands;
  bool waits = false;
  for (std::size_t k = 0; k < letters.size(); ++k) {
    const OperandPlan& operand = line.operands[k];
    if (letters[k] == 'D' && operand.kind == OperandKind::Value) {
      return e_.refuse_operand(line, k, "a destination: a vector operand, a register or memory");
    }
    if (letters[k] == 'S' && operand.is_vector()) {
      return e_.refuse_operand(line, k, "one value: a register, memory or a value");
    }
    if (!e_.check_element(line, k) || !check_wavelet(line, k)) return false;
    waits |= may_wait(operand);
    if (operand.kind != OperandKind::Descriptor) continue;
    if (operand.descriptor->saves) {
      c_.reporter.report(Problem::SaveHere, operand.where);
      return false;
    }
    const DescriptorKind kind = operand.descriptor->kind;
    if (letters[k] == 'D' && kind == DescriptorKind::FabricIn) {
      c_.reporter.report(Problem::ReceiveInto, operand.where);
      c_.reporter.spells(with_function(c_.unit[line.exprs[k]], "fabout"));
      return false;
    }
    if (letters[k] != 'D' && kind == DescriptorKind::FabricOut) {
      c_.reporter.report(Problem::SendFrom, operand.where);
      c_.reporter.spells(with_function(c_.unit[line.exprs[k]], "fabin"));
      return false;
    }
  }
  if (line.syntax->microthread != kNoExpr) {
    const OperandPlan& to = line.operands[0];
    if (to.kind == OperandKind::Memory) {
      c_.reporter.report(Problem::AsyncStore, to.where, c_.unit[line.exprs[0]].text);
      return false;
    }
    if (!waits) {
      const ExprId completes = line.syntax->completes;
      const Expr& last = c_.unit[completes != kNoExpr ? completes : line.syntax->microthread];
      const Expr& operand = c_.unit[line.exprs.back()];
      c_.reporter.report(Problem::AsyncMemory, c_.unit[line.syntax->microthread].where);
      if (operand.whole) c_.reporter.spells(removed_behind(operand.where, last));
      return false;
    }
  }
  return check_lengths(line);
}

// A control word that no router would see as one.
void VectorEmitter::check_control(const Line& line) {
  const OperandPlan& destination = line.operands[0];
  if (!is_fabric(destination) || destination.descriptor->options.control) return;
  for (const ExprId id : line.exprs.subspan(1)) {
    const Expr& expr = c_.unit[id];
    if (expr.kind != ExprKind::Call || expr.text != kControlFunction) continue;
    c_.reporter.report(Problem::ControlAsData, line.operands[0].where);
    c_.reporter.spells(with_argument(c_.unit[line.exprs[0]], "control"));
  }
}

// Options that give a wavelet other data than one word want elements of 16 bits.
bool VectorEmitter::check_wavelet(const Line& line, std::size_t k) {
  if (!line.operands[k].descriptor) return true;
  const isa::FabricOptions& options = line.operands[k].descriptor->options;
  const isa::OperandTypeInfo& type = isa::info(line.row->type_of(k));
  if (type.bytes == 2 || (!options.packed && !options.indexed)) return true;
  const std::string_view option = options.packed ? "packed" : "index";
  c_.reporter.report(Problem::WideElement, line.operands[k].where, option, line.syntax->name.text,
                     type.text);
  c_.reporter.spells(without_argument(c_.unit, c_.unit[line.exprs[k]], option));
  return false;
}

// The first source with a length decides, else the destination; a lone fabric operand beside
// scalars moves one word. The contents of a descriptor register are unknown here.
bool VectorEmitter::check_lengths(Line& line) {
  const OperandPlan* decides = nullptr;
  std::vector<OperandPlan*> open;  // fabric operands without a length
  for (std::size_t k = 1; k <= line.operands.size(); ++k) {
    OperandPlan& operand = line.operands[k % line.operands.size()];  // the destination last
    if (operand.kind == OperandKind::DescriptorRegister) return true;
    if (operand.kind != OperandKind::Descriptor) continue;
    const bool bounds = operand.descriptor->bounds_instruction();
    if (bounds && decides == nullptr) decides = &operand;
    if (!bounds) open.push_back(&operand);
  }
  if (decides == nullptr && open.size() == 1) {
    const bool is_fifo = open[0]->descriptor->kind == DescriptorKind::Fifo;
    if (!is_fifo) open[0]->descriptor->length = isa::Formula::of(isa::Number::of(std::int64_t{1}));
    return true;
  }
  if (decides == nullptr) {
    const auto first =
        std::ranges::find_if(open, [](const OperandPlan* operand) { return is_fabric(*operand); });
    const OperandPlan& named = first == open.end() ? *open[0] : **first;
    const bool out = named.descriptor->kind == DescriptorKind::FabricOut;
    c_.reporter.report(Problem::NoLength, named.where, line.syntax->name.text,
                       out ? "fabout(..., length=8)" : "fabin(..., length=8)");
    return false;
  }
  if (!check_end_is_known(line, *decides)) return false;
  if (decides->descriptor->is_unbounded()) return check_unbounded(line);
  const std::optional<std::int64_t> length = decides->descriptor->constant_length();
  for (const OperandPlan& operand : line.operands) {
    if (operand.kind != OperandKind::Descriptor || !length) continue;
    const std::optional<std::int64_t> own = operand.descriptor->constant_length();
    if (!own || *own >= *length) continue;
    c_.reporter.report(Problem::ShortOperand, operand.where, counted(*own, "element"), *length,
                       *own);
    return false;
  }
  return true;
}

// An option that belongs to the last element of an instruction needs to know which one that is.
bool VectorEmitter::check_end_is_known(const Line& line, const OperandPlan& decides) {
  const OperandPlan& to = line.operands[0];
  if (to.kind != OperandKind::Descriptor) return true;
  const isa::FabricOptions& options = to.descriptor->options;
  if (!options.advance && !options.packed) return true;
  const bool terminates = std::ranges::any_of(line.operands, [](const OperandPlan& operand) {
    return operand.descriptor &&
           operand.descriptor->options.on_control == isa::OnControl::Terminate;
  });
  const bool unbounded = decides.descriptor->is_unbounded();
  if (!terminates && !unbounded) return true;
  const std::string_view option = options.advance ? "advance" : "packed";
  c_.reporter.report(Problem::UnknownEnd, to.where,
                     unbounded ? "has no bound" : "a control wavelet may end", option);
  c_.reporter.spells(without_argument(c_.unit, c_.unit[line.exprs[0]], option));
  return false;
}

bool VectorEmitter::check_unbounded(const Line& line) {
  for (const OperandPlan& operand : line.operands) {
    if (operand.kind != OperandKind::Descriptor) continue;
    if (operand.descriptor->kind != DescriptorKind::Memory) continue;
    const std::optional<std::int64_t> own = operand.descriptor->constant_length();
    c_.reporter.report(Problem::UnboundedMemory, operand.where,
                       own ? counted(*own, "element") : "some elements");
    return false;
  }
  return true;
}

}  // namespace wse::assembler
