// Passes channels, queues and threads field by field.
#include "vm/stepper/stepper_state.h"

#include <algorithm>

namespace wse::vm {

template <class Archive>
void StepperState::pass(Archive& archive, PeId pe, const BegunBy& begun_by, Cycle now) {
  const ChannelMap& map = peers_.map;
  for (ChannelId id = map.first(pe); archive.ok() && id < map.first(pe + 1); ++id) {
    pass_channel(archive, id, peers_.state.channels()[id]);
  }
  peers_.state.peaks().pass(archive, pe);
  const std::size_t links = peers_.links.empty() ? 0 : peers_.mesh.links();
  for (std::size_t k = 0; k < links; ++k) {
    archive.number(peers_.links[pes_.index(pe) * links + k]);
  }
  pass_threads(archive, pe, begun_by, now);
  if constexpr (Archive::kReads) find_standing(pe);
}

template <class Archive>
void StepperState::pass_channel(Archive& archive, ChannelId id, Channel& channel) {
  RouterState& state = peers_.state;
  pass_routing(archive, id, channel);
  archive.number(channel.torn_down);
  bool has_extra = channel.extra != kNoExtra;
  archive.number(has_extra);
  if (has_extra) {
    ChannelExtra& extra = state.make_extra(id);
    extra.filter.pass(archive);
    archive.number(extra.dropped);
  }
  for (const QueueId queue : state.channels().queues(channel)) state.queues()[queue].pass(archive);
}

const std::vector<const isa::Routing*>& StepperState::written(ChannelId id) {
  if (written_.empty()) {
    for (const ChannelMap::Written& one : peers_.map.written()) {
      if (!pes_.contains(one.pe)) continue;
      written_[peers_.map.find(one.pe, one.colour)].push_back(one.routing);
    }
  }
  return written_[id];
}

template <class Archive>
void StepperState::pass_routing(Archive& archive, ChannelId id, Channel& channel) {
  constexpr std::uint32_t kNone = ~0u, kImage = kNone - 1;
  std::uint32_t number = kNone;
  if constexpr (!Archive::kReads) {
    if (channel.routing != nullptr) number = kImage;
    const std::vector<const isa::Routing*>& others = written(id);
    const auto other = std::ranges::find(others, channel.routing);
    if (channel.routing != nullptr && other != others.end()) {
      number = static_cast<std::uint32_t>(other - others.begin());
    }
  }
  archive.number(number);
  std::uint32_t position = channel.position;
  archive.number(position);
  if constexpr (Archive::kReads) {
    const isa::Routing* routing = nullptr;
    if (number == kImage) {
      routing = channel.routing;  // as the machine begins
    } else if (number != kNone) {
      archive.expect(number < written(id).size());
      if (archive.ok()) routing = written(id)[number];
    }
    archive.expect((routing == nullptr) == (number == kNone) &&
                   (routing == nullptr || position < routing->positions.size()));
    if (!archive.ok() || routing == nullptr) return;
    channel.routing = routing;
    peers_.state.channels().go_to(channel, position);
  }
}

template <class Archive>
void StepperState::pass_threads(Archive& archive, PeId pe, const BegunBy& begun_by, Cycle now) {
  IssuingPe& here = peers_.threads.at(pe);
  archive.number(here.scalar_until);
  for (Cycle& until : here.held_until) archive.number(until);
  std::uint32_t numbers = turns::numbers(here.moving);
  archive.number(numbers);
  archive.expect(numbers >> turns::kSlots == 0);
  if constexpr (Archive::kReads) {  // all that the cores wait for
    for (std::uint32_t k = 0; k < turns::kSlots; ++k) {
      archive.expect((begun_by({pe, k}).flow != nullptr) == ((numbers >> k & 1) != 0));
    }
  }
  for (std::uint32_t rest = numbers; archive.ok() && rest != 0; rest &= rest - 1) {
    const std::uint32_t number = turns::first(rest);
    const Begun begun = begun_by({pe, number});
    if constexpr (Archive::kReads) peers_.threads.begin({pe, number}, *begun.flow, 0);
    MovingThread& thread = peers_.threads.thread_of(here, number);
    pass_thread(archive, thread, now);
    archive.expect(begun.from <= now || (thread.issued == 0 && thread.next >= begun.from));
  }
  archive.number(here.quiet_until);
  if (peers_.threads.has_fifos(pe)) peers_.threads.fifos(pe).pass(archive);
}

bool StepperState::fits(const MovingThread& thread, Cycle now) {
  const std::uint64_t whole = thread.flow->length;
  if (thread.length == 0 || thread.length > whole || thread.issued >= thread.length) return false;
  if (thread.unseen) {
    const bool is_alone = thread.number == kMainThread && thread.course == Course::Memory;
    if (!is_alone || thread.next <= now || thread.next - now <= thread.cycles_to_last())
      return false;
  }
  if (thread.runs_ahead()) {
    return thread.applied >= thread.issued && thread.applied <= thread.length &&
           thread.applied - thread.issued <= kBuffered &&
           (thread.applied % kBuffered == 0 || thread.applied == thread.length);
  }
  return thread.applied == thread.issued;  // it was flushed
}

template <class Archive>
void StepperState::pass_thread(Archive& archive, MovingThread& thread, Cycle now) {
  for (std::uint64_t* const count : {&thread.length, &thread.issued, &thread.applied}) {
    archive.number(*count);
  }
  archive.number(thread.next);
  for (std::uint32_t& word : thread.few) archive.number(word);
  archive.number(thread.unseen);
  archive.expect(fits(thread, now));
  if (thread.aside == kNothing) return;
  if (thread.course == Course::Any) return pass_fabric(archive, thread);
  std::uint32_t* const words = peers_.threads.words_of(thread, thread.aside);
  for (std::uint32_t k = 0; k < kBuffered; ++k) archive.number(words[k]);
}

template <class Archive>
void StepperState::pass_fabric(Archive& archive, MovingThread& thread) {
  FabricOperands& fabric = peers_.threads.operands(thread);
  const auto pass_block = [&](std::uint32_t block) {
    if (block == kNothing) return;
    std::uint32_t* const words = peers_.threads.words_of(thread, block);
    for (std::uint32_t k = 0; k < kBuffered; ++k) archive.number(words[k]);
  };
  pass_block(fabric.block);
  for (std::size_t k = 0; k < 2; ++k) {
    pass_block(fabric.blocks_in[k]);
    archive.number(fabric.words_in[k]);
    // It was flushed: the second half of a wavelet is left at most.
    const bool has_half = thread.flow->packed_in[k] && thread.issued % 2 != 0;
    archive.expect(fabric.words_in[k] == (has_half ? 1 : 0));
  }
  archive.number(fabric.index_in);
  archive.number(fabric.word_out);
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

void StepperState::copy_queues(const std::function<const RouterState&(PeId pe)>& state_of) {
  RouterState& state = peers_.state;
  for (PeId pe = pes_.first; pe < pes_.end; ++pe) {
    for (const Channel& channel : state.channels().of(pe)) {
      state.channels().for_each_target(channel, channel.ports, [&](isa::Port port, QueueId ghost) {
        if (port == isa::Port::Ramp || ghost == kNoQueue) return;
        const PeId there = state.queues()[ghost].reader().pe;
        if (pes_.contains(there)) return;
        const RouterState& other = state_of(there);
        const Channel& behind = other.channels().at(there, channel.colour);
        state.queues()[ghost].copy(
            other.queues()[other.channels().queue(behind, input_queue(isa::opposite(port)))]);
      });
    }
  }
}

template void StepperState::pass(StateWriter&, PeId, const BegunBy&, Cycle);
template void StepperState::pass(StateReader&, PeId, const BegunBy&, Cycle);

}  // namespace wse::vm
