// One random program on two machines, of which only one is traced, and every difference between
// them: an untraced machine leaves PEs alone for many cycles where a traced one looks at each.
#pragma once

#include <cstdint>
#include <string>

#include "isa/image.h"
#include "isa/profile.h"

namespace wse::differential {

// Up to the limit of cycles. Empty if both end alike, in records and in memory.
std::string compare_untraced(const isa::Image& image, const isa::Profile& profile,
                             std::uint64_t max_cycles);

}  // namespace wse::differential
