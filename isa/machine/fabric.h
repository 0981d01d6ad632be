// The words of the fabric that images, assembler and machine share: ports, switch positions,
// routes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "isa/support/limits.h"

namespace wse::isa {

// Ports of routers: four links of a mesh, whose y axis points south; the way to the own PE; the
// links of a hypercube, Dim0 and the eleven after it. topology.h says which of them a machine has.
enum class Port : std::uint8_t { West, East, North, South, Ramp, Dim0 };

inline constexpr std::uint32_t kMeshPorts = 5;  // West .. Ramp
inline constexpr std::uint32_t kMaxHypercubeDimensions = 12;
inline constexpr std::uint32_t kPorts = kMeshPorts + kMaxHypercubeDimensions;
inline constexpr std::string_view kPortTexts[kPorts] = {
    "west", "east", "north", "south", "ramp", "dim0", "dim1",  "dim2", "dim3",
    "dim4", "dim5", "dim6",  "dim7",  "dim8", "dim9", "dim10", "dim11"};

constexpr std::uint32_t bit(Port port) { return 1u << static_cast<std::uint32_t>(port); }

// The port over which a wavelet arrives that left its router over `port`.
constexpr Port opposite(Port port) {
  constexpr Port kOpposite[] = {Port::East, Port::West, Port::South, Port::North};
  return port < Port::Ramp ? kOpposite[static_cast<int>(port)] : port;
}

constexpr std::string_view text(Port port) { return kPortTexts[static_cast<int>(port)]; }

constexpr std::optional<Port> port_named(std::string_view name) {
  for (std::uint32_t i = 0; i < kPorts; ++i) {
    if (kPortTexts[i] == name) return static_cast<Port>(i);
  }
  return std::nullopt;
}

// The way of the wavelets of a colour through a router: it takes them from `rx` and passes them on
// to every port in `tx` (a mask of bit(Port)).
struct SwitchPosition {
  Port rx = Port::Ramp;
  std::uint32_t tx = 0;

  bool operator==(const SwitchPosition&) const = default;
};

// Whether the second position, which follows the first, has both sides anew: what a profile with
// `switch_position_sides` 1 cannot do.
constexpr bool changes_both_sides(const SwitchPosition& before, const SwitchPosition& next) {
  return next.rx != before.rx && next.tx != before.tx;
}

// When a router takes the first command off a control wavelet that passes it.
enum class PopMode : std::uint8_t { Never, Always, OnAdvance, OnAdvanceNop };
inline constexpr std::uint32_t kPopModes = 4;
inline constexpr std::string_view kPopModeTexts[kPopModes] = {"never", "always", "on_advance",
                                                              "on_advance_nop"};

// How a router treats a colour: its switch positions, and how control wavelets move between them.
struct Routing {
  std::vector<SwitchPosition> positions;  // 1..4, the first is the initial one
  bool ring = false;                      // an advance from the last position leads to the first
  PopMode pop = PopMode::Never;

  bool operator==(const Routing&) const = default;
};

// first, first + step, ... up to last inclusive; empty if last < first.
struct StridedRange {
  std::int32_t first = 0;
  std::int32_t last = -1;
  std::int32_t step = 1;  // at least 1

  bool operator==(const StridedRange&) const = default;
  std::int64_t count() const { return last < first ? 0 : (std::int64_t{last} - first) / step + 1; }
  // The last member, which may lie before `last`.
  std::int64_t end() const { return first + (count() - 1) * step; }
};

struct StridedRect {
  StridedRange x;
  StridedRange y;

  bool operator==(const StridedRect&) const = default;
  bool empty() const { return x.count() == 0 || y.count() == 0; }
};

// Calls visit(x, y) for every member, row by row from the north-west corner, until it says false.
// True if it never did. One empty range makes an empty rectangle, however long the other one is.
template <class Visit>
bool for_each_until(const StridedRect& rect, Visit visit) {
  if (rect.empty()) return true;
  for (std::int64_t y = rect.y.first; y <= rect.y.last; y += rect.y.step) {
    for (std::int64_t x = rect.x.first; x <= rect.x.last; x += rect.x.step) {
      if (!visit(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y))) return false;
    }
  }
  return true;
}

// Calls visit(x, y) for every member in that order.
template <class Visit>
void for_each(const StridedRect& rect, Visit visit) {
  for_each_until(rect, [&visit](std::uint32_t x, std::uint32_t y) {
    visit(x, y);
    return true;
  });
}

}  // namespace wse::isa
