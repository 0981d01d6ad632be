// Threads begin. Planes learn of all that begin alike at once: PEs that run one program mostly do
// the same in the same cycle.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa/machine/profile.h"
#include "vm/contract/boundary.h"
#include "vm/planes/bits/due_list.h"
#include "vm/planes/bits/issue_table.h"
#include "vm/planes/bits/marked_set.h"
#include "vm/planes/bits/router_table.h"
#include "vm/planes/blocks/resting_blocks.h"
#include "vm/planes/words/fifos.h"
#include "vm/planes/words/words.h"

namespace wse::vm::wafer {

class StartingThreads {
 public:
  struct Parts {  // all must live longer
    const isa::Profile& profile;
    PeRange pes;  // of the strip
    RouterTable& table;
    IssueTable& issue;
    Threads& threads;
    Fifos& fifos;
    RunLists& run_lists;
    Words& words;
    RestingBlocks& rests;
    MarkedSet& moving;  // blocks in which a thread moves
  };
  // A thread that has issued some of its elements has this.
  struct Issued {
    std::uint64_t elements = 0;
    // Packed wavelets of which one element has issued: those taken, by source, and the one made.
    std::array<std::uint32_t, 2> half_in = {0, 0};
    std::uint32_t half_out = 0;
  };
  explicit StartingThreads(const Parts& parts);
  // Makes the planes, when the threads of all PEs are known.
  void make_planes();

  // See Transport.
  void begin(ThreadId thread, const Flow& flow, Cycle earliest);
  void cancel(ThreadId thread);
  // A thread of another machine continues here after so many elements, 1 or more, which are
  // applied.
  void go_on(ThreadId thread, const Flow& flow, const Issued& issued);

  // The first cycle in which a thread begins.
  Cycle next() const { return beginning_.next(); }
  // Starts the threads that begin in this cycle.
  void start(Cycle now);

 private:
  // Threads of one number and block that begin alike, in this cycle.
  struct Alike {
    const Flow* flow = nullptr;
    std::uint32_t block = 0;
    PeId pe = 0;  // of the first of them
    std::uint32_t number = 0;
    std::uint32_t count = 0;
    std::uint32_t before = kNone;  // the one found before it in the same block
    Lanes lanes;
  };
  void add_alike(const Thread& thread);
  void start_alike();
  // Sets what only the thread knows, but for its message.
  void start_thread(std::uint32_t index);
  // Opens the messages of what they send.
  void open_messages(const Alike& alike);
  void open_message(std::uint32_t index);
  // The words of its message that the thread issues from now on come next into the up-ramp.
  void begin_run(const Thread& thread);
  // Sets the planes. `lanes` are those of the threads, or the lane of the only one.
  template <class Which>
  void start_planes(const Alike& alike, const Which& lanes);
  template <class Which>
  void begin_rounds(IssuePlanes& planes, const Which& lanes, const Flow& flow) const;
  // Sets what only instructions have whose elements are applied at once: FIFOs, and names of
  // elements.
  void start_at_once(const Alike& alike, ThreadPlanes& planes);
  void use_fifos(const Alike& alike, ThreadPlanes& planes);
  // Finds or makes the use of the colour among the inputs or outputs of a thread's planes.
  RampUse& ramp_use(std::vector<RampUse>& uses, const Alike& alike, std::uint32_t colour);
  void prefetch_channels(const Thread& thread) const;
  void prefetch_queues(const Thread& thread) const;

  const Grid& grid_;
  PeRange pes_;
  bool duplex_;
  RouterTable& table_;
  IssueTable& issue_;
  Threads& threads_;
  Fifos& fifos_;
  RunLists& run_lists_;
  Words& words_;
  RestingBlocks& rests_;
  MarkedSet& moving_;
  DueList beginning_;                         // threads
  std::vector<Alike> alike_;                  // in this cycle
  std::vector<std::uint32_t> last_of_block_;  // of alike_; kNone: none
};

}  // namespace wse::vm::wafer
