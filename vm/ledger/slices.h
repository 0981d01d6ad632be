// The activities of PEs over time: cycles by slice of time and tile of PEs.
//
// Nobody knows how long a run will be. So slices begin with one cycle each, and whenever there are
// too many of them, neighbours become one: a slice has 2^k cycles, and the sums stay exact.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "vm/contract/counters.h"
#include "vm/ledger/pending_stalls.h"
#include "vm/ledger/slice_counts.h"
#include "vm/support/pe_range.h"
#include "vm/support/slice_tiles.h"
#include "vm/support/time.h"

namespace wse::vm {

// The slices and the tiles of a machine.
struct SliceFrame {
  std::uint32_t side = 1;  // of the tiles
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t shift = 0;     // a slice has 2^shift cycles, the last one perhaps fewer
  std::vector<Cycle> edges{};  // of slices; the last one is the end of the run

  std::size_t slices() const { return edges.size() - 1; }
  std::size_t tiles() const { return std::size_t{width} * height; }
};

// The slices of a machine, whole.
struct SliceTable : SliceFrame {
  // [activity][slice][tile row][tile column], of PEs with a program.
  std::vector<std::uint64_t> cycles{};
  // [link port][slice][tile row][tile column]: wavelets that left over the links of all PEs.
  std::vector<std::uint64_t> links{};

  std::uint64_t& at(Activity activity, std::size_t slice, std::size_t tile) {
    return cycles[(static_cast<std::size_t>(activity) * slices() + slice) * tiles() + tile];
  }
};

// The slices of a strip.
class Slices {
 public:
  static constexpr std::uint32_t kUsual = 64;  // wanted, where nobody says how many
  static constexpr std::uint32_t kMostWanted = 1024;

  // There will be `wanted` slices or more, and at most twice as many, if the run has so many
  // cycles.
  Slices(const SliceTiles& tiles, const PeRange& pes, std::uint32_t wanted);

  // ---- charges of the ActivityLog: the cycles from .. to - 1
  void charge(PeId pe, Activity activity, Cycle from, Cycle to) {
    if (activity == Activity::Idle || from == to) return;  // what is left
    enter(tile_of_[range_.index(pe)], activity, from, to);
  }
  // Charges cycles of the slice in which cycle `in` is. The PE is charged up to cycle `until`.
  void charge_in(PeId pe, Activity activity, Cycle in, Cycle cycles, Cycle until);
  // Returns the cycle after the slice of this one, which may become coarser.
  Cycle end_of_slice(Cycle cycle) const { return ((cycle >> shift_) + 1) << shift_; }
  // Every other one of them is a stall; `stalls_first` says whether the first one is.
  void charge_every_other(PeId pe, Cycle from, Cycle to, bool stalls_first);

  // ---- stalls that are charged as busy
  void stalls(PeId pe, const StallSpan& span) {
    stalls_.add(pe, span);
    if (stalls_.are_many()) take_stalls();
  }
  // The PE was to stall from that cycle on: so far it will not.
  void forget_stalls(PeId pe, Cycle from) { stalls_.forget(pe, from); }

  // Other strips have charged their PEs up to that cycle. Returns up to which all are charged:
  // stalls of instructions that have finished before it are taken.
  Cycle charged_until(Cycle others = 0);

  // ---- the end of what counts
  // They count only if something finishes after them.
  void charge_open(PeId pe, Activity activity, Cycle from, Cycle to) {
    if (activity != Activity::Idle && from < to) open_.push_back({pe, activity, from, to});
  }
  // Something has finished: all that is open counts.
  void keep_open();
  // The run is over: what is open does not count.
  void drop_open();

  // The activities of a machine.
  struct Machine {
    const SliceTiles& tiles;
    std::span<const PeId> placed;   // its PEs that have a program
    Cycle cycles = 0;               // of its run, all of which are charged
    std::uint32_t least_shift = 0;  // slices have 2^least_shift cycles or more
  };
  static SliceFrame frame(std::span<const Slices* const> strips, const Machine& machine);
  // Returns the cycles of an activity, [slice][tile row][tile column].
  static std::vector<std::uint64_t> cycles_of(Activity activity, const SliceFrame& frame,
                                              std::span<const Slices* const> strips,
                                              const Machine& machine);
  // Returns all of them.
  static SliceTable table(std::span<const Slices* const> strips, const Machine& machine);

  // Memory that the slices of a mesh take at most.
  static std::uint64_t bytes(const SliceTiles& tiles, std::size_t pes, std::uint32_t wanted);

  // Passes the slices of a machine, whatever strips it is cut into (vm/support/state_archive.h),
  // when cycle `now` is done: those of the PEs `pes`. `strips` are those of one machine with these
  // PEs; a process that runs some of them takes what is theirs.
  template <class Archive>
  static void pass(Archive& archive, std::span<Slices* const> strips, const SliceTiles& tiles,
                   const PeRange& pes, Cycle now);

 private:
  static constexpr std::size_t kCharged = kActivities - 1;  // but Idle
  using Counts = std::array<std::uint32_t, kCharged>;
  struct Open {
    PeId pe = 0;
    Activity activity = Activity::Idle;
    Cycle from = 0;
    Cycle to = 0;
  };
  struct Stall {
    PeId pe = 0;
    StallSpan span{};
  };

  template <class Archive>
  static void pass_counts(Archive& archive, std::span<Slices* const> strips,
                          const SliceTiles& tiles, const PeRange& pes);
  template <class Archive>
  static void pass_pending(Archive& archive, std::span<Slices* const> strips, const PeRange& pes,
                           Cycle now);
  SliceCounts& of(Activity activity) { return counts_[static_cast<std::size_t>(activity)]; }
  void enter(std::uint32_t tile, Activity activity, Cycle from, Cycle to) {
    charged_until_ = std::max(charged_until_, to);
    const Cycle slice = from >> shift_;
    if ((to - 1) >> shift_ == slice && of(activity).has(slice)) [[likely]] {
      of(activity).at(slice, tile) += static_cast<std::uint32_t>(to - from);
    } else {
      enter_parts(tile, activity, from, to);
    }
  }
  void enter_parts(std::uint32_t tile, Activity activity, Cycle from, Cycle to);
  void take_stalls();
  void add_to(std::vector<std::uint64_t>& cycles, Activity activity, const SliceFrame& frame) const;
  void reach(Cycle cycle);
  void merge_neighbours();

  PeRange range_;
  std::vector<std::uint16_t> tile_of_;  // of each PE: among those of the strip
  std::uint32_t first_tile_ = 0;        // of all tiles
  std::size_t tiles_ = 0;               // of the strip
  Cycle most_ = 0;                      // slices, before neighbours become one
  std::uint32_t shift_ = 0;             // a slice has 2^shift_ cycles
  std::uint32_t most_shift_ = 0;        // beyond it a count could exceed its 32 bits
  Cycle slices_ = 0;
  std::array<SliceCounts, kCharged> counts_;  // by activity
  std::vector<Open> open_;
  PendingStalls stalls_;
  Cycle charged_until_ = 0;
};

}  // namespace wse::vm
