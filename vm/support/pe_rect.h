// Some columns of some rows of a mesh.
#pragma once

#include <cstdint>

namespace wse::vm {

// PEs x .. x + width - 1, y .. y + height - 1.
struct PeRect {
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  std::uint32_t width = 0;
  std::uint32_t height = 0;

  bool operator==(const PeRect&) const = default;
};

}  // namespace wse::vm
