// Launches: tasks that a host activates on a machine where nothing happens any more.
//
// For a machine that began with RunOptions::launches; vm/session says which call may come when.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "vm/run/array_part.h"
#include "vm/run/machine.h"

namespace wse::vm {

class Launches {
 public:
  // The machine must live longer.
  explicit Launches(Machine& machine) : machine_(machine) {}

  // Where nothing happens any more: why launches cannot come; empty if the machine is quiet.
  std::string unrest() const;
  // How the machine has stopped; none before its first cycle.
  std::optional<RunStatus> status() const;
  // The first cycle that was not done.
  Cycle next_cycle() const;
  // The cycle in which what record(), profile_array() and line_tables() tell of began, and from
  // which they count: that of the last launch, or 0.
  Cycle began() const;
  // Whether launches, or elements of streams, have come where the machine was quiet, and nothing
  // has run since.
  bool are_prepared() const;
  // A quiet machine does the cycles before `cycle`, in which nothing happens.
  void wait_until(Cycle cycle);
  // Activates the task at all PEs of the rectangle that export it, in next_cycle() plus
  // Profile::launch_cycles; advance() continues from there. `arguments` are as many words as the
  // task has arguments. The machine is quiet, or was and has got launches or elements of streams.
  // Errors: a rectangle that leaves the grid; no PE of it exports the task; programs export it with
  // different arguments; a PE that executed `halt`. After an error nothing is launched.
  isa::Status launch(std::string_view task, std::span<const std::uint32_t> arguments,
                     const PeRect& rect);

 private:
  friend class OpenStreams;

  struct Place {
    PeId pe = 0;
    std::uint32_t task = 0;  // index
  };
  bool lies_on_grid(const PeRect& rect) const;
  isa::Result<std::vector<Place>> places(std::string_view task, std::size_t arguments,
                                         const PeRect& rect) const;

  Machine& machine_;
};

}  // namespace wse::vm
