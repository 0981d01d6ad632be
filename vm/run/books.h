// Books that a machine was asked to keep of its run, and its PEs, as its last cycle leaves them. If
// strips of the machine are other processes', books are those of the strips that this process runs.
#pragma once

#include <optional>
#include <vector>

#include "vm/ledger/slices.h"
#include "vm/report/classes.h"
#include "vm/report/why.h"
#include "vm/run/machine.h"

namespace wse::vm {

struct Strip;

class Books {
 public:
  // The machine must live longer.
  explicit Books(const Machine& machine);

  // The cycles of the lines of each program, in their order; empty if nobody counted.
  std::vector<LineTable> line_tables() const;
  // With RunOptions::slices: the activities of the PEs of each tile over time. Nothing without it.
  std::optional<SliceTable> slices() const;
  // The same in less memory: its frame, then the cycles of one activity, or the wavelets over the
  // links of one port, by its number among those of the mesh. `sums` are read once for all ports.
  std::optional<SliceFrame> slice_frame() const;
  std::vector<std::uint64_t> slices_of(const SliceFrame& frame, Activity activity) const;
  std::vector<std::uint64_t> link_sums(const SliceFrame& frame) const;
  std::vector<std::uint64_t> links_of(const SliceFrame& frame, std::uint32_t port,
                                      const std::vector<std::uint64_t>& sums) const;
  // Returns the book of what events waited for, in which threads can be watched; null without
  // RunOptions::path.
  Causes* causes() const;
  // The line of an instruction of the PE's program.
  isa::SourceLine line_of(PeId pe, std::uint32_t pc) const;
  // Which PEs are alike.
  PeClasses classes() const { return classes_of(scene()); }
  // Returns the waits of threads of the wanted PEs: see thread_classes.
  std::vector<ThreadClass> thread_classes(const std::function<bool(PeId pe)>& wanted,
                                          bool all) const {
    return vm::thread_classes(scene(), wanted, all);
  }
  // Both count PEs: those that have a program, and those of them that are not done.
  std::size_t placed() const { return scene().loaded.placed().size(); }
  std::size_t unfinished() const;

 private:
  Scene scene() const;
  std::vector<const Slices*> slices_of_strips() const;  // empty without them
  Slices::Machine sliced_machine(const SliceTiles& tiles) const;

  const Machine& machine_;
  std::vector<Strip*> strips_;               // that this process runs
  std::optional<std::vector<PeId>> placed_;  // their PEs with a program; none: those of the machine
};

}  // namespace wse::vm
