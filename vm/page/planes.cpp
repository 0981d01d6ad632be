// Tiles are added up in the order of the PEs, so that the same profile gives the same mean.
#include "vm/page/planes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace wse::vm {
namespace {

constexpr std::string_view kRampNames[] = {"down", "up"};

bool may_lack_numbers(std::string_view name) {
  return name == "halted_at" || name == "mark_first" || name == "class" || name == "program";
}

void add_planes(const Profile& profile, const ProfileArrayInfo& row, std::vector<std::string> parts,
                std::vector<Plane>& planes) {
  if (profile.find(row.name) == nullptr) return;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const bool has_parts = row.shape != ProfileShape::PerPe;
    planes.push_back({.name = fmt::format("{}{}{}", row.name, has_parts ? "." : "", parts[k]),
                      .label = fmt::format("{}{}{}", row.label, has_parts ? " " : "", parts[k]),
                      .unit = row.unit,
                      .array = row.name,
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

Tile tile_at(const Profile& profile, const Plane& plane, const Numbers& numbers, std::uint32_t k,
             std::uint32_t column, std::uint32_t row) {
  Tile tile;
  const std::uint32_t y_end = std::min(profile.height, (row + 1) * k);
  const std::uint32_t x_end = std::min(profile.width, (column + 1) * k);
  for (std::uint32_t y = row * k; y < y_end; ++y) {
    for (std::uint32_t x = column * k; x < x_end; ++x) {
      const std::uint64_t number = numbers[plane.first + std::size_t{y} * profile.width + x];
      if (!plane.may_be_none || number != kNoNumber) tile.add(number);
    }
  }
  return tile;
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

Tiles tiles_of(const Profile& profile, const Plane& plane, const Numbers& numbers,
               std::uint32_t k) {
  Tiles tiles;
  tiles.width = (profile.width + k - 1) / k;
  tiles.height = (profile.height + k - 1) / k;
  tiles.largest.reserve(std::size_t{tiles.width} * tiles.height);
  for (std::uint32_t row = 0; row < tiles.height; ++row) {
    for (std::uint32_t column = 0; column < tiles.width; ++column) {
      const Tile tile = tile_at(profile, plane, numbers, k, column, row);
      tiles.largest.add(tile.largest());
      if (k > 1 && !plane.is_index) tiles.mean.push_back(tile.mean());
    }
  }
  return tiles;
}

void for_each_sum(const numpy::PackedArray& maps, const Squares& squares,
                  const std::function<void(std::uint64_t)>& take) {
  const auto& [height, width, k] = squares;
  std::vector<std::uint64_t> sums((width + k - 1) / k);  // of a row of squares
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  for_each_number(maps, [&](std::uint64_t number) {
    sums[x / k] += number;
    if (++x < width) return;
    x = 0;
    const bool ends_row = ++y % k == 0 || y == height;
    if (y == height) y = 0;
    if (!ends_row) return;
    for (std::uint64_t& sum : sums) take(std::exchange(sum, 0));
  });
}

}  // namespace wse::vm
