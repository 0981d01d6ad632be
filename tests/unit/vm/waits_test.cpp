// Who waits for whom: the shortest loop against a plain search, and the graph as Graphviz text.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/support/simulation.h"
#include "vm/report/shortest_loop.h"

namespace {

using namespace wse;
using test_support::simulate;
using test_support::Simulation;
using vm::Digraph;
using vm::Loop;

using Edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Digraph graph_of(std::uint32_t nodes, const Edges& edges) {
  Digraph graph;
  for (std::uint32_t n = 0; n < nodes; ++n) {
    for (const auto& [from, to] : edges) {
      if (from == n) graph.to.push_back(to);
    }
    graph.first.push_back(static_cast<std::uint32_t>(graph.to.size()));
  }
  return graph;
}

Loop loop_of(const Digraph& graph) {
  return vm::shortest_loop(graph, std::vector<bool>(graph.nodes(), true));
}

bool has_edge(const Digraph& graph, std::uint32_t from, std::uint32_t to) {
  const auto begin = graph.to.begin() + graph.first[from];
  const auto end = graph.to.begin() + graph.first[from + 1];
  return std::find(begin, end, to) != end;
}

// The smallest power of the graph in which a node that counts reaches itself; 0 if none does.
std::size_t shortest_length(const Digraph& graph, const std::vector<bool>& counts) {
  const std::uint32_t n = graph.nodes();
  std::vector<std::vector<bool>> reach(n, std::vector<bool>(n, false));
  for (std::uint32_t k = 0; k < n; ++k) reach[k][k] = true;
  for (std::size_t length = 1; length <= n; ++length) {
    std::vector<std::vector<bool>> next(n, std::vector<bool>(n, false));
    for (std::uint32_t a = 0; a < n; ++a) {
      for (std::uint32_t b = 0; b < n; ++b) {
        for (std::uint32_t c = 0; reach[a][b] && c < n; ++c) {
          if (has_edge(graph, b, c)) next[a][c] = true;
        }
      }
    }
    reach = next;
    for (std::uint32_t k = 0; k < n; ++k) {
      if (counts[k] && reach[k][k]) return length;
    }
  }
  return 0;
}

TEST(ShortestLoop, IsThatOfAPlainSearchOnRandomGraphs) {
  std::mt19937 generator(7);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(generator() % n); };
  int with_loop = 0;
  for (int round = 0; round < 400; ++round) {
    const std::uint32_t nodes = 1 + below(14);
    Edges edges;
    for (std::uint32_t k = below(2 * nodes); k > 0; --k) {
      edges.emplace_back(below(nodes), below(nodes));
    }
    const Digraph graph = graph_of(nodes, edges);
    std::vector<bool> counts;
    for (std::uint32_t k = 0; k < nodes; ++k) counts.push_back(below(4) != 0);
    const Loop loop = vm::shortest_loop(graph, counts);
    ASSERT_EQ(loop.nodes.size(), shortest_length(graph, counts)) << "round " << round;
    EXPECT_TRUE(loop.shortest);
    if (loop.nodes.empty()) continue;
    ++with_loop;
    bool passes = false;
    for (std::size_t k = 0; k < loop.nodes.size(); ++k) {
      EXPECT_TRUE(has_edge(graph, loop.nodes[k], loop.nodes[(k + 1) % loop.nodes.size()]));
      passes |= counts[loop.nodes[k]];
    }
    EXPECT_TRUE(passes);
  }
  EXPECT_GT(with_loop, 100);
}

TEST(ShortestLoop, OfManyIsTheOneWithTheLowestNode) {
  EXPECT_EQ(loop_of(graph_of(6, {{0, 1}, {1, 2}, {2, 0}, {3, 2}, {5, 4}, {4, 5}})).nodes,
            (std::vector<std::uint32_t>{4, 5}));
  EXPECT_EQ(loop_of(graph_of(4, {{2, 3}, {3, 2}, {0, 1}, {1, 0}})).nodes,
            (std::vector<std::uint32_t>{0, 1}));
}

