// Chooses what of a machine that stands still is worth telling.
#include "vm/report/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

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

// Says what was taken from a down-ramp before.
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

// Queues that look alike, of one colour and kind.
struct Leftover {
  ChannelState first;
  QueuePort port = QueuePort::DownRamp;
  std::uint32_t size = 0;
  std::vector<PeId> places{};
};

std::string leftover_text(const Scene& scene, const Leftover& left) {
  const bool alone = left.places.size() == 1;
  return fmt::format("\n  {} of colour {} in the {} of {}{}{}", wavelets_text(left.size),
                     scene.image.colour_name(left.first.colour), queue_text(left.port),
                     alone ? "" : "each of ", places_text(scene.mesh, left.places),
                     taken_text(scene, left.first, left.port));
}

// Finds them in the order of their first PEs, then of colours and ports.
std::vector<Leftover> find_leftovers(const Scene& scene) {
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint64_t,
                         const LoadedProgram*>;  // colour, port, size, words taken, program
  std::map<Key, std::size_t> known;
  std::vector<Leftover> all;
  for (ChannelId id = 0; id < scene.channels.size(); ++id) {
    const ChannelState channel = scene.transport.channel(id);
    for (std::uint32_t k = 0; k < kQueuePorts; ++k) {
      const auto port = static_cast<QueuePort>(k);
      const std::uint32_t size = scene.queued(channel, port);
      if (size == 0) continue;
      const Key key{channel.colour, k, size, taken(scene, channel.pe, channel.colour),
                    scene.loaded.program_at(channel.pe)};
      const auto [at, is_new] = known.try_emplace(key, all.size());
      if (is_new) all.push_back({.first = channel, .port = port, .size = size});
      all[at->second].places.push_back(channel.pe);
    }
  }
  return all;
}

// Removes what another sentence has said. A clause that begins with a number is a fact about the
// fabric, unless it is about what is here.
std::string without_known(std::string_view text, std::set<std::string, std::less<>>& known) {
  constexpr std::string_view kBetween = "; ";
  std::string out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(kBetween, begin), text.size());
    const std::string_view clause = text.substr(begin, end - begin);
    const bool is_fact = !clause.empty() && clause[0] >= '0' && clause[0] <= '9' &&
                         clause.find(" here ") == clause.npos;
    if (!is_fact || known.emplace(clause).second) {
      out += begin == 0 ? "" : kBetween;
      out += clause;
    }
    begin = end + kBetween.size();
  }
  return out;
}

}  // namespace

std::string class_text(const Scene& scene, const std::vector<PeId>& places) {
  if (places.size() == 1) return {};
  return fmt::format("{}, {} alike: ", places_text(scene.mesh, places), places.size());
}

std::string explain_deadlock(const Scene& scene) {
  const WaitGraph graph(scene);
  const Loop loop = graph.shortest_loop();
  const Alike alike(graph);
  const Choice choice = choose(graph, loop, kShownThreads, &alike);
  std::set<std::string, std::less<>> known;
  std::string out = fmt::format("nothing can move and {} of {} PEs with a program are not done",
                                count_stuck(scene), scene.loaded.placed().size());
  for (const NodeId id : choice.nodes) {
    out +=
        "\n  " + class_text(scene, alike.places(id)) + without_known(node_text(graph, id), known);
  }
  if (choice.left_out > 0) out += fmt::format("\n  ... and {} more", choice.left_out);
  return out + loop_text(graph, loop);
}

std::string explain_leftovers(const Scene& scene) {
  const std::vector<Leftover> all = find_leftovers(scene);
  std::string out;
  std::size_t queues = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (k < kShownQueues) {
      out += leftover_text(scene, all[k]);
    } else {
      queues += all[k].places.size();
    }
  }
  return queues == 0
             ? out
             : out + fmt::format("\n  ... and {} more queue{}", queues, queues == 1 ? "" : "s");
}

}  // namespace wse::vm
