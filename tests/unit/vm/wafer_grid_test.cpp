// Where PEs lie in blocks, and who is beside whom, against the mesh itself.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <ostream>
#include <set>
#include <string>

#include "tests/support/random.h"
#include "vm/planes/bits/grid.h"
#include "vm/planes/bits/wire.h"

namespace wse::vm::wafer {
namespace {

struct Case {
  std::uint32_t width;
  std::uint32_t height;
  Box box;
  bool is_tiled;

  std::string name() const {
    return std::to_string(box.width) + "x" + std::to_string(box.height) + "of" +
           std::to_string(width);
  }
  friend std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name(); }
};

constexpr std::array kCases{
    Case{7, 5, {0, 0, 7, 5}, false},        // less than a block
    Case{64, 40, {0, 0, 64, 40}, false},    // a column of tiles would be the same
    Case{70, 3, {0, 0, 70, 3}, false},      // tiles would be empty for the most part
    Case{130, 10, {0, 0, 130, 10}, false},  // the same
    Case{600, 9, {0, 0, 600, 9}, false},    // the same
    Case{128, 24, {0, 0, 128, 24}, true},   // whole tiles
    Case{190, 22, {0, 0, 190, 22}, true},   // cut off at both edges
    Case{600, 31, {0, 0, 600, 31}, true},   // the same
    Case{300, 40, {17, 5, 255, 31}, true},  // a part of the mesh
    Case{300, 40, {17, 5, 50, 31}, false},  // the same, narrow
    Case{755, 994, {0, 0, 755, 994}, true},
};

class WaferGrid : public testing::TestWithParam<Case> {
 protected:
  bool in_box(PeId pe) const {
    const Box& box = GetParam().box;
    return mesh.x_of(pe) - box.x < box.width && mesh.y_of(pe) - box.y < box.height;
  }
  template <class Visit>
  void for_each_pe(Visit visit) const {
    for (PeId pe = 0; pe < mesh.pes(); ++pe) {
      if (in_box(pe)) visit(pe);
    }
  }

  isa::Topology mesh = isa::Topology::mesh(GetParam().width, GetParam().height);
  Grid grid{mesh, GetParam().box};
};

TEST_P(WaferGrid, GivesEveryPeALaneOfItsOwn) {
  EXPECT_EQ(grid.is_tiled(), GetParam().is_tiled);
  std::size_t pes = 0;
  for_each_pe([&](PeId pe) {
    ++pes;
    ASSERT_LT(grid.block_of(pe), grid.blocks());
    ASSERT_LT(grid.lane_of(pe), kLanes);
    ASSERT_EQ(grid.pe_of(grid.block_of(pe), grid.lane_of(pe)), pe);
  });
  std::set<PeId> visited;
  for (std::uint32_t block = 0; block < grid.blocks(); ++block) {
    grid.for_each_pe(block, [&](PeId pe, std::uint32_t lane) {
      ASSERT_TRUE(in_box(pe));
      ASSERT_EQ(grid.block_of(pe), block);
      ASSERT_EQ(grid.lane_of(pe), lane);
      visited.insert(pe);
    });
  }
  EXPECT_EQ(visited.size(), pes);
}

// Strips are ranges of PEs.
TEST_P(WaferGrid, BandsAreRangesOfPes) {
  ASSERT_EQ(grid.blocks() % grid.band(), 0);
  std::uint32_t last = 0;
  for_each_pe([&](PeId pe) {
    const std::uint32_t band = grid.block_of(pe) / grid.band();
    ASSERT_GE(band, last);
    last = band;
  });
}

TEST_P(WaferGrid, KnowsNeighbours) {
  for_each_pe([&](PeId pe) {
    const std::uint32_t block = grid.block_of(pe);
    for (std::uint32_t link = 0; link < kLinks; ++link) {
      const auto there = mesh.neighbour(pe, mesh.link_port(link));
      if (!there || !in_box(*there)) continue;
      const LaneBeside beside = grid.beside(block, grid.lane_of(pe), link);
      ASSERT_EQ(beside.lane, grid.lane_of(*there));
      ASSERT_EQ(grid.beside(block, link)[beside.which], grid.block_of(*there));
      const auto distance = std::int64_t{grid.block_of(*there)} - block;
      ASSERT_LE(distance < 0 ? -distance : distance, grid.reach());
    }
  });
}

TEST_P(WaferGrid, MovesLanesTogetherAsOneByOne) {
  test_support::Random random(2);
  for (std::uint32_t block = 0; block < grid.blocks(); ++block) {
    for (std::uint32_t link = 0; link < kLinks; ++link) {
      Lanes lanes;
      std::array<Lanes, 2> expected;
      for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
        if (!random.one_in(2)) continue;
        lanes.set(lane);
        const LaneBeside there = grid.beside(block, lane, link);
        expected[there.which].set(there.lane);
        const std::int32_t from =
            static_cast<std::int32_t>(there.lane) - static_cast<std::int32_t>(lane);
        ASSERT_EQ(lanes_beside(grid, block, lanes, link)[there.which].shift, from);
      }
      const std::array<LanesBeside, 2> beside = lanes_beside(grid, block, lanes, link);
      for (std::uint32_t which = 0; which < 2; ++which) {
        ASSERT_FALSE((beside[which].lanes ^ expected[which]).any());
      }
    }
    if (block > 30) break;  // the rest are as these
  }
}

TEST_P(WaferGrid, WiresShowEveryLaneItsNeighbour) {
  test_support::Random random(1);
  Wire wire(grid.wire_words(), grid.wire_padding());
  std::vector<Lanes> written(grid.blocks());
  for (std::uint32_t block = 0; block < grid.blocks(); ++block) {
    grid.for_each_pe(block,
                     [&](PeId, std::uint32_t lane) { written[block].put(lane, random.one_in(2)); });
    write_wire(wire.at(grid.wire_word(block)), written[block]);
  }
  for (std::uint32_t link = 0; link < kLinks; ++link) {
    for (std::uint32_t block = 0; block < grid.blocks(); ++block) {
      const Lanes read = read_wire(wire.at(grid.wire_word(block)), grid.shift(link));
      grid.for_each_pe(block, [&](PeId pe, std::uint32_t lane) {
        const auto there = mesh.neighbour(pe, mesh.link_port(link));
        if (!there || !in_box(*there)) return;
        ASSERT_EQ(read.has(lane), written[grid.block_of(*there)].has(grid.lane_of(*there)));
      });
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Boxes, WaferGrid, testing::ValuesIn(kCases),
                         [](const auto& info) { return info.param.name(); });

}  // namespace
}  // namespace wse::vm::wafer
