// Members lie on a lattice by construction, so a set that has as many of them as its lattice is the
// whole lattice.
#include "asm/warnings/pe_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace wse::assembler {

bool contains(const isa::StridedRange& range, std::int64_t value) {
  return range.count() > 0 && value >= range.first && value <= range.end() &&
         (value - range.first) % range.step == 0;
}

bool contains(const isa::StridedRect& rect, std::uint32_t x, std::uint32_t y) {
  return contains(rect.x, x) && contains(rect.y, y);
}

void PeSet::Axis::add(std::uint32_t value, bool is_first) {
  if (is_first) first = least = most = value;
  least = std::min(least, value);
  most = std::max(most, value);
  step = std::gcd(step, value > first ? value - first : first - value);
}

std::string PeSet::Axis::text() const {
  if (least == most) return fmt::format("{}", least);
  const std::string ends = fmt::format("{}..{}", least, most);
  return step == 1 ? ends : fmt::format("{} step {}", ends, step);
}

void PeSet::add(std::uint32_t x, std::uint32_t y) {
  x_.add(x, count_ == 0);
  y_.add(y, count_ == 0);
  ++count_;
}

std::string PeSet::text() const {
  if (is_rectangle()) return fmt::format("PE{} {}", count_ == 1 ? "" : "s", place());
  return fmt::format("PE ({}, {}) and {} other{} in ({}, {})", x_.first, y_.first, count_ - 1,
                     count_ == 2 ? "" : "s", x_.text(), y_.text());
}

std::string PeSet::place() const {
  if (is_rectangle()) return fmt::format("({}, {})", x_.text(), y_.text());
  return fmt::format("({}, {})", x_.first, y_.first);
}

}  // namespace wse::assembler
