// Wavelets become messages, runs and marks.
#include "vm/planes/blocks/taken_queues.h"

#include <algorithm>

#include "isa/support/mutant.h"
#include "vm/contract/router_rules.h"

namespace wse::vm::wafer {

bool TakenQueues::take(ChannelId first, const TransportState& state, Cycle now) {
  Wavelets rest = state.wavelets;
  for (const TransportState::Queue& given : state.queues) {
    if (given.channel >= state.channels.size() || given.waiting > rest.size()) return false;
    if (!take_queue(first + given.channel, given, rest.first(given.waiting), now)) return false;
    rest = rest.subspan(given.waiting);
  }
  return rest.empty();
}

// At most one wavelet comes into a queue in a cycle.
bool TakenQueues::take_queue(ChannelId id, const TransportState::Queue& given, Wavelets wavelets,
                             Cycle now) {
  const std::uint32_t number =
      given.port == QueuePort::DownRamp ? kDownRamp : static_cast<std::uint32_t>(given.port);
  const Channel& channel = parts_.table.channels()[id];
  const bool is_of_mesh =
      number == kDownRamp ? given.port == QueuePort::DownRamp : number < kQueues;
  if (!is_of_mesh || (channel.queues >> number & 1) == 0) return false;
  const auto [queue, lane] = parts_.table.queue(id, number);
  const bool is_first = queue->pushed().value(lane) == 0;
  if (!is_first || given.pushed == 0 || given.pushed > now + 1) return false;
  if (given.waiting > given.pushed) return false;
  queue->pushed().add(lane, given.pushed - given.waiting);
  while (!wavelets.empty()) {
    const std::size_t size = message_size(wavelets);
    const TransportState::Wavelet& head = wavelets.front();
    Standing standing{.message = kNone, .word = head.data, .hops = head.hops, .row = lane};
    if (head.hops > TransportState::Wavelet::kMostHops) return false;
    if (head.control) {
      standing.advances = head.advances;
      flag_control(channel, number, head.data);
    } else {
      standing.message = message_of(wavelets.first(size));
      standing.word = 0;
    }
    parts_.run_lists.append(*queue, lane, standing);
    parts_.run_lists.release(standing);
    for (std::size_t k = 0; k < size; ++k) {
      const bool is_marked = number != kDownRamp && (k == 0 || k + 1 == size);
      if (is_marked && !isa::mutant(isa::Mutant::TakenUnmarked)) {
        queue->flags().arm(LinkFlag::Marked, lane);
      }
      const Cycle visible = wavelets[k].visible;
      if (!queue->stand(lane, visible > now + 1 ? visible - now - 1 : 0)) return false;
    }
    wavelets = wavelets.subspan(size);
  }
  return true;
}

// Ends behind the word after which the switch of the sender advances: only a last one has that.
std::size_t TakenQueues::message_size(Wavelets wavelets) {
  if (wavelets.front().control) return 1;
  std::size_t size = 1;
  while (size < wavelets.size() && !wavelets[size].control && !wavelets[size - 1].advances &&
         wavelets[size].hops == wavelets.front().hops) {
    ++size;
  }
  return size;
}

std::uint32_t TakenQueues::message_of(Wavelets words) {
  const std::uint32_t index = parts_.messages.take(words.size(), kNone, words.back().advances);
  parts_.messages.reserve(index, words.size());
  Message& message = parts_.messages[index];
  std::ranges::transform(words, message.words_of(0), &TransportState::Wavelet::data);
  message.made = words.size();
  return index;
}

void TakenQueues::flag_control(const Channel& channel, std::uint32_t number,
                               std::uint32_t commands) {
  RouterPlanes& router = parts_.table.of(channel);
  FlagPlanes& flags = router.queue[number]->flags();
  const std::uint32_t lane = parts_.table.lane(channel);
  if (number != kDownRamp) {
    flags.arm(LinkFlag::Command, lane);
    if (is_hidden(commands)) flags.arm(LinkFlag::Hidden, lane);
    return;
  }
  flags.arm(RampFlag::Control, lane);
  if (is_unwanted(commands)) {
    flags.arm(RampFlag::Unwanted, lane);
  } else {
    parts_.controls.add(channel.pe);
  }
}

}  // namespace wse::vm::wafer
