// 5-point diffusion on a plate in double precision, the yardstick of programs/heat.
//
// Shares nothing with the machine: one loop over cells, surroundings kept at 0.
#pragma once

#include <cstdint>
#include <vector>

namespace wse::reference {

struct Plate {
  std::uint64_t width = 0;
  std::uint64_t height = 0;
  std::vector<double> cells;  // row by row
};

// `steps` times u += alpha * (north + south + west + east - 4 u), all cells at once.
Plate diffuse(Plate plate, std::uint64_t steps, double alpha);

}  // namespace wse::reference
