// Reads cores and queues; memory is read through Machine::read_symbol().
#include "vm/report/pe_state.h"

#include <fmt/format.h>

#include "vm/report/task_text.h"

namespace wse::vm {
namespace {

using State = std::vector<std::pair<std::string, std::string>>;

std::string main_text(Core::Main main) {
  switch (main) {
    case Core::Main::Vector: return "waits for its vector instruction";
    case Core::Main::Waiting:
    case Core::Main::Saving: return "waits for a microthread";
    case Core::Main::Free: return "has no task";
    case Core::Main::Halted: return "has halted";
    default: return "runs";
  }
}

std::string line_text(const Scene& scene, const Core& core, std::uint32_t pc) {
  const std::string place = scene.image.place_text(core.program->program->line_of(pc));
  return place.empty() ? fmt::format("word {}", pc) : place;
}

void add_threads(const Scene& scene, PeId pe, const Core& core, State& state) {
  const std::vector<WaitingThread> waiting = scene.transport.waiting(pe, scene.now);
  for (const InFlight& f : core.in_flight) {
    const std::string name = fmt::format("thread {}", f.thread());
    state.emplace_back(name, line_text(scene, core, f.pc()));
    for (const WaitingThread& thread : waiting) {
      if (thread.thread.thread != f.thread() || !f.is_moving()) continue;
      state.emplace_back(name + " elements", std::to_string(thread.issued));
    }
  }
}

void add_tasks(const Scene& scene, PeId pe, const Core& core, State& state) {
  for (const isa::Task& task : core.program->program->tasks) {
    if (task.kind == isa::TaskKind::Main || task.kind == isa::TaskKind::Teardown) continue;
    const IdMask id = id_bit(isa::value_of(task.id, scene.loaded.slots(pe)));
    if ((core.ids.activated_at_last() & id) != 0) state.emplace_back(task.name, "activated");
    if ((core.ids.blocked_at_last() & id) != 0) state.emplace_back(task.name, "blocked");
  }
}

void add_main(const Scene& scene, const Core& core, std::uint32_t pc, State& state) {
  state.emplace_back("main thread", main_text(core.main));
  if (core.main != Core::Main::Free && core.main != Core::Main::Halted) {
    state.emplace_back("continues at", line_text(scene, core, pc));
  }
}

void add_core(const Scene& scene, PeId pe, State& state) {
  const Core& core = scene.cores.core(pe);
  add_main(scene, core, core.state.pc, state);
  for (std::uint32_t k = 0; k < isa::kRegisters; ++k) {
    if (core.state.r[k] == 0) continue;
    state.emplace_back(fmt::format("r{}", k), std::to_string(core.state.r[k]));
  }
  add_threads(scene, pe, core, state);
  add_tasks(scene, pe, core, state);
}

std::string port_name(std::uint32_t port) {
  if (port == static_cast<std::uint32_t>(QueuePort::DownRamp)) return "down-ramp";
  if (port == static_cast<std::uint32_t>(QueuePort::UpRamp)) return "up-ramp";
  return fmt::format("from {}", isa::text(static_cast<isa::Port>(port)));
}

void add_switch(const std::string& colour, const ChannelState& channel, State& state) {
  if (channel.position != 0) {
    state.emplace_back(colour + " position", std::to_string(channel.position));
  }
  if (channel.torn_down) state.emplace_back(colour, "torn down");
}

void add_channel(const Scene& scene, const ChannelState& channel, State& state) {
  const std::string colour = scene.image.colour_name(channel.colour);
  add_switch(colour, channel, state);
  for (std::uint32_t port = 0; port < kQueuePorts; ++port) {
    const std::uint32_t count = scene.queued(channel, static_cast<QueuePort>(port));
    if (count == 0) continue;
    std::string words;
    for (std::uint32_t k = 0; k < count; ++k) {
      const StandingWavelet wavelet =
          scene.transport.wavelet(channel.id, static_cast<QueuePort>(port), k);
      words += fmt::format(" {}{}", wavelet.control ? "control " : "", wavelet.data);
    }
    state.emplace_back(fmt::format("{} {}", colour, port_name(port)), words.substr(1));
  }
}

}  // namespace

State pe_outline(const Scene& scene, PeId pe) {
  const Core& core = scene.cores.core(pe);
  State state = {{"program", core.program->program->shown_name()}};
  add_main(scene, core, main_pc(core), state);
  for (const InFlight& f : core.in_flight) {
    state.emplace_back(fmt::format("thread {}", f.thread()), line_text(scene, core, f.pc()));
  }
  add_tasks(scene, pe, core, state);
  for (const ChannelState& channel : scene.channels_of(pe)) {
    add_switch(scene.image.colour_name(channel.colour), channel, state);
  }
  return state;
}

State pe_state(const Scene& scene, PeId pe) {
  State state;
  if (scene.loaded.program_at(pe) != nullptr) add_core(scene, pe, state);
  for (const ChannelState& channel : scene.channels_of(pe)) add_channel(scene, channel, state);
  return state;
}

}  // namespace wse::vm
