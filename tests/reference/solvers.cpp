// Solvers, cell by cell.
#include "tests/reference/solvers.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "tests/reference/half.h"

namespace wse::reference {
namespace {

constexpr double kLargestOfHalf = 128;  // of the right side in numbers of 16 bits
constexpr double kLast = 0.99;          // of the tolerance, for the last round

template <class Real>
using Values = std::vector<Real>;

// Returns a + b c: rounded twice, but once where the product is of numbers of 16 bits.
template <class Wide, class Real>
Wide multiply_add(Wide a, Real b, Real c) {
  if constexpr (std::is_same_v<Real, Half>)
    return static_cast<Wide>(static_cast<double>(a) +
                             static_cast<double>(b) * static_cast<double>(c));
  else
    return a + b * c;
}

// Real: of vectors and coefficients; Wide: of dot products, of what is computed of them, and of the
// solution.
template <class Real, class Wide>
class Solver {
 public:
  explicit Solver(const System& system) : system_(system), count_(system.k.size()) {
    for (std::size_t cell = 0; cell < count_; ++cell)
      scale_.push_back(1 / std::sqrt(diagonal(cell)));
    const auto [nx, ny, nz] = system.sizes;
    std::vector<double> right;
    for (std::size_t cell = 0; cell < count_; ++cell) {
      std::vector<Side> sides;
      each_side(cell, [&](double between, bool has_other, std::size_t other, std::size_t part) {
        if (has_other)
          sides.push_back({other, static_cast<Real>(between * scale_[cell] * scale_[other]), part});
      });
      sides_.push_back(sides);
      right.push_back(system.b[cell] * scale_[cell]);
      const std::size_t z = cell % nz;
      is_even_.push_back((z + cell / nz % nx + cell / (nx * nz) % ny) % 2 == 0);
    }
    set_right_side(right, system.tolerance);
  }

  // Sets the right side of the scaled system, and how small the residual becomes beside it.
  void set_right_side(const std::vector<double>& right, double tolerance) {
    double largest = 0;
    for (const double value : right) largest = std::max(largest, std::abs(value));
    if (std::is_same_v<Real, Half> && largest > 0)
      power_ = std::exp2(std::floor(std::log2(kLargestOfHalf / largest)));
    b_.clear();
    for (const double value : right) b_.push_back(static_cast<Real>(value * power_));
    limit_ = static_cast<Wide>(tolerance * tolerance) * dot(b_, b_);
  }

  // Solves the scaled system. Returns the solution and the iterations. ahead: by how much the
  // direction of CG begins ahead of the residual, empty for 0; is set to what it is in the end.
  std::pair<std::vector<double>, std::size_t> scaled(const std::string& method,
                                                     std::vector<double>& ahead) const {
    Values<Wide> v(count_);
    std::size_t iterations = 0;
    if (method == "cg") iterations = gradients(v, ahead);
    if (method == "bicgstab") iterations = stabilized(v);
    if (method == "jacobi") iterations = jacobi(v);
    if (method == "gauss-seidel") iterations = gauss_seidel(v);
    std::vector<double> solution;
    for (const Wide value : v) solution.push_back(static_cast<double>(value) / power_);
    return {solution, iterations};
  }

  Solution by(const std::string& method) const {
    std::vector<double> ahead;
    const auto [v, iterations] = scaled(method, ahead);
    return unscaled(v, iterations);
  }

  // Returns the solution of the system from that of the scaled one.
  Solution unscaled(const std::vector<double>& v, std::size_t iterations) const {
    Solution solution{.u = {}, .iterations = iterations, .residual = 0};
    for (std::size_t cell = 0; cell < count_; ++cell) solution.u.push_back(v[cell] * scale_[cell]);
    solution.residual = residual_of(solution.u);
    return solution;
  }

  // Returns b - A v of the scaled system, and sets the square of its norm over that of b.
  std::vector<double> rest(const Values<Real>& v, double& squares) const {
    std::vector<double> result;
    double all = 0;
    squares = 0;
    for (std::size_t cell = 0; cell < count_; ++cell) {
      result.push_back(static_cast<double>(b_[cell] - times(v, cell)));
      squares += std::pow(result[cell], 2);
      all += std::pow(static_cast<double>(b_[cell]), 2);
    }
    squares /= all;
    return result;
  }

