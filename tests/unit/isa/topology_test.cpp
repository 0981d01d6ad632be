// Neighbours in meshes and hypercubes, and the ports that their routers have.
#include <gtest/gtest.h>

#include "isa/machine/topology.h"

namespace wse::isa {
namespace {

constexpr auto kNone = std::nullopt;

TEST(IsaTopology, AMeshEndsAtItsEdges) {
  const Topology mesh = Topology::mesh(4, 3);
  EXPECT_EQ(mesh.neighbour(5, Port::West), 4u);
  EXPECT_EQ(mesh.neighbour(5, Port::East), 6u);
  EXPECT_EQ(mesh.neighbour(5, Port::North), 1u);
  EXPECT_EQ(mesh.neighbour(5, Port::South), 9u);
  EXPECT_EQ(mesh.neighbour(8, Port::West), kNone);
  EXPECT_EQ(mesh.neighbour(7, Port::East), kNone);
  EXPECT_EQ(mesh.neighbour(3, Port::North), kNone);
  EXPECT_EQ(mesh.neighbour(8, Port::South), kNone);
}

TEST(IsaTopology, AMeshHasFourLinksAndTheRamp) {
  const Topology mesh = Topology::mesh(4, 3);
  EXPECT_FALSE(mesh.is_hypercube());
  EXPECT_EQ(mesh.ports(), 0x1fu);
  EXPECT_EQ(mesh.links(), 4u);
  EXPECT_EQ(mesh.link_port(3), Port::South);
  EXPECT_EQ(mesh.link_index(Port::South), 3u);
  EXPECT_EQ(mesh.text(), "a mesh");
}

TEST(IsaTopology, NodesOfAHypercubeDifferInOneBit) {
  for (std::uint32_t d = 1; d <= kMaxHypercubeDimensions; ++d) {
    const Topology cube = Topology::hypercube(d);
    ASSERT_EQ(cube.links(), d);
    ASSERT_EQ(cube.width(), 1u << d);
    ASSERT_EQ(cube.height(), 1u);
    for (std::uint32_t k = 0; k < d; ++k) {
      const Port port = cube.link_port(k);
      EXPECT_EQ(text(port), "dim" + std::to_string(k));
      EXPECT_EQ(port_named(text(port)), port);
      EXPECT_EQ(opposite(port), port);
      EXPECT_EQ(cube.link_index(port), k);
      EXPECT_EQ(cube.neighbour(0, port), 1u << k);
      EXPECT_EQ(cube.neighbour(cube.pes() - 1, port), cube.pes() - 1 - (1u << k));
    }
  }
}

TEST(IsaTopology, AHypercubeHasALinkPerDimensionAndTheRamp) {
  EXPECT_EQ(Topology::hypercube(1).ports(), bit(Port::Ramp) | bit(Port::Dim0));
  EXPECT_EQ(Topology::hypercube(12).ports(), 0x1fff0u);
  EXPECT_EQ(Topology::hypercube(1).text(), "a hypercube of 1 dimension");
  EXPECT_EQ(Topology::hypercube(12).text(), "a hypercube of 12 dimensions");
}

TEST(IsaTopology, WhatLeavesOverALinkArrivesOnItsOtherSide) {
  EXPECT_EQ(opposite(Port::West), Port::East);
  EXPECT_EQ(opposite(Port::East), Port::West);
  EXPECT_EQ(opposite(Port::North), Port::South);
  EXPECT_EQ(opposite(Port::South), Port::North);
  EXPECT_EQ(port_named("dim12"), kNone);
}

}  // namespace
}  // namespace wse::isa
