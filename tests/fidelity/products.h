// Matrix products that others measured on WSE-3, and what scripts/gemm takes for them.
//
// Rows of wide grids are run on two narrow ones and continued: with a tile of its own a PE takes as
// many steps as the grid has columns. Must never know a simulated number.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "isa/machine/profile.h"
#include "isa/support/result.h"

namespace wse::fidelity {

struct Product {
  enum class Use {
    Fit,      // constants of the profile may be chosen with it
    Check,    // never: does the profile predict it?
    Context,  // never: its code is not known, or its clocks cannot be compared
  };

  Use use = Use::Fit;
  std::string algorithm;
  std::string on;              // hardware, simulator
  std::uint32_t pes = 0;       // of a row
  std::string tile[3];         // Mt, Kt, Nt; empty: it has none
  std::uint32_t multiply = 1;  // multiplications of a step
  std::uint32_t moves = 1;     // 0: without
  std::uint32_t repeats = 1;
  double measured = 0;  // cycles, mean of the PEs, of one repeat
  std::string program;
  std::string source;

  std::string name() const;
  // A claim about it is made: the profile must hold it, alone or by the slope.
  bool is_claimed() const { return use != Use::Context && multiply > 0 && !is_chain(); }
  bool is_chain() const { return algorithm == "chain"; }
};

// The rows of products.csv: a header, then a line each. Errors name the line.
isa::Result<std::vector<Product>> parse_products(std::string_view text);

// Cycles of scripts/gemm on that machine with code=measured. Errors: the script did not end well.
isa::Result<double> product_cycles(const Product& row, const std::filesystem::path& root,
                                   const isa::Profile& profile);
// Of a grid of so many PEs, whatever the row says, with as many repeats.
isa::Result<double> product_cycles_on(const Product& row, std::uint32_t pes,
                                      const std::filesystem::path& root,
                                      const isa::Profile& profile);

// Cycles that one PE of a row more takes, between two rows.
double slope(const Product& narrow, double narrow_cycles, const Product& wide, double wide_cycles);

// What the cycles are off the measured ones, in percent.
double error_percent(const Product& row, double simulated);

// The most that it may be, of a row with a claim.
double tolerance_percent(const Product& row);

}  // namespace wse::fidelity
