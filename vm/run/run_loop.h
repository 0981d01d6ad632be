// Takes the strips of a machine through its cycles, to its end.
//
//     one strip   the cores in a cycle in which one of them acts, then the transport up to the next
//     several     each does the same cycle, on a thread of its own; then all join their reports,
//                 and come to the same decision
//
// A run does the same with any number of strips and threads.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <vector>

#include "vm/contract/communicator.h"
#include "vm/ledger/link_slices.h"
#include "vm/ledger/record.h"
#include "vm/strips/strip_threads.h"
#include "vm/strips/strips.h"

namespace wse::vm {

class RunLoop {
 public:
  struct Options {
    Cycle max_cycles = kNever;
    std::optional<Cycle> last = {};  // the last cycle that was done; none: the run begins
    const std::atomic<bool>* interrupt = nullptr;
    // The strips of this process in turn, on one thread, so that lines come in one order.
    bool traced = false;
    std::function<void(const Note& note)> note = {};  // in the order of cycles, PEs and code
    // About once a second: the last cycle that was done, and how many PEs were busy in it.
    std::function<void(Cycle now, std::uint64_t busy_pes)> progress = {};
    LinkSlices* links = nullptr;  // to be told when slices end; null: nobody wants to know
  };
  struct End {
    RunStatus status = RunStatus::Halted;
    Cycle now = 0;  // the last cycle that was done
  };

  // A thread for each strip that this process runs. All must stay.
  RunLoop(Strips& strips, StripThreads& threads, Communicator& communicator, const Options& options)
      : strips_(strips), threads_(threads), communicator_(communicator), options_(options) {}

  // Does the cycles after `last`, to the end or up to max_cycles, from where another loop may
  // continue. Throws what a thread threw.
  End run();

 private:
  // The decision that follows from all of them.
  struct Decision {
    bool over = false;
    End end;
    Cycle next = kNever;  // the cycle to be done, if it is not over
    Cycle notes_end = 0;  // notes of cycles before it are due
    bool has_notes = false;
    Cycle finish = 0;
    bool asks = false;
    std::uint64_t busy_pes = 0;
  };
  class Team;

  // Both end with Deadlock where nothing happens any more; run() makes that Halted if no PE has
  // unfinished work.
  End run_alone(Strip& strip);
  End run_in_turn();
  // Returns the report of the strip after cycle `now`; `asked`: its busy PEs are to be counted.
  StripReport report_of(const Strip& strip, bool first, bool asked, Cycle now);
  // Returns what follows from the reports of all after cycle `now`.
  Decision decide(const StripReport& all, Cycle now) const;
  static void step(Strip& strip, Cycle now);
  // Up to which cycle links may have to be read after a decision; 0 if nothing follows.
  Cycle links_end(const Decision& decision) const;
  bool must_read_links(Cycle end) const {
    return options_.links != nullptr && options_.links->due() <= end;
  }
  // All strips have taken in what came in the cycles before `end`.
  void read_links(Cycle end);
  void release_notes(Cycle end);
  // Before and after a reduction, by the first strip of each process: the notes of cycles before
  // `end` go to the process that runs strip 0, which releases those of all in their order.
  void tell_notes(Cycle end);
  void release_told_notes();
  // Returns whether the next line of progress is due.
  bool is_time_to_tell();

  using Clock = std::chrono::steady_clock;

  Strips& strips_;
  StripThreads& threads_;
  Communicator& communicator_;
  const Options& options_;
  Clock::time_point told_ = Clock::now();  // progress
  std::vector<Note> due_;                  // of this process, if strips are several processes'
};

}  // namespace wse::vm
