// The arithmetic of rows and rings.
#include "vm/pe/element_path.h"

#include <algorithm>

namespace wse::vm {

bool is_endless(const isa::Descriptor& memory) {
  if (memory.kind == isa::DescriptorKind::Circular) return memory.ring == 0;
  const auto end = memory.inner.begin() + memory.further;
  return std::any_of(memory.inner.begin(), end, [](const auto& row) { return row.extent == 0; });
}

ElementRun ElementPath::bent_run(std::uint64_t k) const {
  const isa::Descriptor& memory = *bent_;
  auto rest = static_cast<std::int64_t>(memory.position + k);
  std::int64_t address = memory.address;
  if (memory.kind == isa::DescriptorKind::Circular) {
    const std::int64_t step = memory.stride * bytes_;
    rest %= memory.ring;
    return {address + rest * step, step, static_cast<std::uint64_t>(memory.ring - rest)};
  }
  const isa::Descriptor::Inner& row = memory.inner[memory.further - 1u];
  const auto left = static_cast<std::uint64_t>(row.extent - rest % row.extent);
  for (std::size_t j = memory.further; j-- > 0;) {
    const isa::Descriptor::Inner& dimension = memory.inner[j];
    address += rest % dimension.extent * dimension.stride * bytes_;
    rest /= dimension.extent;
  }
  return {address + rest * memory.stride * bytes_, row.stride * bytes_, left};
}

std::uint64_t ElementPath::bent_distinct(std::uint64_t count) const {
  const bool circular = bent_->kind == isa::DescriptorKind::Circular;
  return circular ? std::min<std::uint64_t>(count, bent_->ring) : count;
}

std::uint32_t position_after(const isa::Descriptor& memory, std::uint64_t count) {
  const std::uint64_t next = std::uint64_t{memory.position} + count;
  const bool circular = memory.kind == isa::DescriptorKind::Circular;
  return static_cast<std::uint32_t>(circular ? next % memory.ring : next);
}

}  // namespace wse::vm
