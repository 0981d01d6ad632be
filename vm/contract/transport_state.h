// One PE of a transport between two cycles, as plain values: every transport gives it. The stepper
// takes up what any transport has given (vm/stepper/stepper_state.h), the planes what planes have
// (vm/planes/wafer_state.h). A checkpoint has one for each PE.
//
// No field of it may be believed: it may come from a stranger's file.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "isa/machine/filter.h"
#include "vm/contract/boundary.h"
#include "vm/contract/counting_filter.h"
#include "vm/contract/queue_counts.h"
#include "vm/load/channel_map.h"
#include "vm/support/state_archive.h"

namespace wse::vm {

struct TransportState {
  struct Wavelet {
    static constexpr std::uint32_t kMostHops = (1u << 30) - 1;

    std::uint32_t data = 0;  // or commands
    std::uint32_t hops = 0;  // links since its injection
    bool control = false;
    bool advances = false;  // the switch of its sender's router advances after it
    Cycle visible = 0;      // it can be taken from that cycle on

    template <class Archive>
    void pass(Archive& archive) {
      archive.number(data);
      archive.number(hops);
      archive.number(control);
      archive.number(advances);
      archive.number(visible);
    }
  };
  // A queue into which something has come.
  struct Queue {
    std::uint32_t channel = 0;  // of the PE, in ascending order of colours
    QueuePort port = QueuePort::DownRamp;
    std::uint64_t pushed = 0;   // wavelets that ever came
    std::uint32_t waiting = 0;  // of them, that are in it

    template <class Archive>
    void pass(Archive& archive, std::size_t channels) {
      archive.below(channel, channels);
      archive.below(port, kQueuePorts);
      archive.number(pushed);
      archive.number(waiting);
    }
  };
  struct Filter {
    isa::FilterShape shape = {};
    std::uint32_t least = 0;  // of a range
    std::uint32_t most = 0;
    CountingFilter counting = {};  // of the other kinds
    std::uint64_t dropped = 0;     // data wavelets that were kept away from the PE

    template <class Archive>
    void pass(Archive& archive) {
      archive.below(shape.kind, isa::kFilterKinds);
      archive.below(shape.counts, isa::kFilterCounts);
      archive.number(shape.control_filtered);
      archive.number(least);
      archive.number(most);
      counting.pass(archive);
      archive.number(dropped);
    }
  };
  struct Channel {
    std::uint32_t routing = 0;  // its number, see WrittenRoutings
    std::uint32_t position = 0;
    bool torn_down = false;
    bool has_filter = false;  // it has one, or had
    Filter filter = {};

    template <class Archive>
    void pass(Archive& archive) {
      archive.number(routing);
      archive.number(position);
      archive.number(torn_down);
      archive.number(has_filter);
      if (has_filter) filter.pass(archive);
    }
  };
  // An instruction that issues, or will. Elements that have issued are applied.
  struct Thread {
    std::uint32_t number = 0;
    std::uint64_t issued = 0;  // elements
    Cycle next = 0;            // it does not issue before
    bool unseen = false;       // nobody looks at its issues before `next`, which is its last one
    // Packed wavelets of which one element has issued: those taken, by source, and the one made.
    std::array<std::uint32_t, 2> half_in = {0, 0};
    std::uint32_t half_out = 0;

    template <class Archive>
    void pass(Archive& archive) {
      archive.below(number, 1 + isa::kMicrothreads);
      archive.number(issued);
      archive.number(next);
      archive.number(unseen);
      for (std::uint32_t* const word : {&half_in[0], &half_in[1], &half_out}) archive.number(*word);
    }
  };
  struct Fifo {
    std::uint32_t size = 0;     // elements in it
    std::uint64_t refused = 0;  // elements that found no place

    template <class Archive>
    void pass(Archive& archive) {
      archive.number(size);
      archive.number(refused);
    }
  };

  std::vector<Channel> channels;  // all of the PE, in ascending order of colours
  std::vector<Queue> queues;      // ascending by channel, then by port
  std::vector<Wavelet> wavelets;  // of these queues, in their order, heads first
  std::vector<Thread> threads;    // ascending
  std::vector<Fifo> fifos;        // all of the PE
  std::vector<Cycle> link_free;   // by link, where links take more than a cycle: free from then on
  std::array<Cycle, 2> held_until = {0, 0};  // bank conflicts hold the compute, the send slot
  Cycle scalar_until = 0;                    // code holds the compute slot
  std::uint32_t peak = 0;  // most wavelets that one queue of the router ever held, where it is kept

  void clear() {
    channels.clear();
    queues.clear();
    wavelets.clear();
    threads.clear();
    fifos.clear();
    link_free.clear();
    held_until = {0, 0};
    scalar_until = 0;
    peak = 0;
  }

  template <class Archive>
  void pass(Archive& archive) {
    archive.list(channels, 10, [&](Channel& channel) { channel.pass(archive); });
    archive.list(queues, 13, [&](Queue& queue) { queue.pass(archive, channels.size()); });
    archive.list(wavelets, 18, [&](Wavelet& wavelet) { wavelet.pass(archive); });
    archive.list(threads, 33, [&](Thread& thread) { thread.pass(archive); });
    archive.list(fifos, 12, [&](Fifo& fifo) { fifo.pass(archive); });
    archive.list(link_free, 8, [&](Cycle& cycle) { archive.number(cycle); });
    for (Cycle* const until : {&held_until[0], &held_until[1], &scalar_until}) {
      archive.number(*until);
    }
    archive.number(peak);
  }
};

// The states of a transport, PE by PE, of a machine that has stopped after cycle `now` and is
// flushed.
class TransportStates {
 public:
  // An instruction in flight that the transport steps.
  struct Begun {
    const Flow* flow = nullptr;  // null: there is none
    Cycle from = 0;              // it does not issue before
  };
  using BegunBy = std::function<Begun(ThreadId thread)>;

  virtual ~TransportStates() = default;

  // Adds to `state`, which is empty, what is held of the PE.
  virtual void give(PeId pe, Cycle now, TransportState& state) = 0;
  // Calls visit(pe, cycle) for the PEs that a stepper must look at, and when; more often is
  // harmless.
  using Visit = std::function<void(PeId pe, Cycle cycle)>;
  virtual void for_each_visit(Cycle now, const Visit& visit) const = 0;

  // When cycle `now` is done, and nothing was done here: takes up what was given of the PE. False
  // if no machine of the program can be in that state: then this one must not continue.
  virtual bool take(PeId pe, const TransportState& state, const BegunBy& begun_by, Cycle now) = 0;
  // Once all PEs of all strips have been taken, and the books: what follows from them together.
  virtual void settle(Cycle /*now*/) {}

  // ---- where several processes have the machine, before settle()
  // Calls visit(pe) for PEs of other strips whose queues are seen here, some of them again.
  virtual void for_each_neighbour(const std::function<void(PeId pe)>& visit) const = 0;
  // Fills queues that are seen here, of PEs of other processes, from the given states of these PEs;
  // those of PEs that are not given stay empty. False if the queues do not hold what they are
  // given.
  virtual bool fill_queues(const std::map<PeId, TransportState>& given) = 0;
  // Counts what came over links to a PE, perhaps of another process, for which this one keeps sums.
  virtual void count_links(PeId pe, const TransportState& state) = 0;
  // Forgets what came over links so far: another process keeps their sums.
  virtual void forget_links() = 0;
};

}  // namespace wse::vm