  double residual_of(const std::vector<double>& u) const {
    double off = 0;
    double all = 0;
    for (std::size_t cell = 0; cell < count_; ++cell) {
      double value = system_.b[cell] - diagonal(cell) * u[cell];
      each_side(cell, [&](double between, bool has_other, std::size_t other, std::size_t) {
        if (has_other) value += between * u[other];
      });
      off += std::pow(value * scale_[cell], 2);
      all += std::pow(system_.b[cell] * scale_[cell], 2);
    }
    return std::sqrt(off / all);
  }

 private:
  struct Side {
    std::size_t cell;
    Real weight;
    std::size_t part;  // of the sum
  };

  // Calls see(k between, whether there is a cell, its number, part of the sum) for both sides of
  // each axis of more than one cell.
  template <class See>
  void each_side(std::size_t cell, See see) const {
    const auto [nx, ny, nz] = system_.sizes;
    const std::array<std::size_t, 3> sizes{nx, ny, nz};
    const std::array<std::size_t, 3> strides{nz, nx * nz, 1};
    for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
      const std::size_t size = sizes[axis];
      const std::size_t stride = strides[axis];
      const std::size_t place = cell / stride % size;
      for (const bool ahead : {true, false}) {
        if (size == 1) continue;
        const bool has_other = ahead ? place + 1 < size : place > 0;
        const std::size_t other = !has_other ? cell : ahead ? cell + stride : cell - stride;
        const double own = system_.k[cell];
        see(2 * own * system_.k[other] / (own + system_.k[other]), has_other, other,
            ahead != (axis == 2) ? 1 : 0);
      }
    }
  }

  double diagonal(std::size_t cell) const {
    double sum = system_.shift;
    each_side(cell, [&](double between, bool, std::size_t, std::size_t) { sum += between; });
    return sum;
  }

  Wide dot(const Values<Real>& one, const Values<Real>& other) const {
    Wide sum = 0;
    for (std::size_t cell = 0; cell < count_; ++cell)
      sum = multiply_add(sum, one[cell], other[cell]);
    return sum;
  }

  // Adds up the products of three sides and of the other three, in the order x, y, z, as the PEs
  // do: of 16 bits the order counts.
  Real times(const Values<Real>& v, std::size_t cell) const {
    std::array<Real, 2> sums{Real(0), Real(0)};
    for (const Side& side : sides_[cell]) sums[side.part] -= side.weight * v[side.cell];
    return (sums[0] + v[cell]) + sums[1];
  }

  // Returns v - A v.
  Values<Real> around(const Values<Real>& v) const {
    Values<Real> result(count_);
    for (std::size_t cell = 0; cell < count_; ++cell) {
      std::array<Real, 2> sums{Real(0), Real(0)};
      for (const Side& side : sides_[cell]) sums[side.part] += side.weight * v[side.cell];
      result[cell] = sums[0] + sums[1];
    }
    return result;
  }

  Values<Real> times(const Values<Real>& v) const {
    Values<Real> result(count_);
    for (std::size_t cell = 0; cell < count_; ++cell) result[cell] = times(v, cell);
    return result;
  }

  // Returns one + factor * other.
  template <class Type>
  Values<Type> sum(const Values<Type>& one, Wide factor, const Values<Real>& other) const {
    Values<Type> result(count_);
    for (std::size_t cell = 0; cell < count_; ++cell)
      result[cell] = multiply_add(one[cell], static_cast<Real>(factor), other[cell]);
    return result;
  }

  std::size_t gradients(Values<Wide>& v, std::vector<double>& ahead) const {
    Values<Real> r = b_;
    Values<Real> p = b_;
    for (std::size_t cell = 0; cell < ahead.size(); ++cell)
      p[cell] = static_cast<Real>(static_cast<double>(b_[cell]) + ahead[cell] * power_);
    Wide rr = dot(r, r);
    for (std::size_t n = 1; n <= system_.most; ++n) {
      const Values<Real> q = times(p);
      const Wide alpha = rr / dot(p, q);
      v = sum(v, alpha, p);
      r = sum(r, -alpha, q);
      const Wide next = dot(r, r);
      p = sum(r, next / rr, p);
      rr = next;
      ahead.resize(count_);
      for (std::size_t cell = 0; cell < count_; ++cell)
        ahead[cell] = (static_cast<double>(p[cell]) - static_cast<double>(r[cell])) / power_;
      if (next <= limit_) return n;
    }
    return system_.most;
  }

