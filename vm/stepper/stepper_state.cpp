// Gives and takes channels, queues and threads.
#include "vm/stepper/stepper_state.h"

#include <algorithm>

#include "isa/support/mutant.h"

namespace wse::vm {
namespace {

// A packed wavelet holds two elements, the first of which is its low half.
constexpr std::uint32_t kFirstHalf = 0xffff;

bool takes_half(const MovingThread& thread, std::size_t k) {
  return thread.course == Course::Any && thread.flow->packed_in[k] &&
         thread.flow->in[k] != kNoColour && thread.issued % 2 != 0;
}
bool makes_half(const MovingThread& thread) {
  return thread.flow->packed_out && thread.flow->out != kNoColour && thread.issued % 2 != 0;
}

Wavelet wavelet_of(const TransportState::Wavelet& given) {
  return Wavelet(given.data, given.control, given.advances).with_hops(given.hops);
}

// The word that the thread makes, which has room for it.
std::uint32_t& word_out(ThreadTable& threads, MovingThread& thread) {
  FabricOperands& fabric = threads.operands(thread);
  if (!thread.runs_ahead()) return fabric.word_out;
  return threads.words_of(thread, fabric.block)[thread.issued % kBuffered / 2];
}

}  // namespace

// ---- give

std::span<Cycle> StepperState::links_of(PeId pe) {
  const std::size_t links = peers_.links.empty() ? 0 : peers_.mesh.links();
  return std::span(peers_.links).subspan(pes_.index(pe) * links, links);
}

void StepperState::give(PeId pe, Cycle /*now*/, TransportState& state) {
  for (const Channel& channel : peers_.state.channels().of(pe)) {
    const ChannelId id = peers_.map.find(pe, channel.colour);
    TransportState::Channel given{.routing = routings_.number_of(id, channel.routing),
                                  .position = channel.position,
                                  .torn_down = channel.torn_down};
    if (channel.extra != kNoExtra) {
      const ChannelExtra& extra = peers_.state.extra(channel);
      given.has_filter = true;
      given.filter = extra.filter.state();
      given.filter.dropped = extra.dropped;
    }
    give_queues(channel, static_cast<std::uint32_t>(state.channels.size()), state);
    state.channels.push_back(given);
  }
  IssuingPe& here = peers_.threads.at(pe);
  for (std::uint32_t rest = turns::numbers(here.moving); rest != 0; rest &= rest - 1) {
    state.threads.push_back(given(peers_.threads.thread_of(here, turns::first(rest))));
  }
  if (peers_.threads.has_fifos(pe)) {
    const FifoLevels& fifos = peers_.threads.fifos(pe);
    for (std::uint32_t k = 0; k < fifos.count(); ++k) {
      state.fifos.push_back({fifos.size(k), fifos.refused(k)});
    }
  }
  const std::span<const Cycle> links = links_of(pe);
  state.link_free.assign(links.begin(), links.end());
  state.held_until = here.held_until;
  state.scalar_until = here.scalar_until;
  state.peak = peers_.state.peaks().of(pe);
}

void StepperState::give_queues(const Channel& channel, std::uint32_t number,
                               TransportState& state) const {
  for (std::uint32_t port = 0; port < kQueuePorts; ++port) {
    const QueueId id = peers_.state.channels().queue(channel, static_cast<QueuePort>(port));
    if (id == kNoQueue) continue;
    const Queue& queue = peers_.state.queues()[id];
    if (queue.pushed() == 0) continue;
    state.queues.push_back({number, static_cast<QueuePort>(port), queue.pushed(), queue.size()});
    for (std::uint32_t k = 0; k < queue.size(); ++k) {
      const Wavelet wavelet = queue.at(k);
      state.wavelets.push_back({wavelet.data(), wavelet.hops(), wavelet.control(),
                                wavelet.advances(), queue.visible_from(k)});
    }
  }
}

TransportState::Thread StepperState::given(MovingThread& thread) {
  TransportState::Thread given{.number = thread.number,
                               .issued = thread.issued,
                               .next = thread.next,
                               .unseen = thread.unseen};
  for (std::size_t k = 0; k < given.half_in.size(); ++k) {
    if (takes_half(thread, k)) given.half_in[k] = peers_.threads.words_in(thread, k)[0];
  }
  if (makes_half(thread)) given.half_out = word_out(peers_.threads, thread) & kFirstHalf;
  return given;
}

// ---- take

bool StepperState::take(PeId pe, const TransportState& state, const BegunBy& begun_by, Cycle now) {
  const ChannelId first = peers_.map.first(pe);
  if (state.channels.size() != peers_.map.first(pe + 1) - first) return false;
  for (std::uint32_t k = 0; k < state.channels.size(); ++k) {
    if (!take_channel(first + k, state.channels[k])) return false;
  }
  if (!take_queues(pe, state) || !take_threads(pe, state, begun_by, now)) return false;
  if (!take_fifos(pe, state)) return false;
  // A transport without late links says nothing of them.
  const std::span<Cycle> links = links_of(pe);
  if (!state.link_free.empty() && state.link_free.size() != links.size()) return false;
  std::ranges::copy(state.link_free, links.begin());
  IssuingPe& here = peers_.threads.at(pe);
  here.held_until = state.held_until;
  here.scalar_until = state.scalar_until;
  peers_.state.peaks().set(pe, state.peak);
  find_standing(pe);
  return true;
}

bool StepperState::take_channel(ChannelId id, const TransportState::Channel& given) {
  RouterState& state = peers_.state;
  Channel& channel = state.channels()[id];
  if (!routings_.has(id, given.routing)) return false;
  const isa::Routing* const routing = routings_.routing_of(id, given.routing, channel.routing);
  if (given.routing == WrittenRoutings::kImage && routing == nullptr) return false;
  if (routing != nullptr && given.position >= routing->positions.size()) return false;
  if (routing != nullptr) {
    channel.routing = routing;
    state.channels().go_to(channel, given.position);
  } else if (channel.routing != nullptr) {
    return false;  // no program takes one away
  }
  channel.torn_down = given.torn_down;
  if (!given.has_filter && channel.extra == kNoExtra) return true;
  ChannelExtra& extra = state.make_extra(id);
  extra.filter = given.has_filter ? FilterState(given.filter) : FilterState();
  extra.dropped = given.has_filter ? given.filter.dropped : 0;
  return true;
}

bool StepperState::take_queues(PeId pe, const TransportState& state) {
  const Channel* const channels = peers_.state.channels().first_of(pe);
  std::size_t next = 0;
  for (const TransportState::Queue& given : state.queues) {
    if (given.channel >= state.channels.size()) return false;
    const QueueId id = peers_.state.channels().queue(channels[given.channel], given.port);
    if (id == kNoQueue) return false;
    Queue& queue = peers_.state.queues()[id];
    const bool is_first = queue.pushed() == 0;
    if (!is_first || given.waiting > given.pushed || given.pushed == 0) return false;
    if (given.waiting > state.wavelets.size() - next) return false;
    for (std::uint32_t k = 0; k < given.waiting; ++k) {
      const TransportState::Wavelet& wavelet = state.wavelets[next++];
      if (queue.full() || wavelet.hops > TransportState::Wavelet::kMostHops) return false;
      const Cycle visible = isa::mutant(isa::Mutant::RestoredVisible) ? 0 : wavelet.visible;
      queue.push(wavelet_of(wavelet), visible);
    }
    queue.set_pushed(given.pushed);
  }
  count_links(pe, state);
  return next == state.wavelets.size();
}

void StepperState::tell_words(Causes& causes) const {
  for (PeId pe = pes_.first; pe < pes_.end; ++pe) {
    for (const Channel& channel : peers_.state.channels().of(pe)) {
      for (std::uint32_t port = 0; port < kQueuePorts; ++port) {
        const QueueId id = peers_.state.channels().queue(channel, static_cast<QueuePort>(port));
        if (id != kNoQueue) causes.stand(number_of(id), peers_.state.queues()[id].size());
      }
    }
  }
}

bool StepperState::take_threads(PeId pe, const TransportState& state, const BegunBy& begun_by,
                                Cycle now) {
  std::uint32_t taken = 0;
  peers_.threads.at(pe).quiet_until = 0;  // whoever looks too early finds nothing
  for (const TransportState::Thread& given : state.threads) {
    if (given.number >= turns::kSlots || (taken >> given.number & 1) != 0) return false;
    taken |= 1u << given.number;
    const Begun begun = begun_by({pe, given.number});
    if (begun.flow == nullptr) return false;
    if (!take_thread({pe, given.number}, given, begun, now)) return false;
  }
  for (std::uint32_t k = 0; k < turns::kSlots; ++k) {  // all that the cores wait for
    if ((taken >> k & 1) == 0 && begun_by({pe, k}).flow != nullptr) return false;
  }
  return true;
}

bool StepperState::take_thread(ThreadId id, const TransportState::Thread& given, const Begun& begun,
                               Cycle now) {
  if (begun.from > now && (given.issued != 0 || given.next < begun.from)) return false;
  peers_.threads.begin(id, *begun.flow, given.next);
  MovingThread& thread = peers_.threads.thread_of(peers_.threads.at(id.pe), id.thread);
  thread.issued = thread.applied = given.issued;
  thread.next = given.next;
  thread.unseen = given.unseen;
  if (!fits(thread, now)) return false;
  if (thread.unseen) peers_.threads.at(id.pe).quiet_until = thread.next;
  take_halves(thread, given);
  return true;
}

bool StepperState::fits(const MovingThread& thread, Cycle now) {
  if (thread.length == 0 || thread.issued >= thread.length) return false;
  if (!thread.unseen) return true;
  const bool is_alone = thread.number == kMainThread && thread.course == Course::Memory;
  return is_alone && thread.next > now && thread.next - now > thread.cycles_to_last();
}

void StepperState::take_halves(MovingThread& thread, const TransportState::Thread& given) {
  if (isa::mutant(isa::Mutant::RestoredHalves)) return;
  for (std::size_t k = 0; k < given.half_in.size(); ++k) {
    if (!takes_half(thread, k)) continue;
    peers_.threads.words_in(thread, k)[0] = given.half_in[k];
    peers_.threads.operands(thread).words_in[k] = 1;
  }
  if (makes_half(thread)) word_out(peers_.threads, thread) = given.half_out;
}

bool StepperState::take_fifos(PeId pe, const TransportState& state) {
  if (!peers_.threads.has_fifos(pe)) return state.fifos.empty();
  FifoLevels& fifos = peers_.threads.fifos(pe);
  if (state.fifos.size() != fifos.count()) return false;
  for (std::uint32_t k = 0; k < fifos.count(); ++k) {
    if (state.fifos[k].size > fifos.capacity(k)) return false;
    fifos.set(k, state.fifos[k].size, state.fifos[k].refused);
  }
  return true;
}

void StepperState::find_standing(PeId pe) {
  RouterState& state = peers_.state;
  Channels& channels = state.channels();
  state.standing(pe) = 0;
  state.controls(pe) = 0;
  for (ChannelId id = peers_.map.first(pe); id < peers_.map.first(pe + 1); ++id) {
    Channel& channel = channels[id];
    channel.unwanted = 0;
    if (channel.down != kNoQueue) {
      const Queue& down = state.queues()[channel.down];
      for (std::uint32_t k = 0; k < down.size(); ++k) {
        if (!down.at(k).control()) continue;
        is_unwanted(down.at(k).data()) ? void(++channel.unwanted) : void(++state.controls(pe));
      }
    }
    channels.update_plain(channel);
    if (state.stands(channel)) state.stand(channel);
  }
}

void StepperState::count_links(PeId pe, const TransportState& state) {
  LinkSums* const links = peers_.state.links();
  if (links == nullptr) return;
  for (const TransportState::Queue& queue : state.queues) {
    const bool is_link = queue.port != QueuePort::UpRamp && queue.port != QueuePort::DownRamp;
    if (is_link) links->came(pe, static_cast<isa::Port>(queue.port), queue.pushed);
  }
}

void StepperState::forget_links() {
  if (LinkSums* const links = peers_.state.links()) links->clear();
}

template <class Take>
void StepperState::for_each_ghost(Take visit) const {
  RouterState& state = peers_.state;
  for (PeId pe = pes_.first; pe < pes_.end; ++pe) {
    for (const Channel& channel : state.channels().of(pe)) {
      state.channels().for_each_target(channel, channel.ports, [&](isa::Port port, QueueId ghost) {
        if (port == isa::Port::Ramp || ghost == kNoQueue) return;
        const PeId there = state.queues()[ghost].reader().pe;
        if (!pes_.contains(there)) visit(channel, port, state.queues()[ghost], there);
      });
    }
  }
}

void StepperState::for_each_neighbour(const std::function<void(PeId pe)>& visit) const {
  for_each_ghost([&](const Channel&, isa::Port, const Queue&, PeId there) { visit(there); });
}

void StepperState::copy_queues(const std::function<const RouterState*(PeId pe)>& state_of) {
  for_each_ghost([&](const Channel& channel, isa::Port port, Queue& ghost, PeId there) {
    const RouterState* const other = state_of(there);
    if (other == nullptr) return;
    const Channel& behind = other->channels()[other->channels().find(there, channel.colour)];
    ghost.copy(other->queues()[other->channels().queue(behind, input_queue(isa::opposite(port)))]);
  });
}

bool StepperState::fill(Queue& ghost, std::uint32_t channel, QueuePort port,
                        const TransportState& given) {
  std::size_t next = 0;
  for (const TransportState::Queue& queue : given.queues) {
    if (queue.waiting > given.wavelets.size() - next) return false;
    if (queue.channel == channel && queue.port == port) {
      for (std::uint32_t k = 0; k < queue.waiting; ++k) {
        const TransportState::Wavelet& wavelet = given.wavelets[next + k];
        if (ghost.full() || wavelet.hops > TransportState::Wavelet::kMostHops) return false;
        ghost.push(wavelet_of(wavelet), wavelet.visible);
      }
    }
    next += queue.waiting;
  }
  return true;
}

bool StepperState::fill_queues(const std::map<PeId, TransportState>& given) {
  bool fits = true;
  for_each_ghost([&](const Channel& channel, isa::Port port, Queue& ghost, PeId there) {
    const auto state = given.find(there);
    if (state == given.end()) return;
    const ChannelId number = peers_.map.find(there, channel.colour) - peers_.map.first(there);
    fits &= fill(ghost, number, input_queue(isa::opposite(port)), state->second);
  });
  return fits;
}

}  // namespace wse::vm
