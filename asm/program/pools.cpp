// Equal values are found by keys, which hold all that makes two of them differ.
#include "asm/program/pools.h"

#include <bit>
#include <span>
#include <utility>

#include "asm/names/formulas.h"
#include "isa/support/mutant.h"

namespace wse::assembler {
namespace {

constexpr std::size_t kBytesOfAKey = 128;  // of nearly all; a guess that spares allocations

void append(std::string& key, std::uint64_t word) {
  key.append(reinterpret_cast<const char*>(&word), sizeof word);
}

std::string key_of(const isa::Formula& formula, isa::Type type) {
  std::string key;
  key.reserve(kBytesOfAKey);
  key += static_cast<char>(type);
  for (const isa::FormulaNode& node : formula.nodes) {
    append(key, static_cast<std::uint64_t>(node.op) << 32 | node.index);
    append(key, std::uint64_t{node.operand[0]} << 32 | node.operand[1]);
    append(key, std::uint64_t{node.operand[2]} << 1 | (node.constant.is_float ? 1 : 0));
    append(key, static_cast<std::uint64_t>(node.constant.integer));
    append(key, std::bit_cast<std::uint64_t>(node.constant.real));
  }
  return key;
}

std::string key_of(const isa::DescriptorLiteral& d) {
  std::string key;
  key.reserve(kBytesOfAKey);
  key += static_cast<char>(d.kind);
  const auto add = [&key](const isa::SlotValue& value) {
    append(key, std::uint64_t{value.is_slot} << 32 | value.value);
  };
  for (const isa::SlotValue& value :
       {d.address, d.length, d.colour, d.index, d.task, d.ring, d.start}) {
    add(value);
  }
  append(key, std::uint64_t{d.fifo} << 8 | static_cast<std::uint64_t>(d.options.on_control));
  for (std::uint32_t k = 0; k < d.further; ++k) {
    add(d.inner[k].extent);
    append(key, static_cast<std::uint32_t>(d.inner[k].stride));
  }
  if (!isa::mutant(isa::Mutant::PoolStride)) append(key, static_cast<std::uint32_t>(d.stride));
  const isa::FabricOptions& options = d.options;
  for (const bool option : {d.saves, options.packed, options.control, options.advance,
                            options.indexed, options.endless}) {
    key += option ? '1' : '0';
  }
  return key;
}

bool holds_as(isa::Type have, isa::Type want) {
  // A colour's range is checked as a colour's; an f16 is other bits than an f32.
  if (want == isa::Type::Colour || isa::info(want).bytes == 2) return have == want;
  return isa::is_float(have) == isa::is_float(want);
}

}  // namespace

std::uint32_t Pools::literal(std::uint32_t bits) {
  const auto next = static_cast<std::uint32_t>(program_.literals.size());
  const auto [found, is_new] = literals_.try_emplace(bits, next);
  if (is_new) program_.literals.push_back(bits);
  return found->second;
}

std::optional<std::uint32_t> Pools::direct_slot(const isa::Formula& formula, isa::Type type) const {
  if (formula.nodes.size() != 1) return std::nullopt;
  const isa::FormulaNode& node = formula.nodes[0];
  if (node.op == isa::FormulaOp::Parameter) {
    if (!holds_as(program_.parameters[node.index].type, type)) return std::nullopt;
    return isa::kBuiltinSlotCount + node.index;
  }
  for (std::uint32_t k = 0; k < isa::kBuiltinSlotCount; ++k) {
    const bool same = isa::variable_text(node.op) == isa::kBuiltinSlots[k];
    if (same && holds_as(isa::Type::U32, type)) return k;
  }
  return std::nullopt;
}

std::uint32_t Pools::slot(const isa::Formula& formula, isa::Type type) {
  if (const std::optional<std::uint32_t> direct = direct_slot(formula, type)) return *direct;
  const std::uint32_t next = program_.slot_count();
  std::string key = key_of(formula, type);
  if (isa::mutant(isa::Mutant::SlotShared)) key.clear();
  const auto [found, is_new] = slots_.try_emplace(std::move(key), next);
  if (is_new) program_.derived.push_back({type, formula});
  return found->second;
}

bool Pools::may_be_float(const isa::Formula& formula) const {
  return assembler::may_be_float(formula, program_.parameters, globals_.parameters);
}

isa::SlotValue Pools::value(const isa::Formula& formula, isa::Type type) {
  if (!formula.is_constant()) return {true, slot(formula, type)};
  return {false, static_cast<std::uint32_t>(formula.nodes[0].constant.integer)};
}

std::uint32_t Pools::descriptor(const DescriptorPlan& plan) {
  isa::DescriptorLiteral made;
  made.kind = plan.kind;
  made.fifo = plan.fifo;
  if (isa::has_address(plan.kind)) {
    made.address = value(plan.address, isa::Type::I32);
    made.stride = plan.stride;
    made.saves = plan.saves;
    for (const DescriptorPlan::Inner& inner : plan.inner) {
      made.inner[made.further++] = {value(inner.extent, isa::Type::I32), inner.stride};
    }
    if (plan.ring) made.ring = value(*plan.ring, isa::Type::I32);
    if (plan.start) made.start = value(*plan.start, isa::Type::I32);
  }
  if (isa::has_colour(plan.kind)) {
    made.colour = value(plan.colour, isa::Type::Colour);
    made.options = plan.options;
    if (plan.options.tells_task()) made.task = value(plan.task, isa::Type::I32);
    if (plan.options.indexed) made.index = value(plan.index, isa::Type::U16);
  }
  made.length =
      plan.length ? value(*plan.length, isa::Type::I32) : isa::SlotValue{false, isa::kNoLength};
  const auto next = static_cast<std::uint32_t>(program_.descriptors.size());
  const auto [found, is_new] = descriptors_.try_emplace(key_of(made), next);
  if (is_new) program_.descriptors.push_back(made);
  return found->second;
}

}  // namespace wse::assembler
