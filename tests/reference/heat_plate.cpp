// The plate, cell by cell.
#include "tests/reference/heat_plate.h"

#include <utility>

namespace wse::reference {
namespace {

double cell(const Plate& plate, std::uint64_t x, std::uint64_t y) {
  const bool inside = x < plate.width && y < plate.height;  // -1 wraps to a large number
  return inside ? plate.cells[y * plate.width + x] : 0;
}

}  // namespace

Plate diffuse(Plate plate, std::uint64_t steps, double alpha) {
  Plate next = plate;
  for (std::uint64_t step = 0; step < steps; ++step) {
    for (std::uint64_t y = 0; y < plate.height; ++y) {
      for (std::uint64_t x = 0; x < plate.width; ++x) {
        const double u = cell(plate, x, y);
        const double around = cell(plate, x, y - 1) + cell(plate, x, y + 1) +
                              cell(plate, x - 1, y) + cell(plate, x + 1, y);
        next.cells[y * plate.width + x] = u + alpha * (around - 4 * u);
      }
    }
    std::swap(plate, next);
  }
  return plate;
}

}  // namespace wse::reference
