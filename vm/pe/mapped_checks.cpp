// The checks that only mapped vector instructions need; checks.cpp calls them in its order.
#include "vm/pe/mapped_checks.h"

#include <fmt/format.h>

namespace wse::vm {

std::optional<Complaint> check_mapped_kinds(const Operands& operands) {
  if (operands.each.kind == Operand::Kind::None) return std::nullopt;
  if (operands.each.kind == Operand::Kind::Unset) {
    return Complaint{isa::Trap::UnsetDescriptor,
                     "the descriptor register over which it is mapped was never loaded"};
  }
  if (operands.each.is_memory() && std::ranges::none_of(operands.all(), &Operand::is_stream)) {
    return std::nullopt;
  }
  return Complaint{isa::Trap::BadDescriptor,
                   "a mapped instruction works on memory and scalars alone"};
}

std::optional<Complaint> set_groups(Plan& starting) {
  if (!starting.operands.each.is_memory()) return std::nullopt;
  const std::uint64_t scalars = starting.operands.each.descriptor.length;
  const std::uint64_t length = starting.flow.length;
  if (scalars > isa::kMaxLength || length * scalars > isa::kMaxLength) {
    return Complaint{isa::Trap::BadDescriptor,
                     fmt::format("{} elements for each of {} scalars; at most {} together", length,
                                 scalars, isa::kMaxLength)};
  }
  starting.flow.group = static_cast<std::uint32_t>(length);
  starting.flow.length = length * scalars;
  return std::nullopt;
}

std::optional<Complaint> check_each(const Plan& f) {
  const WordSet& read = f.reads[2];
  if (!intersect(f.writes, read)) return std::nullopt;
  return Complaint{isa::Trap::Overlap,
                   fmt::format("destination bytes {}..{} and scalars in bytes {}..{}",
                               f.writes.low(), f.writes.high() - 1, read.low(), read.high() - 1)};
}

}  // namespace wse::vm
