// The wave equation as fast as a host can: OpenMP threads, tiles that stay in the second cache,
// vector instructions along z. A yardstick of speed, never of values.
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "tests/reference/acoustic.h"

namespace wse::reference {
namespace {

constexpr std::uint64_t kTileX = 16;  // nine planes of 24 x nz cells: 300 kB for nz = 334
constexpr std::uint64_t kTileY = 64;

// One row of cells along z.
void step_row(const Coefficients<float>& c, const float* __restrict u, float* __restrict before,
              std::uint64_t nz, std::size_t row, std::size_t plane) {
#pragma omp simd
  for (std::uint64_t z = 0; z < nz; ++z) {
    const float* cell = u + z;
    float sum = c.centre * *cell;
    sum += c.x[0] * (cell[row] + *(cell - row)) + c.x[1] * (cell[2 * row] + *(cell - 2 * row)) +
           c.x[2] * (cell[3 * row] + *(cell - 3 * row)) +
           c.x[3] * (cell[4 * row] + *(cell - 4 * row));
    sum += c.y[0] * (cell[plane] + *(cell - plane)) +
           c.y[1] * (cell[2 * plane] + *(cell - 2 * plane)) +
           c.y[2] * (cell[3 * plane] + *(cell - 3 * plane)) +
           c.y[3] * (cell[4 * plane] + *(cell - 4 * plane));
    sum += c.z[0] * (cell[1] + *(cell - 1)) + c.z[1] * (cell[2] + *(cell - 2)) +
           c.z[2] * (cell[3] + *(cell - 3)) + c.z[3] * (cell[4] + *(cell - 4));
    before[z] = sum - before[z];
  }
}

}  // namespace

void step_quickly(const AcousticOptions& options, const Coefficients<float>& coefficients,
                  const Field<float>& now, Field<float>& before) {
  const std::uint64_t tiles_x = (options.nx + kTileX - 1) / kTileX;
  const std::uint64_t tiles_y = (options.ny + kTileY - 1) / kTileY;
#pragma omp parallel for schedule(dynamic)
  for (std::uint64_t tile = 0; tile < tiles_x * tiles_y; ++tile) {
    const std::uint64_t first_x = tile % tiles_x * kTileX;
    const std::uint64_t first_y = tile / tiles_x * kTileY;
    for (std::uint64_t y = first_y; y < std::min(first_y + kTileY, options.ny); ++y) {
      for (std::uint64_t x = first_x; x < std::min(first_x + kTileX, options.nx); ++x) {
        const std::size_t cell = now.at(x, y, 0);
        step_row(coefficients, &now.cells[cell], &before.cells[cell], options.nz, now.row,
                 now.plane);
      }
    }
  }
}

int quick_threads() { return omp_get_max_threads(); }

double triad_bandwidth() {
  constexpr std::size_t kCount = std::size_t{1} << 25;  // 128 MiB in each array
  constexpr int kTimes = 5;
  const auto array = [] { return std::make_unique_for_overwrite<float[]>(kCount); };
  const auto a = array();
  const auto b = array();
  const auto c = array();
  double best = 0;
#pragma omp parallel for simd schedule(static)
  for (std::size_t k = 0; k < kCount; ++k) a[k] = 0, b[k] = 1, c[k] = 2;
  for (int time = 0; time < kTimes; ++time) {
    const auto begin = std::chrono::steady_clock::now();
#pragma omp parallel for simd schedule(static)
    for (std::size_t k = 0; k < kCount; ++k) a[k] = b[k] + 3.0F * c[k];
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    best = std::max(best, 3.0 * sizeof(float) * kCount / taken.count() / 1e9);
  }
  return best;
}

}  // namespace wse::reference
