// The routers of a block of PEs for one colour, as planes: where each takes from and sends to, its
// queues, and what they do in a cycle.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "vm/planes/bits/channel_table.h"
#include "vm/planes/bits/filter_planes.h"
#include "vm/planes/bits/lanes.h"
#include "vm/planes/bits/plane_queue.h"
#include "vm/planes/bits/wire.h"

namespace wse::vm::wafer {

struct RouterPlanes {
  std::uint32_t block = 0;
  std::uint32_t colour = 0;
  std::uint32_t queues = 0;                     // that any of these PEs has, as bits
  std::array<PlaneQueue*, kQueues> queue = {};  // nullptr: none of these PEs has it

  // ---- the current positions
  std::array<Lanes, isa::kMeshPorts> rx;  // takes from that port
  std::array<Lanes, isa::kMeshPorts> tx;  // sends to that port
  Lanes torn_down;
  Lanes data_task;                        // what arrives may start a task
  std::unique_ptr<FilterPlanes> filters;  // nullptr: none of these PEs has one
  bool leads_out = false;                 // some position sends off the grid

  // ---- towards the neighbours: places in wires, nullptr where no PE of the grid uses them;
  // of the strip's own, into which border messages put what other strips' blocks show.
  std::array<std::uint64_t*, kLinks> room = {};         // in the own queue of that port
  std::array<std::uint64_t*, kLinks> sent = {};         // over that port, in the last cycle
  std::array<std::uint64_t*, kLinks> room_behind = {};  // in the queue behind that port
  std::array<std::uint64_t*, kLinks> sent_here = {};    // into the own queue of that port
  // Of what is behind that port: see Grid::beside.
  std::array<std::array<std::uint32_t, 2>, kLinks> beside;

  // ---- of this cycle; they stay while the block rests
  std::array<Lanes, isa::kMeshPorts> popped;  // from that queue by the router
  Lanes took;                  // from the down-ramp already, by a task or because nobody wants it
  Lanes received;              // from the down-ramp by threads
  Lanes injected;              // into the up-ramp
  Lanes last;                  // of these, last words of a message
  Lanes delivered;             // into the down-ramp
  bool was_in_flight = false;  // something was on its way into a queue at the start
  bool sends = false;          // over a link
  // Then.
  bool is_in_flight = false;
  bool stands = false;             // something that may move
  bool repeats = false;            // the queues are as they were at the start
  std::uint32_t room_changed = 0;  // in the own queues of these ports, as bits

  // Returns the ports to which the wavelet that moves in the lane goes, as bits. As decided: the PE
  // gets no wavelet that is hidden from it.
  std::uint32_t ways(std::uint32_t lane) const {
    std::uint32_t ports = delivered.has(lane) ? isa::bit(isa::Port::Ramp) : 0;
    for (std::uint32_t link = 0; link < kLinks; ++link) {
      if (tx[link].has(lane)) ports |= 1u << link;
    }
    return ports;
  }
  // Clears this cycle's moves, once all neighbours have read them.
  void forget() {
    for (std::uint32_t port = 0; port < isa::kMeshPorts; ++port) {
      if (queue[port] != nullptr) popped[port] = {};
    }
    received = injected = delivered = {};
    if (filters != nullptr) filters->seen = {};
  }
};

// PEs whose port a colour has taken in this cycle.
using UsedPorts = std::array<Lanes, isa::kMeshPorts>;

// Planes that all colours of a block share.
struct BlockPlanes {
  std::array<Lanes, kLinks> edge;  // no neighbour over that link
  UsedPorts used;                  // by colours before
};

}  // namespace wse::vm::wafer