  std::size_t stabilized(Values<Wide>& v) const {
    Values<Real> r = b_;
    Values<Real> p = b_;
    Wide rho = dot(b_, r);
    for (std::size_t n = 1; n <= system_.most; ++n) {
      const Values<Real> q = times(p);
      const Wide alpha = rho / dot(b_, q);
      const Values<Real> s = sum(r, -alpha, q);
      v = sum(v, alpha, p);
      if (dot(s, s) == 0) return n;
      const Values<Real> t = times(s);
      const Wide omega = dot(t, s) / dot(t, t);
      v = sum(v, omega, s);
      r = sum(s, -omega, t);
      if (dot(r, r) <= limit_) return n;
      const Wide next = dot(b_, r);
      const Wide beta = next / rho * (alpha / omega);
      p = sum(sum(r, beta, p), -(beta * omega), q);
      rho = next;
    }
    return system_.most;
  }

  std::size_t jacobi(Values<Wide>& v) const {
    Values<Real> r = b_;
    for (std::size_t n = 1; n <= system_.most; ++n) {
      const Wide squares = dot(r, r);
      v = sum(v, 1, r);
      r = around(r);
      if (squares <= limit_) return n;
    }
    return system_.most;
  }

  std::size_t gauss_seidel(Values<Wide>& v) const {
    Values<Real> r = b_;
    for (std::size_t n = 1; n <= system_.most; ++n) {
      const Wide squares = dot(r, r);
      Values<Real> change = around(r);
      for (std::size_t cell = 0; cell < count_; ++cell)
        change[cell] = is_even_[cell] ? r[cell] : r[cell] + change[cell];
      v = sum(v, 1, change);
      r = around(change);
      for (std::size_t cell = 0; cell < count_; ++cell)
        if (!is_even_[cell]) r[cell] = Real(0);
      if (squares <= limit_) return n;
    }
    return system_.most;
  }

  const System& system_;
  std::size_t count_;
  std::vector<double> scale_{};
  std::vector<std::vector<Side>> sides_{};
  Values<Real> b_{};
  std::vector<bool> is_even_{};
  double power_ = 1;
  Wide limit_ = 0;
};

}  // namespace

void set_defaults(System& system, double contrast) {
  const auto [nx, ny, nz] = system.sizes;
  for (std::size_t y = 0; y < ny; ++y) {
    for (std::size_t x = 0; x < nx; ++x) {
      for (std::size_t z = 0; z < nz; ++z) {
        system.k.push_back(1 +
                           (contrast - 1) * static_cast<double>((7 * x + 3 * y + 5 * z) % 11) / 10);
        system.b.push_back(static_cast<double>((5 * x + 3 * y + 11 * z) % 7) - 3);
      }
    }
  }
}

double residual(const System& system, const std::vector<double>& u) {
  return Solver<double, double>(system).residual_of(u);
}

template <class Real>
Solution solve(const System& system, const std::string& method) {
  return Solver<Real, Real>(system).by(method);
}

Solution solve_mixed(const System& system, const std::string& method) {
  return Solver<Half, float>(system).by(method);
}

Solution solve_refined(const System& system, const std::string& method, double inner) {
  const Solver<float, float> outer(system);
  Solver<Half, float> half(system);
  Values<float> v(system.k.size());
  std::size_t iterations = 0;
  double squares = 1;
  double before = 2;
  std::vector<double> right = outer.rest(v, squares);
  std::vector<double> ahead;
  while (squares > system.tolerance * system.tolerance && squares < before &&
         iterations < system.most) {
    before = squares;
    half.set_right_side(right, std::max(inner, kLast * system.tolerance / std::sqrt(squares)));
    const auto [change, count] = half.scaled(method, ahead);
    for (std::size_t cell = 0; cell < v.size(); ++cell) v[cell] += static_cast<float>(change[cell]);
    iterations += count;
    right = outer.rest(v, squares);
  }
  return outer.unscaled({v.begin(), v.end()}, iterations);
}

template Solution solve<float>(const System&, const std::string&);
template Solution solve<double>(const System&, const std::string&);

}  // namespace wse::reference
