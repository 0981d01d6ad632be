// `map D, f, A [, B]`: a loop of the main thread that calls f for every element.
//
//     mov32 k, first          k: a register for every way in which operands are walked
//   loop:
//     ld32  argument, A[k]    or one word from the fabric: a vector move
//     call  link, f
//     st32  result, D[k]      or one word to the fabric
//     add32 k, k, stride
//     bne   k, end, loop
#include <algorithm>

#include "asm/code/emitter.h"

namespace wse::assembler {
namespace {

using isa::DescriptorKind;
using isa::Formula;
using isa::Op;
using isa::OperandType;

Formula number(std::int64_t value) { return Formula::of(isa::Number::of(value)); }

// How the elements of an operand follow each other; equal ways share a register.
struct ElementWay {
  std::int64_t first = 0;
  std::int64_t stride = 1;
  std::uint32_t index = 0;  // the register

  bool same_way(const ElementWay& other) const {
    return first == other.first && stride == other.stride;
  }
};

bool moves(const ElementWay& walk) { return walk.stride != 0; }

// The array with an element at that address, which the loop indexes.
const isa::Symbol* array_at(const isa::Program& program, std::int64_t address) {
  for (const isa::Symbol& symbol : program.symbols) {
    const std::int64_t offset = address - symbol.address;
    const bool inside = offset >= 0 && offset < static_cast<std::int64_t>(symbol.bytes());
    if (inside && offset % isa::info(symbol.type).bytes == 0) return &symbol;
  }
  return nullptr;
}

OperandType type_of(const isa::Symbol& symbol) {
  return isa::info(symbol.type).bytes == 2 ? OperandType::Any16 : OperandType::Any32;
}

// One operand of the loop.
struct Mapped {
  Operand operand;                     // a descriptor
  const isa::Symbol* array = nullptr;  // of memory
  std::size_t walk = 0;                // its way, of memory

  bool is_memory() const { return operand.descriptor->kind == DescriptorKind::Memory; }
};

class MapEmitter {
 public:
  MapEmitter(ProgramContext& context, CodeWriter& code, const HeaderPlan& function)
      : c_(context), code_(code), function_(function) {}

  // The destination first. False after an error.
  bool add(Operand operand, bool destination) {
    if (!operand.descriptor) return refuse(operand);
    const DescriptorPlan& plan = *operand.descriptor;
    const DescriptorKind wrong = destination ? DescriptorKind::FabricIn : DescriptorKind::FabricOut;
    if (plan.kind == wrong) {
      c_.reporter.report(destination ? Problem::ReceiveInto : Problem::SendFrom, operand.where);
      return false;
    }
    if (plan.kind == DescriptorKind::Fifo || plan.kind == DescriptorKind::Indexed) {
      return refuse(operand);
    }
    Mapped made{.operand = std::move(operand)};
    if (made.is_memory() && !add_walk(made)) return false;
    operands_.push_back(std::move(made));
    return true;
  }

  void emit(const Named& name) {
    const std::optional<std::int64_t> length = length_of(name);
    if (!length || *length == 0) return;
    if (std::ranges::none_of(walks_, moves)) walks_.push_back({});
    for (ElementWay& walk : walks_) {
      const std::optional<std::uint32_t> kept = code_.keep();
      if (!kept) return;
      walk.index = *kept;
      set_index(walk);
    }
    const auto loop = static_cast<std::uint32_t>(c_.label_targets.size());
    c_.label_targets.emplace_back(code_.position());
    code_.forget_descriptors();
    for (std::size_t k = 1; k < operands_.size(); ++k) {
      take(operands_[k], function_.arguments[k - 1]);
    }
    code_.append_jump({.op = Op::Call, .destination = function_.link}, function_.label);
    code_.forget_descriptors();
    give(operands_[0]);
    for (const ElementWay& walk : walks_) advance(walk);
    go_round(*length, loop);
  }

 private:
  bool refuse(const Operand& operand) {
    c_.reporter.report(Problem::MapOperand, operand.where);
    return false;
  }

  bool add_walk(Mapped& made) {
    const DescriptorPlan& plan = *made.operand.descriptor;
    const bool is_known = plan.address.is_constant() && plan.run_time.empty();
    if (!is_known || !plan.constant_length()) return refuse(made.operand);
    const std::int64_t address = plan.address.nodes[0].constant.integer;
    made.array = array_at(c_.program, address);
    if (made.array == nullptr) return refuse(made.operand);
    const ElementWay walk{(address - made.array->address) / isa::info(made.array->type).bytes,
                          plan.stride};
    const auto same = std::ranges::find_if(
        walks_, [&walk](const ElementWay& other) { return other.same_way(walk); });
    made.walk = static_cast<std::size_t>(same - walks_.begin());
    if (same == walks_.end()) walks_.push_back(walk);
    return true;
  }

