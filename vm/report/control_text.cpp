// Looks upstream for senders, and at the bits of the picker for what is blocked.
#include "vm/report/control_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/machine/control_word.h"
#include "vm/report/mentions.h"

namespace wse::vm {
namespace {

constexpr std::size_t kMostWays = 16;  // followed upstream side by side

// Whether some position of the channel takes wavelets from `rx` and sends them to `tx`.
bool leads(const ChannelState& channel, isa::Port rx, isa::Port tx) {
  if (channel.routing == nullptr) return false;
  return std::ranges::any_of(channel.routing->positions, [&](const isa::SwitchPosition& position) {
    return position.rx == rx && (position.tx & isa::bit(tx)) != 0;
  });
}

// A router, and the port by which the wavelet left it.
struct Step {
  ChannelId channel = kNoChannel;
  isa::Port tx = isa::Port::Ramp;

  bool operator==(const Step&) const = default;
};

// The routers from which wavelets come to `step` over one link.
void look_upstream(const Scene& scene, const Step& step, std::vector<Step>& found) {
  const ChannelState channel = scene.transport.channel(step.channel);
  for_each_port(scene.mesh.ports() & ~isa::bit(isa::Port::Ramp), [&](isa::Port rx) {
    const std::optional<PeId> before = scene.mesh.neighbour(channel.pe, rx);
    if (!before || !leads(channel, rx, step.tx)) return;
    const Step next{scene.channels.find(*before, channel.colour), isa::opposite(rx)};
    if (next.channel == kNoChannel || std::ranges::find(found, next) != found.end()) return;
    found.push_back(next);
  });
}

// Finds who sent what has come over so many links to `last`.
std::optional<PeId> sender_before(const Scene& scene, const Step& last, std::uint32_t links) {
  const std::uint32_t colour = scene.transport.channel(last.channel).colour;
  std::vector<Step> level = {last};
  for (std::uint32_t k = 0; k < links; ++k) {
    std::vector<Step> before;
    for (const Step& step : level) look_upstream(scene, step, before);
    if (before.size() > kMostWays) return std::nullopt;
    level = std::move(before);
  }
  std::optional<PeId> sender;
  for (const Step& step : level) {
    const ChannelState channel = scene.transport.channel(step.channel);
    const bool sends = leads(channel, isa::Port::Ramp, step.tx) &&
                       scene.loaded.program_at(channel.pe) != nullptr &&
                       may_send(scene, channel.pe, colour);
    if (!sends) continue;
    if (sender && *sender != channel.pe) return std::nullopt;
    sender = channel.pe;
  }
  return sender;
}

}  // namespace

std::optional<PeId> origin(const Scene& scene, PeId pe, std::uint32_t colour, std::uint32_t links) {
  return sender_before(scene, {scene.channels.find(pe, colour), isa::Port::Ramp}, links);
}

std::string origin_text(const Scene& scene, const ChannelState& channel,
                        const StandingWavelet& wavelet) {
  const auto sender = origin(scene, channel.pe, channel.colour, wavelet.hops);
  return sender ? " from " + pe_text(scene.mesh, *sender) : "";
}

std::string origin_text(const Scene& scene, const ChannelState& channel, isa::Port side,
                        const StandingWavelet& wavelet) {
  if (side == isa::Port::Ramp) return " from " + pe_text(scene.mesh, channel.pe);
  const std::optional<PeId> before = scene.mesh.neighbour(channel.pe, side);
  if (!before || wavelet.hops == 0) return {};  // it came from a stream
  const Step last{scene.channels.find(*before, channel.colour), isa::opposite(side)};
  const auto sender =
      last.channel == kNoChannel ? std::nullopt : sender_before(scene, last, wavelet.hops - 1);
  return sender ? " from " + pe_text(scene.mesh, *sender) : "";
}

std::string task_name(const Core& core, std::uint32_t id) {
  const std::uint32_t task = id < isa::kTaskIds ? core.tasks->at(id) : kNoTask;
  return task == kNoTask ? fmt::format("{}", id) : (*core.tasks)[task].name;
}

std::string control_text(const Scene& scene, const ChannelState& channel,
                         const StandingWavelet& wavelet) {
  const std::uint32_t entry = isa::entry_of(wavelet.data);
  const std::string head =
      fmt::format("a control wavelet of {}{}", scene.image.colour_name(channel.colour),
                  origin_text(scene, channel, wavelet));
  if (scene.loaded.program_at(channel.pe) == nullptr) {
    return fmt::format("{} with entry {}", head, entry);
  }
  const Core& core = scene.cores.core(channel.pe);
  if ((core.tasks->control() & id_bit(entry)) == 0) {
    return fmt::format("{} with entry {}, which no task has,", head, entry);
  }
  return fmt::format("{} for task {} (entry {})", head, task_name(core, entry), entry);
}

std::string obstacle_text(const Scene& scene, const ChannelState& channel,
                          const StandingWavelet& wavelet) {
  const Core& core = scene.cores.core(channel.pe);
  const std::uint32_t entry = isa::entry_of(wavelet.data);
  if ((core.tasks->control() & id_bit(entry)) == 0) return {};  // it would trap
  const IdMask blocked = core.ids.blocked_at_last();
  if ((blocked & id_bit(channel.colour)) != 0) {
    const std::string colour = scene.image.colour_name(channel.colour);
    return fmt::format(", but colour {} is blocked{}", colour,
                       blocked_text(scene, channel.pe, channel.colour, colour));
  }
  if ((blocked & id_bit(entry)) != 0) {
    const std::string task = task_name(core, entry);
    return fmt::format(", but task {} is blocked{}", task,
                       blocked_text(scene, channel.pe, entry, task));
  }
  if (core.main == Core::Main::Halted) return ", but the PE has halted";
  return ", but its task cannot start while another one runs";
}

std::string blocked_text(const Scene& scene, PeId pe, std::uint32_t id, const std::string& name) {
  const std::string blocks = mentions_text(scene, pe, Mention::Blocks, id);
  const std::string unblocks = mentions_text(scene, pe, Mention::Unblocks, id);
  const bool from_start = (scene.cores.core(pe).tasks->blocked_at_start() & id_bit(id)) != 0;
  std::string out;
  if (!blocks.empty()) {
    out = fmt::format(" (`block` at {})", blocks);
  } else if (from_start) {
    out = " from the start, for it has no data task";
  }
  if (!unblocks.empty())
    return out + fmt::format(", and the `unblock` at {} has not acted since", unblocks);
  return out + fmt::format(", and nothing unblocks it: `unblock {}` would", name);
}

}  // namespace wse::vm
