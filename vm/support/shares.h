// Cuts a mesh for several strips, so that each has about as many of the PEs with a program.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "isa/support/mutant.h"
#include "vm/support/time.h"

namespace wse::vm {

// Returns where each of at most `most` strips of whole rows ends, the last one at `rows`. A row
// here is what must not be cut: of the mesh, or of blocks. `placed` ascends, and so does
// row_of(pe). A strip has a row at least.
template <class RowOf>
std::vector<std::uint32_t> share_rows(std::span<const PeId> placed, std::uint32_t rows,
                                      std::uint32_t most, RowOf row_of) {
  const std::uint32_t count = std::clamp(most, 1u, std::max(1u, rows));
  std::vector<std::uint32_t> ends;
  std::uint32_t begin = 0;
  for (std::uint32_t k = 0; k + 1 < count; ++k) {
    const std::size_t share = placed.size() * (k + 1) / count;
    const std::uint32_t wanted = share == 0 ? 0 : row_of(placed[share - 1]) + 1;
    const std::uint32_t least = isa::mutant(isa::Mutant::StripEmpty) ? begin : begin + 1;
    begin = std::clamp(wanted, least, rows - (count - k - 1));
    ends.push_back(begin);
  }
  ends.push_back(rows);
  return ends;
}

}  // namespace wse::vm