// As many nodes as a wafer has PEs: quadratic time would take hours.
TEST(ShortestLoop, TakesLinearTimeOnLongTailsAndLargeCircles) {
  constexpr std::uint32_t kNodes = 750'000;
  Digraph graph;
  for (std::uint32_t n = 0; n < kNodes; ++n) {
    const bool ends_circle = n % (kNodes / 3) == 0;
    graph.to.push_back(ends_circle ? n + kNodes / 3 - 1 : n - 1);  // three circles of a third each
    if (n % 5 == 0) graph.to.push_back((n + 1) % kNodes);          // and loops of two in between
    graph.first.push_back(static_cast<std::uint32_t>(graph.to.size()));
  }
  EXPECT_EQ(loop_of(graph).nodes.size(), 2u);

  Digraph tail;  // a tail of all but one node, then a node that waits for itself
  for (std::uint32_t n = 0; n < kNodes; ++n) {
    tail.to.push_back(std::min(n + 1, kNodes - 1));
    tail.first.push_back(n + 1);
  }
  EXPECT_EQ(loop_of(tail).nodes, (std::vector<std::uint32_t>{kNodes - 1}));
}

TEST(ShortestLoop, SaysWhenItsBudgetIsSpent) {
  Digraph dense;  // every node to the 30 after it, so that the shortest loops are long
  constexpr std::uint32_t kNodes = 3000;
  for (std::uint32_t n = 0; n < kNodes; ++n) {
    for (std::uint32_t k = 1; k <= 30; ++k) dense.to.push_back((n + k) % kNodes);
    dense.first.push_back(static_cast<std::uint32_t>(dense.to.size()));
  }
  const std::vector<bool> all(kNodes, true);
  EXPECT_TRUE(vm::shortest_loop(dense, all, 1'000'000'000).shortest);
  const Loop cut = vm::shortest_loop(dense, all, 1'000'000);
  EXPECT_FALSE(cut.shortest);
  EXPECT_EQ(cut.nodes.size(), kNodes / 30u);
}

constexpr const char* kTwoCircles = R"(
.grid 3, 2
.colour a, b, c, red, blue
.program waiter(rx: colour, tx: colour)
  task main:
    mov32 r1, fabin(rx)
    mov32 fabout(tx), r1
.place waiter at (0, 0) with rx = a, tx = c
.place waiter at (1, 0) with rx = b, tx = a
.place waiter at (2, 0) with rx = c, tx = b
.place waiter at (0..1, 1) with rx = x ? red : blue, tx = x ? blue : red
.route a at (1, 0): ramp -> west
.route a at (0, 0): east -> ramp
.route b at (2, 0): ramp -> west
.route b at (1, 0): east -> ramp
.route c at (0, 0): ramp -> east
.route c at (1, 0): west -> east
.route c at (2, 0): west -> ramp
.route red at (0, 1): ramp -> east
.route red at (1, 1): west -> ramp
.route blue at (1, 1): ramp -> west
.route blue at (0, 1): east -> ramp
)";

TEST(WaitGraph, IsWrittenWithTheShortestCircleInBold) {
  const Simulation s = simulate(kTwoCircles);
  ASSERT_EQ(s.record.status, vm::RunStatus::Deadlock);
  EXPECT_EQ(s.machine->waits_as_dot(s.record), R"(digraph waits {
  label="deadlock after 0 cycles";
  labelloc=t;
  n0 [label="PE(0, 0)\ntest.wsa:6"];
  n1 [label="PE(1, 0)\ntest.wsa:6"];
  n2 [label="PE(2, 0)\ntest.wsa:6"];
  n3 [label="PE(0, 1)\ntest.wsa:6", style=bold];
  n4 [label="PE(1, 1)\ntest.wsa:6", style=bold];
  n0 -> n1 [label="a, 0 of 1"];
  n1 -> n2 [label="b, 0 of 1"];
  n2 -> n0 [label="c, 0 of 1"];
  n3 -> n4 [label="blue, 0 of 1", style=bold];
  n4 -> n3 [label="red, 0 of 1", style=bold];
}
)");
}

