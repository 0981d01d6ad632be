// Where the data of PEs lie: in regions of PEs of one program, one after another with a fixed
// stride. A region is chosen so that its PEs have as much as possible in common, as they may share
// pages (initial_data.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "isa/image/image.h"
#include "vm/load/loaded_program.h"

namespace wse::vm {

struct DataRegion {
  std::uint32_t program = 0;
  std::vector<std::uint32_t> placements;  // of the image, ascending; PEs row by row
  std::size_t pes = 0;
  std::size_t stride = 0;                  // bytes from the data of one PE to those of the next
  std::size_t offset = 0;                  // of the first, in the memory of all
  std::size_t period = 1;                  // PEs: that of one placement may be one of its rows
  std::vector<const isa::Symbol*> common;  // whose initial values come again after a period
  std::vector<const isa::Symbol*> own;     // whose initial values do not
  // Much of it is common: it begins with a page, and no other region is in its last one.
  bool shares = false;

  std::size_t bytes() const { return pes * stride; }
  // Returns the bytes of whole periods in whole pages: the unit that PEs share, mapped again and
  // again.
  std::size_t unit_bytes() const;
};

// With offsets: the PEs of each program, without its large placements where these have more in
// common than all of them. `programs` are those of the image.
std::vector<DataRegion> data_regions(const isa::Image& image,
                                     std::span<const LoadedProgram> programs);

// The end of the last one.
std::size_t bytes_of(std::span<const DataRegion> regions);

}  // namespace wse::vm
