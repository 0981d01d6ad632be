// execute<Op>: the meaning of a scalar instruction and its price, in one place for every engine.
//
// The format says where operands come from and where the result goes; the row of instructions.def
// names the function in between. No other code charges cycles.
#pragma once

#include <array>
#include <type_traits>

#include "isa/instruction/awaited.h"
#include "isa/machine/profile.h"
#include "isa/semantics/control.h"
#include "isa/semantics/descriptors.h"
#include "isa/support/mutant.h"

namespace wse::isa {

// The cost classes of one profile, ready for use.
struct CostTable {
  explicit CostTable(const Profile& profile) {
    for (std::size_t k = 0; k < rows.size(); ++k) {
      rows[k] = cost_of(profile, static_cast<CostClass>(k));
    }
  }
  const Cost& of(CostClass cost) const { return rows[static_cast<std::size_t>(cost)]; }

  std::array<Cost, kCostClassCount> rows;
};

namespace semantics {

template <Op op>
struct Meaning;

#define INSTRUCTION(name, mnemonic, format, opcode, cost, types, flops, function, meaning) \
  template <>                                                                              \
  struct Meaning<Op::name> {                                                               \
    static constexpr auto kFunction = &function;                                           \
  };
#include "isa/instruction/instructions.def"
#undef INSTRUCTION

// True if the meaning of the instruction is that function of isa/semantics/control.h.
template <Op op>
constexpr bool means(Step (*function)(ScalarState&, const Instruction&)) {
  constexpr auto kFunction = Meaning<op>::kFunction;
  if constexpr (std::is_same_v<decltype(kFunction), decltype(&stop_point) const>) {
    return kFunction == function;
  } else {
    return false;
  }
}

// True of what the machine does: execute() always ends in Stop.
template <Op op>
constexpr bool is_stop_point() {
  return info(op).is_vector() || means<op>(&stop_point);
}

// True of what leaves its PE to the machine whatever the state is: execute() never ends in Next.
template <Op op>
constexpr bool always_stops() {
  return is_stop_point<op>() || means<op>(&service);
}

// True if the branch was taken; the pc is set then.
template <Op op>
bool branch(ScalarState& s, const Instruction& i) {
  if (!Meaning<op>::kFunction(s.r[i.source_a], scalar_operand(s, i))) return false;
  s.pc = i.target;
  return true;
}

// Everything but branches: operands by format, the function of the row in between.
template <Op op>
Step act(ScalarState& s, const Instruction& i) {
  constexpr Format kFormat = info(op).format;
  constexpr auto kFunction = Meaning<op>::kFunction;
  if constexpr (info(op).is_vector()) {
    return Step::Stop;
  } else if constexpr (kFormat == Format::Reg2) {
    s.r[i.destination] = kFunction(scalar_operand(s, i));
  } else if constexpr (kFormat == Format::Reg3 &&
                       !std::is_invocable_v<decltype(kFunction), Word, Word>) {
    const Word b = scalar_operand(s, i);  // a function that may trap
    return kFunction(s, s.r[i.source_a], b, s.r[i.destination]) ? Step::Next : Step::Trap;
  } else if constexpr (kFormat == Format::Reg3) {
    s.r[i.destination] = kFunction(s.r[i.source_a], scalar_operand(s, i));
  } else if constexpr (kFormat == Format::Reg4) {
    s.r[i.destination] = kFunction(s.r[i.source_a], s.r[i.source_b], scalar_operand(s, i));
  } else if constexpr (kFormat == Format::Load) {
    return kFunction(s, scalar_operand(s, i), s.r[i.destination]) ? Step::Next : Step::Trap;
  } else if constexpr (kFormat == Format::LoadIndexed) {
    const Word address = scalar_operand(s, i) + info(op).result_bytes() * s.r[i.source_a];
    return kFunction(s, address, s.r[i.destination]) ? Step::Next : Step::Trap;
  } else if constexpr (kFormat == Format::Store) {
    return kFunction(s, scalar_operand(s, i), s.r[i.source_a]) ? Step::Next : Step::Trap;
  } else if constexpr (kFormat == Format::StoreIndexed) {
    const Word address = scalar_operand(s, i) + info(op).result_bytes() * s.r[i.source_b];
    return kFunction(s, address, s.r[i.source_a]) ? Step::Next : Step::Trap;
  } else if constexpr (kFormat == Format::Read) {
    s.r[i.destination] = kFunction(s);
  } else {
    return kFunction(s, i);
  }
  return Step::Next;
}

// Whether the instruction sees vector instructions of its thread finished: it reads or writes
// memory or the clock, or how many elements were left.
template <Op op>
constexpr bool sees_finish() {
  constexpr Format kFormat = info(op).format;
  return info(kFormat).operands.contains('@') || op == Op::ReadTsc || op == Op::ReadTscHigh ||
         op == Op::ReadLeft;
}

inline void wait_for_drain(ScalarState& s) {
  if (s.after.drained > s.cycles_charged) s.cycles_charged = s.after.drained;
}

inline void charge(ScalarState& s, const Cost& cost, std::uint64_t times = 1) {
  s.slots_charged += times * cost.slots;
  s.cycles_charged += times * cost.cycles;
}

}  // namespace semantics

// Whether further dimensions of the descriptor cost more.
constexpr bool is_descriptor_price(CostClass cost) {
  return cost == CostClass::DescriptorLoad || cost == CostClass::DescriptorFetch;
}

// Finds what the instruction costs by itself.
template <Op op>
const Cost& price(const CostTable& costs, const Instruction& i) {
  constexpr CostClass kClass = info(op).cost;
  if constexpr (may_be_awaited(info(op))) {
    const bool awaited = i.is_awaited && !mutant(Mutant::AwaitedFree);
    return costs.of(awaited ? CostClass::AwaitedFloat : kClass);
  }
  const bool wrong = kClass == CostClass::DescriptorFetch && mutant(Mutant::FetchPrice);
  return costs.of(wrong ? CostClass::DescriptorLoad : kClass);
}

// Executes the instruction at s.pc. On Next the price is charged and the pc moved on; a stop point,
// a service and a trap leave both as they are.
template <Op op>
Step execute(ScalarState& s, const Instruction& i, const CostTable& costs) {
  static constexpr InstructionInfo kInfo = info(op);
  if constexpr (kInfo.format == Format::Branch || kInfo.format == Format::Jump) {
    if (semantics::branch<op>(s, i)) {
      semantics::charge(s, costs.of(CostClass::BranchTaken));
    } else {
      s.pc += kInfo.words();
      semantics::charge(s, costs.of(kInfo.cost));
    }
  } else if constexpr (kInfo.format == Format::Call || kInfo.format == Format::Return) {
    const Step step = semantics::Meaning<op>::kFunction(s, i, kInfo.words());
    if (step != Step::Next) return step;
    semantics::charge(s, costs.of(kInfo.cost));
  } else {
    if constexpr (semantics::sees_finish<op>()) semantics::wait_for_drain(s);
    const Step step = semantics::act<op>(s, i);
    if (step != Step::Next) return step;
    s.pc += kInfo.words();
    semantics::charge(s, price<op>(costs, i));
    if constexpr (is_descriptor_price(kInfo.cost)) {
      const bool stores = kInfo.format == Format::DescriptorStore;
      const Descriptor& d = (*s.d)[stores ? i.source_a : i.destination];
      const std::uint32_t further = mutant(Mutant::DimensionFree) ? 0 : d.further;
      semantics::charge(s, costs.of(CostClass::DescriptorDimension), further);
    }
    if constexpr (info(kInfo.format).operands.contains('E')) {
      s.after.settled = s.cycles_charged + costs.of(CostClass::Settling).cycles;
    }
  }
  ++s.instructions;
  s.flops += kInfo.flops;
  return Step::Next;
}

// Charges a stop point that has a price, once the machine has acted, and moves the pc on. execute()
// leaves that to the machine.
inline void pass_stop_point(ScalarState& s, Op op, const CostTable& costs) {
  s.pc += info(op).words();
  semantics::charge(s, costs.of(info(op).cost));
  ++s.instructions;
}

}  // namespace wse::isa
