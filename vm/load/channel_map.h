// Which colours are used where: the pairs (PE, colour), called channels, numbered by PE and colour.
//
// Loading adds what routes, programs and tasks need; then a transport makes its routers and queues
// of it. A PE uses few of the 24 colours: a mask per PE and a prefix sum find a channel without a
// table of all pairs.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "isa/image/image.h"
#include "isa/machine/profile.h"
#include "isa/machine/topology.h"
#include "vm/support/time.h"

namespace wse::vm {

using ChannelId = std::uint32_t;
inline constexpr ChannelId kNoChannel = ~0u;
// So that no number of a PE, a program's instance or a channel can be the one that means "none".
static_assert(std::uint64_t{isa::kMaxGridSide} * isa::kMaxGridSide * isa::kMaxColours < kNoChannel);

// The ones of a mask. std::popcount is a call where the compiler may not use the instruction.
constexpr std::uint32_t ones(std::uint32_t mask) {
  mask -= mask >> 1 & 0x55555555u;
  mask = (mask & 0x33333333u) + (mask >> 2 & 0x33333333u);
  mask = (mask + (mask >> 4)) & 0x0f0f0f0fu;
  return mask * 0x01010101u >> 24;
}
static_assert(ones(0) == 0 && ones(0x800001) == 2 && ones(~0u) == 32);

// Calls visit(port) for the ports of the mask. `visit` is not copied: copies of closures move two
// members at a time, and the host would wait for each half (x86-64: no store is forwarded to a load
// of twice its size).
template <class Visit>
void for_each_port(std::uint32_t ports, const Visit& visit) {
  for (std::uint32_t rest = ports; rest != 0; rest &= rest - 1) {
    visit(static_cast<isa::Port>(std::countr_zero(rest)));
  }
}

// The ports to which some position sends, as bits.
std::uint32_t all_targets(const isa::Routing& routing);

class ChannelMap {
 public:
  // A routing that a program may write, at one PE.
  struct Written {
    PeId pe;
    std::uint32_t colour;
    const isa::Routing* routing;
  };

  // Begins with the routes, filters and streams of the image, which must stay.
  ChannelMap(const isa::Image& image, const isa::Topology& mesh);

  // Colours, as bits, that the program of `pe` names in descriptors. An endpoint has both ramps.
  void add_endpoints(PeId pe, std::uint32_t colours) {
    colours_[pe] |= colours;
    endpoints_[pe] |= colours;
  }
  // Colours, as bits, that the program of `pe` configures.
  void add_configured(PeId pe, std::uint32_t colours) { colours_[pe] |= colours; }
  // The program of `pe` may write this routing: its queues, and those behind its links, must exist.
  void add_routing(PeId pe, std::uint32_t colour, const isa::Routing& routing);
  // Tasks of `pe` take the wavelets of the colours, as bits: endpoints that wake the picker.
  void add_data_tasks(PeId pe, std::uint32_t colours) {
    add_endpoints(pe, colours);
    data_tasks_[pe] |= colours;
  }

  // Gives them their numbers, once, when all are there. Errors: two routes, filters or streams for
  // one colour at one PE.
  isa::Status number();

  ChannelId find(PeId pe, std::uint32_t colour) const {
    const std::uint32_t bit = 1u << colour;
    if ((colours_[pe] & bit) == 0) return kNoChannel;
    const std::uint32_t lower = colours_[pe] & (bit - 1);
    return first_[pe] + (lower == 0 ? 0 : ones(lower));
  }
  std::size_t size() const { return first_.back(); }
  // Channels of a PE are first(pe) .. first(pe + 1) - 1, in ascending order of their colours.
  ChannelId first(PeId pe) const { return first_[pe]; }
  // As bits: the colours in use, those of endpoints and those of data tasks.
  std::uint32_t colours(PeId pe) const { return colours_[pe]; }
  std::uint32_t endpoints(PeId pe) const { return endpoints_[pe]; }
  std::uint32_t data_tasks(PeId pe) const { return data_tasks_[pe]; }
  std::span<const Written> written() const { return written_; }

 private:
  void mark(PeId pe, std::uint32_t colour) { colours_[pe] |= 1u << colour; }
  void mark_links(PeId pe, std::uint32_t colour, std::uint32_t ports);
  void mark_route(const isa::Route& route, std::vector<std::uint32_t>& routed);
  // Marks the PEs of a filter or a stream, up to the first that has one already.
  void mark_once(const isa::StridedRect& rect, std::uint32_t colour,
                 std::vector<std::uint32_t>& taken, std::string_view what);

  const isa::Image& image_;
  const isa::Topology& mesh_;
  static_assert(isa::fits_mask<std::uint32_t>(&isa::Profile::colours));
  std::vector<std::uint32_t> colours_;  // by PE, as the next two
  std::vector<std::uint32_t> endpoints_;
  std::vector<std::uint32_t> data_tasks_;
  std::vector<ChannelId> first_;  // by PE, one more at the end
  std::vector<Written> written_;
  isa::Status status_;
};

}  // namespace wse::vm
