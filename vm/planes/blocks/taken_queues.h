// The wavelets of another machine: they are in the queues here as they were there. Words that came
// behind each other and passed as many links become a message of their own, all of it made.
//
//     given     w5 w6 | control | w0 w1 ...          what the sender has still to send is a run of
//     here      {message A: w5 w6} {control} {message B: w0 w1}       its own, when it comes
#pragma once

#include <cstdint>
#include <span>

#include "vm/contract/transport_state.h"
#include "vm/planes/bits/router_table.h"
#include "vm/planes/blocks/waiting_controls.h"
#include "vm/planes/words/run_lists.h"

namespace wse::vm::wafer {

class TakenQueues {
 public:
  struct Parts {  // all must live longer
    RouterTable& table;
    Messages& messages;
    RunLists& run_lists;
    WaitingControls& controls;
  };
  explicit TakenQueues(const Parts& parts) : parts_(parts) {}

  // Takes the queues of the PE, of whose channels that is the first. False if queues cannot be like
  // that.
  bool take(ChannelId first, const TransportState& state, Cycle now);

 private:
  using Wavelets = std::span<const TransportState::Wavelet>;

  bool take_queue(ChannelId channel, const TransportState::Queue& given, Wavelets wavelets,
                  Cycle now);
  // How many of the wavelets are a message, from the first one on.
  static std::size_t message_size(Wavelets wavelets);
  // Returns a message of these words, which the caller holds.
  std::uint32_t message_of(Wavelets words);
  // Flags of the next wavelet that comes.
  void flag_control(const Channel& channel, std::uint32_t queue, std::uint32_t commands);

  Parts parts_;
};

}  // namespace wse::vm::wafer
