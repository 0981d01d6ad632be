// Chooses what of a machine that stands still is worth telling.
#include "vm/report/explain.h"

#include <fmt/format.h>

#include <algorithm>

#include "vm/report/choice.h"
#include "vm/report/mentions.h"
#include "vm/report/wait_text.h"

namespace wse::vm {
namespace {

constexpr std::size_t kShownThreads = 8;
constexpr std::size_t kShownLoop = 16;
constexpr std::size_t kShownQueues = 8;

std::string queue_text(QueuePort port) {
  if (port == QueuePort::UpRamp) return "up-ramp";
  if (port == QueuePort::DownRamp) return "down-ramp";
  return fmt::format("{} queue", isa::text(static_cast<isa::Port>(port)));
}

// What was taken from a down-ramp before.
std::string taken_text(const Scene& scene, const ChannelState& channel, QueuePort port) {
  if (port != QueuePort::DownRamp) return {};
  if (scene.loaded.program_at(channel.pe) == nullptr) return ", which has no program";
  const std::string lines = mentions_text(scene, channel.pe, Mention::Receives, channel.colour);
  return fmt::format(", which took {}{}", words_text(taken(scene, channel.pe, channel.colour)),
                     lines.empty() ? "" : " (" + lines + ")");
}

std::string loop_text(const WaitGraph& graph, const Loop& loop) {
  if (loop.nodes.empty()) return {};
  if (loop.nodes.size() == 1) {
    return fmt::format("\n  {} waits for itself", name_text(graph, loop.nodes[0]));
  }
  std::string out = "\n  they wait for each other: ";
  const std::size_t shown = std::min(loop.nodes.size(), kShownLoop);
  for (std::size_t k = 0; k < shown; ++k) out += name_text(graph, loop.nodes[k]) + " -> ";
  if (shown < loop.nodes.size()) out += fmt::format("... {} more -> ", loop.nodes.size() - shown);
  out += name_text(graph, loop.nodes[0]);
  return out + (loop.shortest ? "" : " (there may be a shorter circle)");
}

std::size_t count_stuck(const Scene& scene) {
  return static_cast<std::size_t>(std::ranges::count_if(
      scene.loaded.placed(), [&](PeId pe) { return !scene.cores.is_done(pe, scene.now); }));
}

}  // namespace

std::string explain_deadlock(const Scene& scene) {
  const WaitGraph graph(scene);
  const Loop loop = graph.shortest_loop();
  const Choice choice = choose(graph, loop, kShownThreads);
  std::string out = fmt::format("nothing can move and {} of {} PEs with a program are not done",
                                count_stuck(scene), scene.loaded.placed().size());
  for (const NodeId id : choice.nodes) out += "\n  " + node_text(graph, id);
  if (choice.left_out > 0) out += fmt::format("\n  ... and {} more", choice.left_out);
  return out + loop_text(graph, loop);
}

std::string explain_leftovers(const Scene& scene) {
  std::string out;
  std::size_t shown = 0;
  for (PeId pe = 0; pe < scene.mesh.pes(); ++pe) {
    for (const ChannelState& channel : scene.channels_of(pe)) {
      for (std::uint32_t port = 0; port < kQueuePorts; ++port) {
        const std::uint32_t size = scene.queued(channel, static_cast<QueuePort>(port));
        if (size == 0 || ++shown > kShownQueues) continue;
        out += fmt::format("\n  {} of colour {} in the {} of {}{}", wavelets_text(size),
                           scene.image.colour_name(channel.colour),
                           queue_text(static_cast<QueuePort>(port)), pe_text(scene.mesh, pe),
                           taken_text(scene, channel, static_cast<QueuePort>(port)));
      }
    }
  }
  if (shown > kShownQueues) out += fmt::format("\n  ... and {} more queues", shown - kShownQueues);
  return out;
}

}  // namespace wse::vm
