// The loop of `map`: operands first, then its registers, its code last.
#include "asm/code/map_loop.h"

#include <algorithm>

namespace wse::assembler {
namespace {

using isa::Condition;
using isa::DescriptorKind;
using isa::Op;
using isa::OperandType;

constexpr auto kRegister = static_cast<std::uint32_t>(isa::ScalarKind::Register);

// The array with an element of that size at that address, which the loop indexes.
const isa::Symbol* array_at(const isa::Program& program, std::int64_t address,
                            const std::optional<isa::Type>& element) {
  for (const isa::Symbol& symbol : program.symbols) {
    const std::int64_t offset = address - symbol.address;
    const std::uint32_t bytes = isa::info(symbol.type).bytes;
    const bool inside = offset >= 0 && offset < static_cast<std::int64_t>(symbol.bytes());
    const bool same_size = !element || isa::info(*element).bytes == bytes;
    if (inside && same_size && offset % bytes == 0) return &symbol;
  }
  return nullptr;
}

OperandType type_of(const isa::Symbol& symbol) {
  return isa::info(symbol.type).bytes == 2 ? OperandType::Any16 : OperandType::Any32;
}

}  // namespace

bool MapLoop::refuse(const OperandPlan& operand) {
  c_.reporter.report(Problem::MapOperand, operand.where);
  return false;
}

bool MapLoop::add_vector(OperandPlan operand, std::optional<isa::Type> declared) {
  if (!operand.descriptor) return refuse(operand);
  const bool destination = operands_.empty();
  const DescriptorKind kind = operand.descriptor->kind;
  if (kind == (destination ? DescriptorKind::FabricIn : DescriptorKind::FabricOut)) {
    c_.reporter.report(destination ? Problem::ReceiveInto : Problem::SendFrom, operand.where);
    return false;
  }
  if (kind == DescriptorKind::Fifo || kind == DescriptorKind::Indexed) return refuse(operand);
  MapOperand made{.operand = std::move(operand)};
  if (made.is_memory() && (!check_type(made, declared) || !add_walk(made))) return false;
  operands_.push_back(std::move(made));
  return true;
}

void MapLoop::add_scalar(OperandPlan operand, OperandType type) {
  operands_.push_back({.operand = std::move(operand), .type = type});
}

bool MapLoop::check_type(const MapOperand& made, std::optional<isa::Type> declared) {
  const std::optional<isa::Type>& element = made.operand.descriptor->element;
  if (!declared || !element) return true;
  if (isa::operand_type_of(*declared) == isa::operand_type_of(*element)) return true;
  c_.reporter.report(Problem::ElementType, made.operand.where, function_.syntax->name.text,
                     isa::info(*declared).text, "this", isa::info(*element).text);
  return false;
}

bool MapLoop::add_walk(MapOperand& made) {
  const DescriptorPlan& plan = *made.operand.descriptor;
  const RunTimePart& part = plan.run_time;
  const bool has_length = plan.constant_length() || part.length_register;
  const bool is_known = plan.address.is_constant() && has_length && plan.inner.empty();
  if (!is_known || (!part.terms.empty() && !plan.element)) return refuse(made.operand);
  const std::int64_t address = plan.address.nodes[0].constant.integer;
  made.array = array_at(c_.program, address, plan.element);
  if (made.array == nullptr) return refuse(made.operand);
  made.type = type_of(*made.array);
  const std::int64_t bytes = isa::info(made.array->type).bytes;
  MapWalk walk{.first = (address - made.array->address) / bytes, .stride = plan.stride};
  for (const RegisterTerm& term : part.terms)
    walk.terms.push_back({term.number, term.times / bytes});
  walk.run_time_stride = part.stride;
  made.walk = walk_number(walk);
  return true;
}

std::size_t MapLoop::walk_number(const MapWalk& walk) {
  const auto same =
      std::ranges::find_if(walks_, [&walk](const MapWalk& other) { return other.same_way(walk); });
  const auto number = static_cast<std::size_t>(same - walks_.begin());
  if (same == walks_.end()) walks_.push_back(walk);
  return number;
}

// Checks that no value which is read in every turn lies where arguments are passed.
bool MapLoop::check_registers() {
  for (std::size_t k = 0; k < function_.arguments.size(); ++k) {
    const std::uint32_t taken = function_.arguments[k];
    const auto report = [&](const isa::SourceRange& where) {
      c_.reporter.report(Problem::MapRegister, where, taken, function_.syntax->name.text);
      return false;
    };
    for (std::size_t j = 1; j < operands_.size(); ++j) {
      const OperandPlan& operand = operands_[j].operand;
      const bool is_it = operand.kind == OperandKind::Register && operand.number == taken;
      const bool lies_by = operand.kind == OperandKind::Memory && operand.lies_by(taken);
      if (lies_by || (is_it && j != k + 1)) return report(operand.where);
    }
    const OperandPlan& passed = operands_[k + 1].operand;
    const bool keeps = passed.kind == OperandKind::Register && passed.number == taken;
    if (index_ && index_->number == taken && !keeps) return report(index_->where);
  }
  return true;
}

// The first source with a length decides, else the destination.
bool MapLoop::find_length(const Named& name) {
  const MapOperand* decides = nullptr;
  const MapOperand* any = nullptr;
  for (std::size_t k = 1; k <= operands_.size() && decides == nullptr; ++k) {
    const MapOperand& operand = operands_[k % operands_.size()];
    if (!operand.operand.descriptor) continue;
    if (any == nullptr) any = &operand;
    if (operand.operand.descriptor->is_unbounded()) {
      c_.reporter.report(Problem::EndlessMap, operand.operand.where);
      return false;
    }
    if (operand.operand.descriptor->length) decides = &operand;
  }
  if (any == nullptr) return refuse(operands_[1].operand);
  if (decides == nullptr) {
    c_.reporter.report(Problem::NoLength, any->operand.where, name.text, "fabin(..., length=8)");
    return false;
  }
  const DescriptorPlan& plan = *decides->operand.descriptor;
  run_time_length_ = plan.run_time.length_register;
  const std::optional<std::int64_t> length = plan.constant_length();
  if (!length && !run_time_length_) {
    c_.reporter.report(Problem::MapLength, decides->operand.where);
    return false;
  }
  length_ = length.value_or(1);
  return true;
}

// No operand may be shorter, as far as it is known.
bool MapLoop::check_lengths() {
  for (const MapOperand& mapped : operands_) {
    if (!mapped.operand.descriptor || run_time_length_) continue;
    const std::optional<std::int64_t> own = mapped.operand.descriptor->constant_length();
    if (!own || *own >= length_) continue;
    c_.reporter.report(Problem::ShortOperand, mapped.operand.where, counted(*own, "element"),
                       length_, *own);
    return false;
  }
  return true;
}

// That all operands in memory have, where that is known.
std::optional<std::int64_t> MapLoop::most_elements() const {
  std::optional<std::int64_t> most;
  for (const MapOperand& mapped : operands_) {
    if (!mapped.is_memory()) continue;
    const std::optional<std::int64_t> own = mapped.operand.descriptor->constant_length();
    if (own) most = std::min(*own, most.value_or(*own));
  }
  return most;
}

void MapLoop::emit(const Named& name) {
  if (!find_length(name) || !check_lengths() || !check_registers()) return;
  if (length_ == 0) return;
  if (index_) index_walk_ = walk_number({});
  if (!keep_registers()) return;
  const std::uint32_t done = run_time_length_ ? c_.labels.add() : 0;
  check_run_time(done);
  set_indices();
  set_end();
  const std::uint32_t loop = c_.labels.add();
  c_.labels.place(loop, code_.position());
  code_.forget_descriptors();
  turn();
  go_round(loop);
  if (!run_time_length_) return;
  c_.labels.place(done, code_.position());
  code_.forget_descriptors();
}

// A walk that surely moves, best one whose end is a constant, says when all is done.
bool MapLoop::keep_registers() {
  const auto counts = [](const MapWalk& walk) { return walk.moves() && walk.terms.empty(); };
  auto best = std::ranges::find_if(walks_, counts);
  if (best == walks_.end()) best = std::ranges::find_if(walks_, &MapWalk::moves);
  counting_ =
      best == walks_.end() ? walk_number({}) : static_cast<std::size_t>(best - walks_.begin());
  const auto keep = [this](std::uint32_t& number) {
    const std::optional<std::uint32_t> kept = code_.keep();
    number = kept.value_or(0);
    return kept.has_value();
  };
  for (MapWalk& walk : walks_) {
    if (!keep(walk.index)) return false;
    if (walk.run_time_stride && !keep(walk.stride_register)) return false;
  }
  const bool is_constant = !run_time_length_ && walks_[counting_].terms.empty();
  return is_constant || keep(end_.emplace());
}

// to = from op value.
void MapLoop::constant(Op op, std::uint32_t to, std::uint32_t from, std::int64_t value) {
  isa::Instruction i{.op = op, .destination = to, .source_a = from};
  if (code_.set_scalar(i, formula_of(value), OperandType::I32, {})) code_.append(i);
}

void MapLoop::registers(Op op, std::uint32_t to, std::uint32_t from, std::uint32_t with) {
  code_.append(
      {.op = op, .destination = to, .source_a = from, .scalar_kind = kRegister, .scalar = with});
}

void MapLoop::move(std::uint32_t to, std::uint32_t from, OperandType type) {
  if (to == from) return;
  const Op op = isa::info(type).bytes == 2 ? Op::Mov16 : Op::Mov32;
  code_.append({.op = op, .destination = to, .scalar_kind = kRegister, .scalar = from});
}

// Traps unless the number, unsigned, compares so.
void MapLoop::expect(std::uint32_t number, Condition condition, std::int64_t value) {
  isa::Instruction check{.op = Op::Assert, .source_a = number};
  check.condition = static_cast<std::uint32_t>(condition);
  check.compared_type = static_cast<std::uint32_t>(isa::Type::U32);
  if (code_.set_scalar(check, formula_of(value), OperandType::I32, {})) code_.append(check);
}

// Lengths that registers hold; none means no turn at all.
void MapLoop::check_run_time(std::uint32_t done) {
  for (const MapOperand& mapped : operands_) {
    if (!mapped.is_memory() || run_time_length_) continue;
    const std::optional<std::uint32_t>& own = mapped.operand.descriptor->run_time.length_register;
    if (own) expect(*own, Condition::GreaterEqual, length_);
  }
  if (!run_time_length_) return;
  expect(*run_time_length_, Condition::LessEqual, most_elements().value_or(isa::kMaxLength));
  for (const MapOperand& mapped : operands_) {
    if (!mapped.is_memory()) continue;
    const std::optional<std::uint32_t>& own = mapped.operand.descriptor->run_time.length_register;
    if (!own || own == run_time_length_) continue;
    isa::Instruction check{.op = Op::Assert, .source_a = *run_time_length_};
    check.condition = static_cast<std::uint32_t>(Condition::LessEqual);
    check.compared_type = static_cast<std::uint32_t>(isa::Type::U32);
    check.scalar_kind = kRegister;
    check.scalar = *own;
    code_.append(check);
  }
  isa::Instruction none{.op = Op::BranchEqual, .source_a = *run_time_length_};
  if (code_.set_scalar(none, formula_of(0), OperandType::I32, {})) code_.append_jump(none, done);
}

void MapLoop::set_indices() {
  for (const MapWalk& walk : walks_) {
    if (walk.terms.empty()) {
      constant(Op::Mov32, walk.index, 0, walk.first);
    } else if (const std::optional<std::uint32_t> sum = code_.sum_of(walk.terms, {})) {
      constant(Op::Add32, walk.index, *sum, walk.first);
    }
    if (!walk.run_time_stride) continue;
    constant(Op::Mul32, walk.stride_register, walk.run_time_stride->number,
             walk.run_time_stride->times);
  }
}

// The index with which no turn follows.
void MapLoop::set_end() {
  const MapWalk& walk = walks_[counting_];
  if (!end_) return;
  if (!run_time_length_) {
    constant(Op::Add32, *end_, walk.index, length_ * walk.stride);
  } else if (walk.stride == 1) {
    registers(Op::Add32, *end_, walk.index, *run_time_length_);
  } else {
    constant(Op::Mul32, *end_, *run_time_length_, walk.stride);
    registers(Op::Add32, *end_, *end_, walk.index);
  }
}

void MapLoop::turn() {
  if (index_walk_) move(index_->number, walks_[*index_walk_].index, OperandType::I32);
  for (std::size_t k = 1; k < operands_.size(); ++k) {
    take(operands_[k], function_.arguments[k - 1]);
  }
  code_.append_jump({.op = Op::Call, .destination = function_.link}, function_.label);
  code_.forget_descriptors();
  give(operands_[0]);
  for (const MapWalk& walk : walks_) advance(walk);
}

void MapLoop::advance(const MapWalk& walk) {
  if (walk.run_time_stride) {
    registers(Op::Add32, walk.index, walk.index, walk.stride_register);
  } else {
    constant(Op::Add32, walk.index, walk.index, walk.stride);
  }
}

void MapLoop::go_round(std::uint32_t loop) {
  const MapWalk& walk = walks_[counting_];
  isa::Instruction i{.op = Op::BranchNotEqual, .source_a = walk.index};
  if (end_) {
    i.scalar_kind = kRegister;
    i.scalar = *end_;
  } else if (!code_.set_scalar(i, formula_of(walk.first + length_ * walk.stride), OperandType::I32,
                               {})) {
    return;
  }
  code_.append_jump(i, loop);
}

OperandPlan MapLoop::element(const MapOperand& mapped) const {
  return {.kind = OperandKind::Memory,
          .where = mapped.operand.where,
          .formula = formula_of(mapped.array->address),
          .index = walks_[mapped.walk].index,
          .element = mapped.array->type};
}

// A descriptor register for one word of the fabric.
std::uint32_t MapLoop::word(const MapOperand& mapped) {
  DescriptorPlan plan = *mapped.operand.descriptor;
  plan.length = formula_of(1);
  return code_.in_descriptor(plan).value_or(0);
}

void MapLoop::take(const MapOperand& mapped, std::uint32_t argument) {
  if (mapped.is_memory()) {
    code_.load(argument, element(mapped), mapped.type);
  } else if (mapped.operand.descriptor) {
    const std::uint32_t from = word(mapped);
    code_.append({.op = Op::VMov32, .destination = argument, .source_a = from, .source_a_kind = 1});
  } else {
    code_.move_into(argument, mapped.operand, mapped.type);
  }
}

void MapLoop::give(const MapOperand& mapped) {
  if (mapped.is_memory()) {
    code_.store(element(mapped), function_.result, mapped.type);
  } else if (mapped.operand.descriptor) {
    const std::uint32_t to = word(mapped);
    code_.append(
        {.op = Op::VMov32, .destination = to, .destination_kind = 1, .source_a = function_.result});
  } else if (mapped.operand.kind == OperandKind::Memory) {
    code_.store(mapped.operand, function_.result, mapped.type);
  } else {
    move(mapped.operand.number, function_.result, mapped.type);
  }
}

}  // namespace wse::assembler
