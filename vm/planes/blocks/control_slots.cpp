// Control wavelets go into up-ramps and come out of down-ramps.
#include "vm/planes/blocks/control_slots.h"

#include <algorithm>

#include "vm/support/prefetch.h"

namespace wse::vm::wafer {

void ControlSlots::send(const ThreadPlanes& planes, std::uint32_t block, std::uint32_t number) {
  using Fetch = TransportClient::Fetch;
  const BlockThreads threads{parts_.threads, parts_.table.grid(), block, number};
  in_steps(
      lanes_.of(planes.issued & planes.control),
      [&](std::uint32_t lane) __attribute__((always_inline)) {
        prefetch(&threads[lane]);
        parts_.client.fetch(threads.id(lane), Fetch::Core);
      },
      [&](std::uint32_t lane) __attribute__((always_inline)) {
        parts_.run_lists.fetch().message(threads[lane]);
        prefetch_all(parts_.table.channels()[threads[lane].out]);
        parts_.client.fetch(threads.id(lane), Fetch::Instruction);
      },
      [&](std::uint32_t lane) __attribute__((always_inline)) {
        parts_.run_lists.fetch().first_word(threads[lane]);
        parts_.client.fetch(threads.id(lane), Fetch::Operands);
        const auto [up, place] = parts_.table.queue(threads[lane].out, kUpRamp);
        up->prefetch_lane(place);
      },
      [&](std::uint32_t lane) {
        const Thread& thread = threads[lane];
        const std::uint64_t issued = parts_.issue.issued(thread);
        const std::uint32_t word = parts_.words.word_of(thread, issued - 1);
        const bool advances = thread.flow->advance && issued == thread.flow->length;
        add_alike(thread, {.word = word, .advances = advances});
      });
  send_alike();
}

void ControlSlots::add_alike(const Thread& thread, const Standing& wavelet) {
  const std::uint32_t router = parts_.table.channels()[thread.out].router;
  auto alike = std::ranges::find_if(alike_, [&](const Alike& a) {
    const Standing& first = a.wavelets.wavelet;
    return a.router == router && first.word == wavelet.word && first.advances == wavelet.advances;
  });
  if (alike == alike_.end()) {
    if (alike_.size() == kMostAlike) send_alike();
    alike = alike_.insert(alike_.end(), {{{}, wavelet}, router, thread.out});
  }
  alike->wavelets.lanes.set(parts_.table.grid().lane_of(thread.pe));
}

void ControlSlots::send_alike() {
  for (const Alike& alike : alike_) {
    if (alike.wavelets.lanes.has_one()) {
      parts_.arrivals.at_up_ramp(alike.channel, alike.wavelets.wavelet);
    } else {
      parts_.arrivals.at_up_ramp(parts_.table[alike.router], alike.wavelets);
    }
  }
  alike_.clear();
}

void ControlSlots::take(IssuePlanes& planes, std::uint32_t block, Cycle now) {
  planes.has_controlled = false;
  for (std::uint32_t number = 0; number < planes.threads.size(); ++number) {
    ThreadPlanes* const thread = planes.threads[number].get();
    if (thread == nullptr || !thread->controlled.any()) continue;
    const BlockThreads threads{parts_.threads, parts_.table.grid(), block, number};
    for_each_lane(thread->controlled,
                  [&](std::uint32_t lane) { take(threads[lane], thread->cut, now); });
    thread->controlled = {};
    thread->has_ended |= thread->cut.any();
    planes.has_ended |= thread->has_ended;
  }
}

void ControlSlots::take(const Thread& thread, Lanes& cut, Cycle now) {
  const Flow& flow = *thread.flow;
  const std::uint64_t issued = parts_.issue.issued(thread);
  for (std::size_t k = 0; k < kInputs; ++k) {
    const isa::OnControl action = flow.on_control[k];
    if (action == isa::OnControl::Leave || !flow.takes_wavelet(k, issued)) continue;
    const ChannelId in = parts_.table.channels().find(thread.pe, flow.in[k]);
    if (parts_.down_ramps.head(in) != Transport::Head::Control) continue;
    parts_.down_ramps.take_control(in, now);
    if (action == isa::OnControl::Terminate) {
      cut.set(parts_.table.grid().lane_of(thread.pe));
    } else {
      parts_.client.controlled(thread.id(), k, now);
    }
  }
}

}  // namespace wse::vm::wafer
