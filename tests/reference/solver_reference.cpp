// solver-reference: systems of seven points in plain C++; `--help` has all options. Prints the
// iterations in float, in double and in mixed precision. Compares the iterations and the solution
// of wsevm: exit 1 if those are more than 2 apart from float (of rounds more than 2 above it) and,
// if that is asked for, from mixed precision, or the residual is too large: above the tolerance,
// and above that of mixed precision in C++.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "tests/reference/comparison.h"
#include "tests/reference/solvers.h"

namespace {

constexpr const char* kName = "solver-reference";
constexpr std::size_t kApart = 2;        // iterations that another order of sums may cost or save
constexpr double kTimesTolerance = 1.5;  // how far the residual may be off what float says it is

bool is_near(std::size_t iterations, std::size_t wanted) {
  return iterations == 0 || (iterations <= wanted + kApart && iterations + kApart >= wanted);
}

}  // namespace

int main(int count, char** arguments) {
  wse::reference::System system;
  std::string method = "cg";
  std::string solution;
  std::size_t iterations = 0;
  double contrast = 10;
  bool is_mixed = false;
  double inner = 0;
  std::vector<std::size_t> sizes{16, 16, 32};
  CLI::App app{"Systems of seven points, in plain C++"};
  app.add_option("--ngrid", sizes, "grid size")->delimiter(',')->expected(3);
  app.add_option("--method", method, "cg, bicgstab, jacobi or gauss-seidel");
  app.add_flag("--mixed", is_mixed, "vectors of 16 bits, sums in float");
  app.add_option("--inner", inner, "mixed in rounds with this tolerance, refined in float");
  app.add_option("--tolerance", system.tolerance, "of the norm of b");
  app.add_option("--shift", system.shift, "what is added to the diagonal");
  app.add_option("--contrast", contrast, "the largest k over the smallest");
  app.add_option("--most", system.most, "iterations");
  app.add_option("--iterations", iterations, "compare with these");
  app.add_option("--solution", solution, ".npy of f32, (ny, nx, nz)");
  try {
    app.parse(count, arguments);
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error) == 0 ? 0 : 2);
  }
  system.sizes = {sizes[0], sizes[1], sizes[2]};
  wse::reference::set_defaults(system, contrast);
  const auto in_float = wse::reference::solve<float>(system, method);
  const auto in_double = wse::reference::solve<double>(system, method);
  fmt::print(" {}: {} iterations in float, {} in double, residual {:.2e}\n", method,
             in_float.iterations, in_double.iterations, in_float.residual);
  bool good = in_double.residual <= kTimesTolerance * system.tolerance;
  double most = system.tolerance;
  if (is_mixed || inner > 0) {
    const auto mixed = inner > 0 ? wse::reference::solve_refined(system, method, inner)
                                 : wse::reference::solve_mixed(system, method);
    fmt::print(" {} iterations in mixed precision{}, residual {:.2e}\n", mixed.iterations,
               inner > 0 ? ", refined" : "", mixed.residual);
    most = std::max(most, mixed.residual);
    good = good && is_near(iterations, mixed.iterations);
  }
  if (inner == 0) good = good && is_near(iterations, in_float.iterations);
  if (inner > 0) good = good && iterations <= in_float.iterations + kApart;
  if (!solution.empty()) {
    const auto given = wse::reference::read_numbers(kName, solution, system.k.size());
    const double off = wse::reference::residual(system, {given.begin(), given.end()});
    fmt::print(" {} numbers compared: residual {:.2e}, distance {:.2e}\n", given.size(), off,
               wse::reference::distance(given, in_double.u));
    good = off <= kTimesTolerance * most && good;
  }
  return good ? 0 : 1;
}
