// Do measured matrix products take on wse3 what they took? And may their rows of wide grids be
// continued from narrow ones?
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/fidelity/products.h"
#include "tests/support/files.h"
#include "tests/support/machines.h"
#include "tests/support/tolerances.h"

namespace wse::fidelity {
namespace {

const std::filesystem::path kProductsRoot = WSE_SOURCE_DIR;

std::vector<Product> products() {
  auto parsed =
      parse_products(test_support::read_text(kProductsRoot / "tests/fidelity/products.csv"));
  EXPECT_TRUE(parsed) << parsed.error();
  return parsed.value_or(std::vector<Product>{});
}

double product_cycles_of(const Product& row, const isa::Profile& profile) {
  const auto cycles = product_cycles(row, kProductsRoot, profile);
  EXPECT_TRUE(cycles) << cycles.error();
  return cycles.value_or(0);
}

// The profile follows the vendor's simulator; hardware has a machine of its own.
isa::Profile machine_of(const Product& row) {
  return test_support::machine(row.on == "hardware" ? "wse3-hardware" : "wse3");
}

TEST(Products, RowsHold) {
  std::size_t claimed = 0;
  for (const Product& row : products()) {
    if (!row.is_claimed()) continue;
    ++claimed;
    const double cycles = product_cycles_of(row, machine_of(row));
    EXPECT_LE(std::abs(error_percent(row, cycles)), tolerance_percent(row))
        << row.name() << ": measured " << row.measured << ", simulated " << cycles;
  }
  EXPECT_EQ(claimed, 23u);
}

// The reduction of the measured program is a library's, so only what a PE more takes is claimed.
TEST(Products, AChainTakesAsMuchForEachPe) {
  std::vector<Product> chains = products();
  std::erase_if(chains, [](const Product& row) { return !row.is_chain(); });
  ASSERT_EQ(chains.size(), 2u);
  const double measured = slope(chains[0], chains[0].measured, chains[1], chains[1].measured);
  const isa::Profile hardware = machine_of(chains[0]);
  const double here = slope(chains[0], product_cycles_of(chains[0], hardware), chains[1],
                            product_cycles_of(chains[1], hardware));
  EXPECT_NEAR(here, measured, measured * test_support::kChainSlopePercent / 100);
}

// What rows of wide grids rest on: from 12 to 24 PEs they continue to 36 in a straight line.
TEST(Products, CyclesAreLinearInThePesOfARow) {
  const isa::Profile wse3 = *isa::find_profile("wse3");
  for (Product& row : products()) {
    if (row.pes <= 64 || row.tile[1] != "3") continue;
    row.repeats = 1;
    const auto at = [&](std::uint32_t pes) {
      return product_cycles_on(row, pes, kProductsRoot, wse3).value_or(0);
    };
    EXPECT_NEAR(at(36) - at(24), at(24) - at(12), 0.005 * at(24)) << row.name();
  }
}

// Each constant of wse3 that was chosen with products is seen by two fitted rows or more. Whether a
// row sees one shows on a grid of 6 PEs, too.
TEST(Products, TwoFittedRowsSeeEachConstantOfWse3) {
  const isa::Profile wse3 = *isa::find_profile("wse3");
  constexpr std::uint32_t isa::Profile::* kChosen[] = {
      &isa::Profile::hop_latency_cycles, &isa::Profile::ramp_latency_cycles,
      &isa::Profile::route_write_cycles, &isa::Profile::map_gap_cycles,
      &isa::Profile::bank_conflict_cycles};
  std::vector<Product> fitted = products();
  std::erase_if(fitted, [](const Product& row) {
    return row.use != Product::Use::Fit || row.tile[0] == "16";
  });
  for (std::size_t k = 0; k < std::size(kChosen); ++k) {
    isa::Profile other = wse3;
    other.*kChosen[k] += 1;
    other.up_ramp_depth += 1;
    other.down_ramp_depth += 1;
    other.router_depth += 1;
    const auto sees = [&](Product row) {
      row.repeats = 1;
      const std::uint32_t pes = std::min(row.pes, 6u);
      const auto before = product_cycles_on(row, pes, kProductsRoot, wse3);
      const auto after = product_cycles_on(row, pes, kProductsRoot, other);
      EXPECT_TRUE(before && after) << row.name();
      return before.value_or(0) != after.value_or(0);
    };
    EXPECT_GE(std::ranges::count_if(fitted, sees), 2) << "constant " << k;
  }
}

TEST(Products, OtherLinesAreRefused) {
  const std::string header =
      "use,algorithm,on,P,Mt,Kt,Nt,multiply,moves,repeats,measured,program,source\n";
  EXPECT_TRUE(parse_products(header + "fit,meshgemm,hardware,3,1,8,8,1,1,5,10,MESH,S\n"));
  EXPECT_FALSE(parse_products("use,algorithm\n"));
  for (const std::string_view line :
       {"fit,meshgemm,hardware,3,1,8,8,1,1,5,10,MESH",
        "held,meshgemm,hardware,3,1,8,8,1,1,5,10,M,S", "fit,meshgemm,hardware,x,1,8,8,1,1,5,10,M,S",
        "fit,meshgemm,hardware,3,1,8,8,1,1,5,0,M,S",
        "fit,meshgemm,hardware,3,1,8,8,-1,1,5,10,M,S"}) {
    EXPECT_FALSE(parse_products(header + std::string(line) + "\n")) << line;
  }
}

}  // namespace
}  // namespace wse::fidelity
