// Adds what has ended to what is under way.
#include "vm/report/counts.h"

#include "isa/machine/control_word.h"

namespace wse::vm {
namespace {

const Operand* input_of(const InFlight& f, std::uint32_t colour) {
  for (const Operand* operand : f.operands().all()) {
    if (operand->receives() && operand->descriptor.colour == colour) return operand;
  }
  return nullptr;
}

const Operand* output_of(const InFlight& f, std::uint32_t colour) {
  const Operand& to = f.operands().destination;
  return to.kind == Operand::Kind::FabricOut && to.descriptor.colour == colour ? &to : nullptr;
}

// Elements of the thread's instruction that have issued.
std::uint64_t issued(const Scene& scene, ThreadId thread) {
  for (const WaitingThread& waiting : scene.transport.waiting(thread.pe, scene.now)) {
    if (waiting.thread == thread) return waiting.issued;
  }
  return 0;
}

// Counts the elements of an instruction that waits, so that some are still to come: a packed
// wavelet comes with the first of its elements and leaves with the second.
std::uint64_t words_of(const Operand& operand, std::uint64_t elements) {
  const bool sends_pairs = !operand.receives() && operand.is_packed();
  return sends_pairs ? elements / 2 : operand.wavelets_of(elements);
}

Progress progress(const Scene& scene, ThreadId thread, const InFlight& f, const Operand& operand) {
  Progress progress{.words = words_of(operand, issued(scene, thread)), .of = {}};
  if (!f.is_unbounded()) progress.of = operand.wavelets_of(f.plan->length());
  progress.control = !operand.receives() && operand.descriptor.options.control;
  progress.ends_by_control = f.is_unbounded() && operand.on_control() == isa::OnControl::Terminate;
  return progress;
}

template <class OperandOf>
Progress progress_of(const Scene& scene, ThreadId thread, OperandOf operand_of) {
  for (const InFlight& f : scene.cores.core(thread.pe).in_flight) {
    const Operand* operand = f.thread() == thread.thread ? operand_of(f) : nullptr;
    if (operand != nullptr) return progress(scene, thread, f, *operand);
  }
  return {};
}

// Words of all instructions of the PE that are in flight.
template <class OperandOf>
std::uint64_t under_way(const Scene& scene, PeId pe, OperandOf operand_of) {
  if (scene.loaded.program_at(pe) == nullptr) return 0;
  std::uint64_t words = 0;
  for (const InFlight& f : scene.cores.core(pe).in_flight) {
    const Operand* operand = f.is_moving() ? operand_of(f) : nullptr;
    if (operand == nullptr || operand->descriptor.options.control) continue;
    words += progress(scene, {pe, f.thread()}, f, *operand).words;
  }
  return words;
}

}  // namespace

Progress received(const Scene& scene, ThreadId thread, std::uint32_t colour) {
  return progress_of(scene, thread, [&](const InFlight& f) { return input_of(f, colour); });
}

Progress sending(const Scene& scene, ThreadId thread, std::uint32_t colour) {
  return progress_of(scene, thread, [&](const InFlight& f) { return output_of(f, colour); });
}

std::uint64_t taken(const Scene& scene, PeId pe, std::uint32_t colour) {
  const ChannelId channel = scene.channels.find(pe, colour);
  if (channel == kNoChannel) return 0;
  return scene.history.words(channel).taken +
         under_way(scene, pe, [&](const InFlight& f) { return input_of(f, colour); });
}

std::uint64_t sent(const Scene& scene, PeId pe, std::uint32_t colour) {
  const ChannelId channel = scene.channels.find(pe, colour);
  if (channel == kNoChannel) return 0;
  return scene.history.words(channel).sent +
         under_way(scene, pe, [&](const InFlight& f) { return output_of(f, colour); });
}

std::uint64_t waiting_words(const Scene& scene, const ChannelState& channel) {
  const std::uint32_t size = scene.queued(channel, QueuePort::DownRamp);
  std::uint64_t words = 0;
  for (std::uint32_t k = 0; k < size; ++k) {
    const StandingWavelet wavelet = scene.transport.wavelet(channel.id, QueuePort::DownRamp, k);
    words += wavelet.control ? 0 : 1;
  }
  return words;
}

ControlPlace first_control(const Scene& scene, const ChannelState& channel) {
  const std::uint32_t size = scene.queued(channel, QueuePort::DownRamp);
  for (std::uint32_t k = 0; k < size; ++k) {
    const StandingWavelet wavelet = scene.transport.wavelet(channel.id, QueuePort::DownRamp, k);
    if (wavelet.control && isa::entry_of(wavelet.data) != isa::kNoEntry) return {wavelet, k};
  }
  return {};
}

std::optional<Untaken> untaken(const Scene& scene, ChannelId id) {
  const ChannelState channel = scene.transport.channel(id);
  if (scene.queued(channel, QueuePort::DownRamp) == 0) return std::nullopt;
  if (scene.first_in(channel).control) return std::nullopt;
  if (scene.loaded.program_at(channel.pe) != nullptr) {
    for (const InFlight& f : scene.cores.core(channel.pe).in_flight) {
      if (f.is_moving() && f.receives(channel.colour)) return std::nullopt;
    }
  }
  return Untaken{id, waiting_words(scene, channel)};
}

std::optional<isa::Port> held_side(const Scene& scene, const ChannelState& channel) {
  if (channel.routing == nullptr) return std::nullopt;
  std::optional<isa::Port> held;
  for_each_port(scene.mesh.ports(), [&](isa::Port side) {
    const bool other = side != channel.current()->rx && !held;
    if (other && scene.queued(channel, input_queue(side)) > 0) held = side;
  });
  return held;
}

Strays::Strays(const Scene& scene) {
  for (ChannelId id = 0; id < scene.channels.size(); ++id) {
    const ChannelState channel = scene.transport.channel(id);
    const std::uint32_t colour = channel.colour;
    if (const std::optional<Untaken> here = untaken(scene, id)) {
      if (!first_[colour]) first_[colour] = here;
      places_[colour].push_back(channel.pe);
    }
    if (const std::optional<isa::Port> side = held_side(scene, channel)) {
      if (!first_held_[colour]) first_held_[colour] = {id, *side};
      holders_[colour].push_back(channel.pe);
    }
  }
}

}  // namespace wse::vm
