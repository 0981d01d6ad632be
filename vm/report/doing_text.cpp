// Asks the core, and the transport about what moves.
#include "vm/report/doing_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "vm/report/route_walk.h"
#include "vm/report/task_text.h"

namespace wse::vm {
namespace {

std::string place_text(const Scene& scene, const Core& core, std::uint32_t pc) {
  const std::string place = scene.image.place_text(core.program->program->line_of(pc));
  return place.empty() ? fmt::format("word {}", pc) : place;
}

bool lacks_something(const WaitingThread& thread) {
  return thread.output != kNoColour || thread.empty != kNoFifo || thread.full != kNoFifo ||
         std::ranges::any_of(thread.inputs, [](std::uint32_t c) { return c != kNoColour; });
}

std::string moving_text(const Scene& scene, const Core& core, ThreadId thread, std::uint32_t pc) {
  const std::string place = place_text(scene, core, pc);
  for (const WaitingThread& moving : scene.transport.waiting(thread.pe, scene.waits_in())) {
    if (moving.thread.thread != thread.thread) continue;
    if (lacks_something(moving)) return "waits at " + place;
    break;
  }
  return "is at " + place;
}

bool sends(const InFlight& f, std::uint32_t colour) {
  const Operand& to = f.operands().destination;
  return to.kind == Operand::Kind::FabricOut && to.descriptor.colour == colour;
}

}  // namespace

std::string doing_text(const Scene& scene, ThreadId thread) {
  const Core& core = scene.cores.core(thread.pe);
  const bool has_one = (core.in_flight.threads() >> thread.thread & 1) != 0;
  const InFlight* const moving = has_one ? core.in_flight.find(thread.thread) : nullptr;
  if (thread.thread != kMainThread) {
    if (moving != nullptr) return moving_text(scene, core, thread, moving->pc());
    return "is not in use";
  }
  switch (core.main) {
    case Core::Main::Halted: return "has halted";
    case Core::Main::Free: return "has no task to run";
    case Core::Main::Vector:
      if (moving != nullptr) return moving_text(scene, core, thread, moving->pc());
      break;
    case Core::Main::Waiting:
      return fmt::format("waits for microthread {} at {}", core.awaited - 1,
                         place_text(scene, core, main_pc(core)));
    case Core::Main::Saving:
      return "waits for a microthread at " + place_text(scene, core, main_pc(core));
    default: break;
  }
  return "computes at " + place_text(scene, core, main_pc(core));
}

ThreadId sender_of(const Scene& scene, PeId pe, std::uint32_t colour) {
  for (const InFlight& f : scene.cores.core(pe).in_flight) {
    if (sends(f, colour)) return {pe, f.thread()};
  }
  return {pe, kMainThread};
}

ThreadId receiver_of(const Scene& scene, PeId pe, std::uint32_t colour) {
  for (const InFlight& f : scene.cores.core(pe).in_flight) {
    if (f.receives(colour)) return {pe, f.thread()};
  }
  return {pe, kMainThread};
}

std::uint64_t on_the_way(const Scene& scene, PeId pe, std::uint32_t colour) {
  const ChannelId to = scene.channels.find(pe, colour);
  if (to == kNoChannel) return 0;
  std::uint64_t wavelets = scene.transport.queued(to, QueuePort::DownRamp);
  for (const ChannelId id : way_to(scene, to)) {
    const ChannelState channel = scene.transport.channel(id);
    const isa::Port rx = channel.current()->rx;
    wavelets +=
        scene.transport.queued(id, rx == isa::Port::Ramp ? QueuePort::UpRamp : input_queue(rx));
  }
  return wavelets;
}

}  // namespace wse::vm
