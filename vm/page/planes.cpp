// Tiles are added up in the order of the PEs, so that the same profile gives the same mean.
#include "vm/page/planes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace wse::vm {
namespace {

constexpr std::string_view kRampNames[] = {"down", "up"};

bool may_lack_numbers(std::string_view name) {
  return name == "halted_at" || name == "mark_first" || name == "class" || name == "program";
}

void add_planes(const Profile& profile, const ProfileArrayInfo& row, std::vector<std::string> parts,
                std::vector<Plane>& planes) {
  const Numbers numbers = profile.numbers(row.name);
  if (numbers.empty()) return;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const bool has_parts = row.shape != ProfileShape::PerPe;
    planes.push_back({.name = fmt::format("{}{}{}", row.name, has_parts ? "." : "", parts[k]),
                      .label = fmt::format("{}{}{}", row.label, has_parts ? " " : "", parts[k]),
                      .unit = row.unit,
                      .numbers = numbers,
                      .first = k * profile.pes(),
                      .may_be_none = may_lack_numbers(row.name),
                      .is_index = row.unit == "index"});
  }
}

// The numbers of a tile, as they come.
class Tile {
 public:
  void add(std::uint64_t number) {
    ++count_;
    sum_ += static_cast<double>(number);
    largest_ = std::max(largest_, number);
  }
  std::uint64_t largest() const { return count_ == 0 ? kNoNumber : largest_; }
  float mean() const {
    if (count_ == 0) return std::numeric_limits<float>::quiet_NaN();
    return static_cast<float>(sum_ / static_cast<double>(count_));
  }

 private:
  std::uint64_t count_ = 0;
  std::uint64_t largest_ = 0;
  double sum_ = 0;
};

Tile tile_at(const Profile& profile, const Plane& plane, std::uint32_t k, std::uint32_t column,
             std::uint32_t row) {
  Tile tile;
  const std::uint32_t y_end = std::min(profile.height, (row + 1) * k);
  const std::uint32_t x_end = std::min(profile.width, (column + 1) * k);
  for (std::uint32_t y = row * k; y < y_end; ++y) {
    for (std::uint32_t x = column * k; x < x_end; ++x) {
      const std::uint64_t number = plane.numbers[plane.first + std::size_t{y} * profile.width + x];
      if (!plane.may_be_none || number != kNoNumber) tile.add(number);
    }
  }
  return tile;
}

int bytes_for(std::uint64_t most) {
  if (most <= UINT8_MAX) return 1;
  if (most <= UINT16_MAX) return 2;
  return most <= UINT32_MAX ? 4 : 8;
}

}  // namespace

std::vector<Plane> planes_of(const Profile& profile) {
  std::vector<Plane> planes;
  for (const ProfileArrayInfo& row : kProfileArrays) {
    switch (row.shape) {
      case ProfileShape::PerPe: add_planes(profile, row, {""}, planes); break;
      case ProfileShape::PerPort: add_planes(profile, row, profile.ports, planes); break;
      case ProfileShape::PerRamp:
        add_planes(profile, row, {std::begin(kRampNames), std::end(kRampNames)}, planes);
        break;
      case ProfileShape::PerMark: add_planes(profile, row, profile.marks, planes); break;
      default: break;  // no maps of PEs
    }
  }
  return planes;
}

Tiles tiles_of(const Profile& profile, const Plane& plane, std::uint32_t k) {
  Tiles tiles;
  tiles.width = (profile.width + k - 1) / k;
  tiles.height = (profile.height + k - 1) / k;
  for (std::uint32_t row = 0; row < tiles.height; ++row) {
    for (std::uint32_t column = 0; column < tiles.width; ++column) {
      const Tile tile = tile_at(profile, plane, k, column, row);
      tiles.largest.push_back(tile.largest());
      if (k > 1 && !plane.is_index) tiles.mean.push_back(tile.mean());
    }
  }
  return tiles;
}

std::vector<std::uint64_t> summed(const Numbers& maps, std::uint32_t height, std::uint32_t width,
                                  std::uint32_t k) {
  const std::uint32_t rows = (height + k - 1) / k;
  const std::uint32_t columns = (width + k - 1) / k;
  const std::size_t cells = std::size_t{height} * width;
  std::vector<std::uint64_t> sums(maps.size() / cells * rows * columns);
  for (std::size_t at = 0; at < maps.size(); ++at) {
    const std::size_t row = at % cells / width / k;
    sums[at / cells * rows * columns + row * columns + at % width / k] += maps[at];
  }
  return sums;
}

PackedNumbers packed(const std::vector<std::uint64_t>& numbers) {
  PackedNumbers out;
  out.bytes = numbers.empty() ? 1 : bytes_for(std::ranges::max(numbers));
  for (const std::uint64_t number : numbers) {
    for (int k = 0; k < out.bytes; ++k) out.data.push_back(static_cast<std::byte>(number >> 8 * k));
  }
  return out;
}

}  // namespace wse::vm
