// The length of all dimensions together, where no register says it.
#include "asm/program/descriptor_plan.h"

namespace wse::assembler {

std::optional<std::int64_t> DescriptorPlan::constant_length() const {
  if (run_time.length_register || !length || !length->is_constant()) return std::nullopt;
  std::int64_t elements = length->nodes[0].constant.integer;
  for (const Inner& dimension : inner) {
    if (!dimension.extent.is_constant()) return std::nullopt;
    const std::int64_t extent = dimension.extent.nodes[0].constant.integer;
    if (__builtin_mul_overflow(elements, extent, &elements)) return std::nullopt;
  }
  return elements;
}

}  // namespace wse::assembler
