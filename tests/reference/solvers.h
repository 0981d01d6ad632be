// Solvers of systems of seven points, plainly: the yardstick of scripts/stencil/solve.lua. Shares
// nothing with the machine or the scripts.
//
// -div(k grad u) + shift u = b on cells; u is 0 beyond the grid. Between two cells k is the
// harmonic mean of both, at a border that of the cell. The system is scaled on both sides to a
// diagonal of 1. A method ends after the step in which the square of the residual's norm is at most
// tolerance^2 that of b: of the residual behind a step of CG and BiCGStab, before one of the
// others.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace wse::reference {

struct System {
  std::array<std::size_t, 3> sizes{16, 16, 32};
  double shift = 0.1;
  double tolerance = 1e-5;
  std::size_t most = 1000;
  std::vector<double> k{};  // z innermost, then x, then y
  std::vector<double> b{};
};

struct Solution {
  std::vector<double> u;
  std::size_t iterations = 0;
  double residual =
      0;  // its norm over that of b, of the scaled system, as computed from u in double
};

// Sets k = 1 + (contrast - 1) ((7 x + 3 y + 5 z) mod 11) / 10 and b = (5 x + 3 y + 11 z) mod 7 - 3.
void set_defaults(System& system, double contrast);

// Returns the norm of b - A u over that of b, scaled.
double residual(const System& system, const std::vector<double>& u);

// Solves a system by "cg", "bicgstab", "jacobi" or "gauss-seidel"; Real is what every operation is
// rounded to.
template <class Real>
Solution solve(const System& system, const std::string& method);

// Solves it with vectors and coefficients of 16 bits, b times a power of 2 that makes its largest
// value at most 128, and dot products, with what is computed of them, in float; they are rounded to
// 16 bits to multiply vectors. The solution is in float.
Solution solve_mixed(const System& system, const std::string& method);

// Solves it in rounds: as solve_mixed does, for the residual of the rounds before as the right side
// and until that is `inner` times as large, or 0.99 of the tolerance; the residual and the sum of
// the solutions are computed in float. The direction of CG keeps from
// round to round what it is ahead of the residual. Returns the iterations of all rounds.
Solution solve_refined(const System& system, const std::string& method, double inner);

}  // namespace wse::reference
