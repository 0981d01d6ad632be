// Element k of an instruction is element position + k of its descriptor.
#include "tests/oracle/descriptors.h"

namespace wse::oracle {
namespace {

std::uint32_t value(const isa::SlotValue& value, std::span<const std::uint32_t> slots) {
  return value.is_slot ? slots[value.value] : value.value;
}

}  // namespace

isa::Descriptor descriptor_at(const isa::DescriptorLiteral& literal,
                              std::span<const std::uint32_t> slots) {
  isa::Descriptor made;
  made.kind = literal.kind;
  if (literal.kind == isa::DescriptorKind::Fifo) {
    made.fifo = static_cast<std::uint8_t>(literal.fifo);
    return made;
  }
  made.length = value(literal.length, slots);
  const bool negative = literal.length.is_slot && made.length == isa::kNoLength;
  if (negative) made.length = isa::kNoLength - 1;  // a length, and too long
  if (!isa::is_memory(literal.kind)) {
    made.colour = value(literal.colour, slots);
    made.options = literal.options;
    if (literal.options.tells_task()) {
      made.task = static_cast<std::uint8_t>(value(literal.task, slots));
    }
    if (literal.kind == isa::DescriptorKind::Indexed) {
      made.address = value(literal.address, slots);
      made.ring = value(literal.ring, slots);
    }
    made.stride = literal.stride;  // of a fabric 1, which `std` shows
    if (literal.options.indexed) made.index = value(literal.index, slots) & 0xffffu;
    return made;
  }
  made.address = value(literal.address, slots);
  made.stride = literal.stride;
  made.saves = literal.saves;
  made.further = static_cast<std::uint8_t>(literal.further);
  for (std::uint32_t k = 0; k < literal.further; ++k) {
    made.inner[k] = {value(literal.inner[k].extent, slots), literal.inner[k].stride};
    made.length *= made.inner[k].extent;
  }
  if (literal.kind == isa::DescriptorKind::Circular) {
    made.ring = value(literal.ring, slots);
    made.position = value(literal.start, slots);
  }
  return made;
}

std::uint64_t address_of(const isa::Descriptor& d, std::uint64_t k, std::uint32_t bytes) {
  std::uint64_t element = d.position + k;
  if (d.kind == isa::DescriptorKind::Circular) element %= d.ring;
  std::int64_t offset = 0;  // in elements
  for (std::uint32_t inner = d.further; inner-- > 0;) {
    const std::uint32_t extent = d.inner[inner].extent;
    offset += static_cast<std::int64_t>(element % extent) * d.inner[inner].stride;
    element /= extent;
  }
  offset += static_cast<std::int64_t>(element) * d.stride;
  return d.address + static_cast<std::uint64_t>(offset * bytes);
}

std::int32_t innermost_stride(const isa::Descriptor& d) {
  return d.further == 0 ? d.stride : d.inner[d.further - 1u].stride;
}

std::uint32_t position_behind(const isa::Descriptor& d, std::uint64_t length) {
  const std::uint64_t behind = d.position + length;
  return static_cast<std::uint32_t>(d.kind == isa::DescriptorKind::Circular ? behind % d.ring
                                                                            : behind);
}

bool fits(const isa::Descriptor& d, bool written) {
  const bool on_either_side =
      d.kind == isa::DescriptorKind::Fifo || d.kind == isa::DescriptorKind::Indexed;
  if (isa::is_memory(d.kind) || on_either_side) return true;
  return d.kind == (written ? isa::DescriptorKind::FabricOut : isa::DescriptorKind::FabricIn);
}

}  // namespace wse::oracle