TEST(WaitGraph, SaysWhyNobodyActs) {
  const Simulation s = simulate(R"(
.grid 2, 1
.colour red
.program sender
  task main:
.program receiver
  task main:
    mov32 r1, fabin(red)
.place sender at (0, 0)
.place receiver at (1, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp
)");
  EXPECT_EQ(s.machine->waits_as_dot(s.record), R"(digraph waits {
  label="deadlock after 0 cycles";
  labelloc=t;
  n0 [label="PE(1, 0)\ntest.wsa:8"];
  w0 [shape=box, label="received 0 of 1 word of red and waits: the next should come from PE(0, 0), where program sender (placed at test.wsa:9) never sends red"];
  n0 -> w0 [label="red, 0 of 1", style=dashed];
}
)");
}

// What the message says of a PE the graph says too: words that nobody takes, what a FIFO refused.
TEST(WaitGraph, ShowsWhatIsOddAtAPe) {
  const Simulation s = simulate(R"(
.grid 2, 1
.colour red, blue
.program sender
  .i32 v[3]
  .i32 store[2]
  .fifo q = store
  task main:
    mov32 q, v
    mov32 fabout(red), v
.program receiver
  .i32 v[3]
  task main:
    mov32 v, fabin(blue)
    mov32 v, fabin(red)
.place sender at (0, 0)
.place receiver at (1, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp
.route blue at (0, 0): ramp -> east
.route blue at (1, 0): west -> ramp
)");
  const std::string dot = s.machine->waits_as_dot(s.record);
  EXPECT_NE(dot.find(R"(n0 [label="PE(1, 0)\ntest.wsa:14\n3 words of red from PE(0, 0) wait here )"
                     R"(untaken, received only at test.wsa:15"])"),
            std::string::npos)
      << dot;
  EXPECT_NE(dot.find("1 element found FIFO q full and was not pushed (test.wsa:9)"),
            std::string::npos)
      << dot;
}

// A sender waits for all targets of a multicast: the circle through the second one is seen.
TEST(WaitGraph, FollowsEveryBranchOfAMulticast) {
  const Simulation s = simulate(R"(
.grid 3, 1
.colour red, blue
.program root
  .i32 v[64]
  task main:
    mov32 fabout(red), v
    mov32 fabout(blue), v
.program deaf
  task main:
.program leaf
  .i32 v[64]
  task main:
    mov32 v, fabin(blue)
    mov32 v, fabin(red)
.place deaf at (0, 0)
.place root at (1, 0)
.place leaf at (2, 0)
.route red at (1, 0): ramp -> west, east
.route red at (0, 0): east -> ramp
.route red at (2, 0): west -> ramp
.route blue at (1, 0): ramp -> east
.route blue at (2, 0): west -> ramp
)");
  EXPECT_NE(s.record.message.find("they wait for each other: PE(1, 0) -> PE(2, 0) -> PE(1, 0)"),
            std::string::npos)
      << s.record.message;
}

TEST(WaitGraph, HasNoNodesWhereNothingWaits) {
  const Simulation s = simulate(".grid 1, 1\n.program p\n  task main:\n.place p at (0, 0)\n");
  EXPECT_EQ(s.machine->waits_as_dot(s.record),
            "digraph waits {\n  label=\"halted after 0 cycles: nothing waits for ever\";\n"
            "  labelloc=t;\n}\n");
}

TEST(WaitGraph, ShowsSomeHundredsOfNodesAndCountsTheRest) {
  const Simulation s = simulate(R"(
.grid 500, 1
.colour red
.program lonely
  task main:
    mov32 r1, fabin(red)
.place lonely at (0..499, 0)
.route red at (0..499, 0): west -> ramp
)");
  const std::string dot = s.machine->waits_as_dot(s.record);
  EXPECT_NE(dot.find("200 more threads are stuck and not shown"), std::string::npos);
  EXPECT_EQ(std::ranges::count(dot, '\n'), 3 + 3 * 300 + 1);
}

}  // namespace
