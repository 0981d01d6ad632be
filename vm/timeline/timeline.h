// The past of a run, which nobody has recorded: a deterministic machine does it again.
//
//     0 ------ kept ---------------- kept ------- kept --- kept -> front      checkpoints, in
//     memory
//                                        `-> replay                           another machine, from
//                                        there on
//
// The front is the machine that runs ahead, on the fastest transport and without observers. Where
// somebody asks for what is before it, it begins again from the checkpoint before. A replay is a
// machine of its own, with observers of its own, of the whole mesh or of a part. Checkpoints lie
// the closer the nearer they are to the front: most questions are about what has just been done.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "isa/support/result.h"
#include "vm/run/machine.h"
#include "vm/support/pe_range.h"
#include "vm/support/pe_rect.h"

namespace wse::vm {

class Timeline {
 public:
  // The front is made as the run was; a replay of one thread, with the stepper, which alone has
  // observers.
  enum class Kind { Front, Replay };
  // Makes a machine of the program, with its arrays as they are before the first cycle, or of these
  // rows alone (MachineOptions::rows). It has not begun.
  using Rows = std::optional<PeRange>;
  using Make = std::function<isa::Attempt<std::unique_ptr<Machine>>(Kind kind, const Rows& rows)>;
  struct Bounds {
    std::size_t most_kept = 8;                          // checkpoints
    std::uint64_t most_bytes = std::uint64_t{1} << 30;  // of all of them together
    // Between two of them, cycles, and cycles of all PEs: what a front does again in few seconds.
    Cycle least_apart = 4096;
    std::uint64_t least_work = std::uint64_t{1} << 33;
  };

  // `options`: those that change what a run does: seeds, limits, interrupts. The machines are
  // without trace, path, profile and callbacks, whatever it says. All that it refers to must live
  // as long as this.
  Timeline(Make make, const RunOptions& options, const Bounds& bounds);
  Timeline(Make make, const RunOptions& options) : Timeline(std::move(make), options, Bounds()) {}

  // The front has done the cycles before `until`, or all up to the end of the run: Stop tells.
  // Errors: those of Make; out of memory.
  isa::Attempt<Stop> go_to(Cycle until);
  // Does the same for a look at nothing but ThreadSigns of the front: see Advance.
  isa::Attempt<Stop> pass_to(Cycle until);
  // What its machines begin with: a replay needs these, and observers of its own.
  const RunOptions& options() const { return options_; }
  // After go_to(), and before a replay begins from there.
  Machine& front() { return *front_; }
  const Stop& stop() const { return stop_; }

  // Returns another machine, on one thread, that has done what the front has, and continues with
  // these options; after an interrupt too. The run of the front is not over. With a part of the
  // mesh, which is no cube, all PEs outside stand still: see Cone. Errors: those of Make; out of
  // memory.
  isa::Attempt<std::unique_ptr<Machine>> replay(const RunOptions& options,
                                                std::optional<PeRect> part = {});

  // A replay begins with it, also after the front has continued.
  struct Beginning {
    std::vector<std::byte> state{};
    std::optional<PeRect> part{};
  };
  // After go_to() or pass_to().
  isa::Attempt<Beginning> beginning(std::optional<PeRect> part);
  isa::Attempt<std::unique_ptr<Machine>> replay(const RunOptions& options,
                                                const Beginning& beginning);

  // From which cycle on a replay of the part tells all: see MachineState::told_from.
  Cycle told_from(std::optional<PeRect> part);

  // For each of these PEs, see MachineState::act_until.
  std::vector<Cycle> act_until(std::span<const PeId> pes);

  std::size_t kept() const { return kept_.size(); }

 private:
  using State = std::vector<std::byte>;

  isa::Attempt<void> begin_again(Cycle until);
  Cycle apart() const;
  Rows rows_around(const std::optional<PeRect>& part) const;
  void keep();
  void thin_out();
  State state_of_front(std::optional<PeRect> part);
  static isa::Attempt<void> take_up(Machine& machine, const State& state,
                                    std::optional<PeRect> part);

  Make make_;
  RunOptions options_;
  Bounds bounds_;
  std::unique_ptr<Machine> front_;
  Stop stop_{};
  Cycle done_ = 0;               // the cycles before it are done by the front
  std::map<Cycle, State> kept_;  // by the first cycle that was not done
  std::uint64_t kept_bytes_ = 0;
  bool keeps_ = true;  // one checkpoint fits into the bounds
};

}  // namespace wse::vm
