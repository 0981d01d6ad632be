// Breadth first from every node that is left, never deeper than the best loop so far.
#include "vm/report/shortest_loop.h"

#include <algorithm>
#include <span>

#include "isa/support/mutant.h"

namespace wse::vm {
namespace {

using Node = std::uint32_t;
constexpr Node kNone = ~0u;

std::span<const Node> behind(const Digraph& graph, Node node) {
  return std::span(graph.to).subspan(graph.first[node], graph.first[node + 1] - graph.first[node]);
}

Digraph reversed(const Digraph& graph) {
  Digraph result;
  result.first.assign(graph.nodes() + 1, 0);
  for (const Node to : graph.to) ++result.first[to + 1];
  for (Node n = 0; n < graph.nodes(); ++n) result.first[n + 1] += result.first[n];
  result.to.resize(graph.to.size());
  std::vector<std::uint32_t> next(result.first.begin(), result.first.end() - 1);
  for (Node n = 0; n < graph.nodes(); ++n) {
    for (const Node to : behind(graph, n)) result.to[next[to]++] = n;
  }
  return result;
}

class LoopSearch {
 public:
  LoopSearch(const Digraph& graph, std::uint64_t budget)
      : forward_(graph),
        backward_(reversed(graph)),
        budget_(budget),
        alive_(graph.nodes(), true),
        reached_by_(graph.nodes(), kNone),
        from_(graph.nodes(), kNone) {
    for (Node n = 0; n < graph.nodes(); ++n) {
      leaving_.push_back(static_cast<std::uint32_t>(behind(forward_, n).size()));
      entering_.push_back(static_cast<std::uint32_t>(behind(backward_, n).size()));
    }
    for (Node n = 0; n < graph.nodes(); ++n) {
      if (is_useless(n)) remove(n);
    }
  }

  Loop run(const std::vector<bool>& counts) {
    for (Node start = 0; start < forward_.nodes(); ++start) {
      const bool starts = counts[start] || isa::mutant(isa::Mutant::LoopOfServers);
      if (!alive_[start] || !starts) continue;
      search(start);
      if (!best_.shortest || best_.nodes.size() == 1) break;
      remove(start);
    }
    return best_;
  }

 private:
  bool is_useless(Node node) const {
    return alive_[node] && (leaving_[node] == 0 || entering_[node] == 0);
  }

  // Takes the node away, and all that no loop can pass without it.
  void remove(Node node) {
    std::vector<Node> useless = {node};
    alive_[node] = false;
    const auto lose = [&](Node other, std::vector<std::uint32_t>& degree) {
      --degree[other];
      if (!is_useless(other)) return;
      alive_[other] = false;
      useless.push_back(other);
    };
    while (!useless.empty()) {
      const Node gone = useless.back();
      useless.pop_back();
      for (const Node to : behind(forward_, gone)) lose(to, entering_);
      for (const Node from : behind(backward_, gone)) lose(from, leaving_);
    }
  }

  // Keeps the shortest loop through `start` if it is better than the best.
  void search(Node start) {
    std::vector<Node> level = {start};
    std::size_t longest = best_.nodes.empty() ? alive_.size() : best_.nodes.size() - 1;
    for (std::size_t length = 1; length <= longest && !level.empty(); ++length) {
      std::vector<Node> next;
      for (const Node node : level) {
        for (const Node to : behind(forward_, node)) {
          if (budget_-- == 0) {
            budget_ = 0;
            best_.shortest = false;
            return;
          }
          if (to == start) return keep(start, node);
          if (!alive_[to] || reached_by_[to] == start) continue;
          reached_by_[to] = start;
          from_[to] = node;
          next.push_back(to);
        }
      }
      level = std::move(next);
    }
  }

  void keep(Node start, Node last) {
    best_.nodes.clear();
    for (Node node = last; node != start; node = from_[node]) best_.nodes.push_back(node);
    best_.nodes.push_back(start);
    std::ranges::reverse(best_.nodes);
  }

  const Digraph& forward_;
  Digraph backward_;
  std::uint64_t budget_;
  std::vector<bool> alive_;
  std::vector<Node> reached_by_;        // the start whose search reached the node last
  std::vector<Node> from_;              // from where
  std::vector<std::uint32_t> leaving_;  // edges to and from nodes that are left
  std::vector<std::uint32_t> entering_;
  Loop best_;
};

}  // namespace

Loop shortest_loop(const Digraph& graph, const std::vector<bool>& counts, std::uint64_t budget) {
  return LoopSearch(graph, budget).run(counts);
}

}  // namespace wse::vm