  // The first source with a length decides, else the destination; no operand may be shorter.
  std::optional<std::int64_t> length_of(const Named& name) {
    const Mapped* decides = nullptr;
    for (std::size_t k = 1; k <= operands_.size() && decides == nullptr; ++k) {
      const Mapped& mapped = operands_[k % operands_.size()];
      if (mapped.operand.descriptor->length) decides = &mapped;
    }
    if (decides == nullptr) {
      c_.reporter.report(Problem::NoLength, operands_[1].operand.where, name.text,
                         "fabin(..., length=8)");
      return std::nullopt;
    }
    const std::optional<std::int64_t> length = decides->operand.descriptor->constant_length();
    if (!length) c_.reporter.report(Problem::MapLength, decides->operand.where);
    for (const Mapped& mapped : operands_) {
      const std::optional<std::int64_t> own = mapped.operand.descriptor->constant_length();
      if (!length || !own || *own >= *length) continue;
      c_.reporter.report(Problem::ShortOperand, mapped.operand.where, counted(*own, "element"),
                         *length, *own);
      return std::nullopt;
    }
    return length;
  }

  void set_index(const ElementWay& walk) {
    isa::Instruction i{.op = Op::Mov32, .destination = walk.index};
    if (code_.set_scalar(i, number(walk.first), OperandType::I32, {})) code_.append(i);
  }

  void advance(const ElementWay& walk) {
    isa::Instruction i{.op = Op::Add32, .destination = walk.index, .source_a = walk.index};
    if (code_.set_scalar(i, number(walk.stride), OperandType::I32, {})) code_.append(i);
  }

  // Until the first index that moves has gone past the last element.
  void go_round(std::int64_t length, std::uint32_t loop) {
    const ElementWay& walk = *std::ranges::find_if(walks_, moves);
    isa::Instruction i{.op = Op::BranchNotEqual, .source_a = walk.index};
    const Formula end = number(walk.first + length * walk.stride);
    if (code_.set_scalar(i, end, OperandType::I32, {})) code_.append_jump(i, loop);
  }

  Operand element(const Mapped& mapped) const {
    return {.kind = OperandKind::Memory,
            .where = mapped.operand.where,
            .formula = number(mapped.array->address),
            .index = walks_[mapped.walk].index,
            .element = mapped.array->type};
  }

  // A descriptor register for one word of the fabric.
  std::uint32_t word(const Mapped& mapped) {
    DescriptorPlan plan = *mapped.operand.descriptor;
    plan.length = number(1);
    return code_.in_descriptor(plan).value_or(0);
  }

  void take(const Mapped& mapped, std::uint32_t argument) {
    if (mapped.is_memory()) {
      code_.load(argument, element(mapped), type_of(*mapped.array));
      return;
    }
    const std::uint32_t from = word(mapped);
    code_.append({.op = Op::VMov32, .destination = argument, .source_a = from, .source_a_kind = 1});
  }

  void give(const Mapped& mapped) {
    if (mapped.is_memory()) {
      code_.store(element(mapped), function_.result, type_of(*mapped.array));
      return;
    }
    const std::uint32_t to = word(mapped);
    code_.append(
        {.op = Op::VMov32, .destination = to, .destination_kind = 1, .source_a = function_.result});
  }

  ProgramContext& c_;
  CodeWriter& code_;
  const HeaderPlan& function_;
  std::vector<Mapped> operands_;
  std::vector<ElementWay> walks_;
};

}  // namespace

void Emitter::emit_map(const Line& line) {
  const Named& name = line.syntax->name;
  ends_ = false;
  if (line.exprs.size() < 3) {
    c_.reporter.report(Problem::OperandCount, name.where, name.text, "3 operands or more",
                       line.exprs.size(), "map destination, function or instruction, source");
    return;
  }
  if (!check_map(line)) return;
  if (const isa::InstructionInfo* row = mapped_row(line.exprs[1])) return emit_mapped(line, *row);
  const HeaderPlan* plan = function(line.exprs[1]);
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
  MapEmitter map(c_, code_, *plan);
  for (std::size_t k = 0; k < line.exprs.size(); ++k) {
    if (k == 1) continue;
    std::optional<Operand> operand = operands_.read(line.exprs[k]);
    if (!operand || !map.add(std::move(*operand), k == 0)) return;
  }
  map.emit(name);
}

// What may stand behind the operands of an instruction has no meaning here.
bool Emitter::check_map(const Line& line) {
  const BodySyntax& syntax = *line.syntax;
  if (syntax.microthread != kNoExpr) {
    c_.reporter.report(Problem::AsyncScalar, syntax.name.where, syntax.name.text);
  } else if (syntax.type != kNoType) {
    refuse_type(syntax);
  } else {
    return true;
  }
  return false;
}

}  // namespace wse::assembler
