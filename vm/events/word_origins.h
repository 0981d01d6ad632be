// Which instruction has sent each word that is in a queue, followed by the events of a trace.
//
//     issue, out red      up-ramp of PE(0,0), red:  17        17: the number of the instruction
//     move ramp -> east   west queue of PE(1,0):    17
//     move west -> ramp   down-ramp of PE(1,0):     17
//     issue, in red       taken: sent by 17
//
// A word that came from a PE, or a time, that is not traced has the number 0.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

#include "vm/contract/queue_counts.h"
#include "vm/ledger/trace_event.h"

namespace wse::vm {

class WordOrigins {
 public:
  // Is told of each queue that changes, how many words are in it then.
  using Changed =
      std::function<void(PeId pe, std::uint32_t colour, QueuePort port, std::size_t words)>;

  explicit WordOrigins(Changed changed) : changed_(std::move(changed)) {}

  // So many words of unknown origin are in the queue before the first event.
  void stand(PeId pe, std::uint32_t colour, QueuePort port, std::uint32_t words);
  void put(PeId pe, std::uint32_t colour, QueuePort port, std::uint64_t origin);
  std::uint64_t take(PeId pe, std::uint32_t colour, QueuePort port);
  // A router of the mesh moves a word.
  void move(const TraceEvent& event, const isa::Topology& mesh);

 private:
  using Place = std::tuple<PeId, std::uint32_t, QueuePort>;

  Changed changed_;
  std::map<Place, std::deque<std::uint64_t>> queues_{};
};

}  // namespace wse::vm
