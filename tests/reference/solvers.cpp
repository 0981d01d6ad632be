// Solvers, cell by cell.
#include "tests/reference/solvers.h"

#include <cmath>

namespace wse::reference {
namespace {

template <class Real>
using Values = std::vector<Real>;

template <class Real>
class Solver {
 public:
  explicit Solver(const System& system) : system_(system), count_(system.k.size()) {
    const auto [nx, ny, nz] = system.sizes;
    for (std::size_t cell = 0; cell < count_; ++cell)
      scale_.push_back(1 / std::sqrt(diagonal(cell)));
    for (std::size_t cell = 0; cell < count_; ++cell) {
      std::vector<Side> sides;
      each_side(cell, [&](double between, bool has_other, std::size_t other) {
        if (has_other)
          sides.push_back({other, static_cast<Real>(between * scale_[cell] * scale_[other])});
      });
      sides_.push_back(sides);
      b_.push_back(static_cast<Real>(system.b[cell] * scale_[cell]));
      const std::size_t z = cell % nz;
      is_even_.push_back((z + cell / nz % nx + cell / (nx * nz) % ny) % 2 == 0);
    }
    limit_ = static_cast<Real>(system.tolerance * system.tolerance) * dot(b_, b_);
  }

  Solution by(const std::string& method) {
    Values<Real> v(count_);
    Solution solution;
    if (method == "cg") solution.iterations = gradients(v);
    if (method == "bicgstab") solution.iterations = stabilized(v);
    if (method == "jacobi") solution.iterations = jacobi(v);
    if (method == "gauss-seidel") solution.iterations = gauss_seidel(v);
    for (std::size_t cell = 0; cell < count_; ++cell) {
      solution.u.push_back(static_cast<double>(v[cell]) * scale_[cell]);
    }
    solution.residual = residual_of(solution.u);
    return solution;
  }

  double residual_of(const std::vector<double>& u) const {
    double off = 0;
    double all = 0;
    for (std::size_t cell = 0; cell < count_; ++cell) {
      double value = system_.b[cell] - diagonal(cell) * u[cell];
      each_side(cell, [&](double between, bool has_other, std::size_t other) {
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
  };

  // Calls see(k between, whether there is a cell, its number) for both sides of each axis of more
  // than one cell.
  template <class See>
  void each_side(std::size_t cell, See see) const {
    const auto [nx, ny, nz] = system_.sizes;
    const std::array<std::size_t, 3> sizes{nz, nx, ny};
    std::size_t stride = 1;
    for (const std::size_t size : sizes) {
      const std::size_t place = cell / stride % size;
      for (const bool ahead : {true, false}) {
        if (size == 1) continue;
        const bool has_other = ahead ? place + 1 < size : place > 0;
        const std::size_t other = !has_other ? cell : ahead ? cell + stride : cell - stride;
        const double own = system_.k[cell];
        see(2 * own * system_.k[other] / (own + system_.k[other]), has_other, other);
      }
      stride *= size;
    }
  }

  double diagonal(std::size_t cell) const {
    double sum = system_.shift;
    each_side(cell, [&](double between, bool, std::size_t) { sum += between; });
    return sum;
  }

  Real dot(const Values<Real>& one, const Values<Real>& other) const {
    Real sum = 0;
    for (std::size_t cell = 0; cell < count_; ++cell) sum += one[cell] * other[cell];
    return sum;
  }

  Real times(const Values<Real>& v, std::size_t cell) const {
    Real sum = v[cell];
    for (const Side& side : sides_[cell]) sum -= side.weight * v[side.cell];
    return sum;
  }

  Values<Real> times(const Values<Real>& v) const {
    Values<Real> result(count_);
    for (std::size_t cell = 0; cell < count_; ++cell) result[cell] = times(v, cell);
    return result;
  }

  // Returns one + factor * other.
  Values<Real> sum(const Values<Real>& one, Real factor, const Values<Real>& other) const {
    Values<Real> result(count_);
    for (std::size_t cell = 0; cell < count_; ++cell)
      result[cell] = one[cell] + factor * other[cell];
    return result;
  }

  std::size_t gradients(Values<Real>& v) const {
    Values<Real> r = b_;
    Values<Real> p = b_;
    Real rr = dot(r, r);
    for (std::size_t n = 1; n <= system_.most; ++n) {
      const Values<Real> q = times(p);
      const Real alpha = rr / dot(p, q);
      v = sum(v, alpha, p);
      r = sum(r, -alpha, q);
      const Real next = dot(r, r);
      if (next <= limit_) return n;
      p = sum(r, next / rr, p);
      rr = next;
    }
    return system_.most;
  }

  std::size_t stabilized(Values<Real>& v) const {
    Values<Real> r = b_;
    Values<Real> p = b_;
    Real rho = dot(b_, r);
    for (std::size_t n = 1; n <= system_.most; ++n) {
      const Values<Real> q = times(p);
      const Real alpha = rho / dot(b_, q);
      const Values<Real> s = sum(r, -alpha, q);
      v = sum(v, alpha, p);
      if (dot(s, s) == 0) return n;
      const Values<Real> t = times(s);
      const Real omega = dot(t, s) / dot(t, t);
      v = sum(v, omega, s);
      r = sum(s, -omega, t);
      if (dot(r, r) <= limit_) return n;
      const Real next = dot(b_, r);
      const Real beta = next / rho * (alpha / omega);
      p = sum(r, beta, sum(p, -omega, q));
      rho = next;
    }
    return system_.most;
  }

  std::size_t jacobi(Values<Real>& v) const {
    for (std::size_t n = 1; n <= system_.most; ++n) {
      const Values<Real> r = sum(b_, -1, times(v));
      v = sum(v, 1, r);
      if (dot(r, r) <= limit_) return n;
    }
    return system_.most;
  }

  std::size_t gauss_seidel(Values<Real>& v) const {
    for (std::size_t n = 1; n <= system_.most; ++n) {
      Real squares = 0;
      for (const bool even : {true, false}) {
        for (std::size_t cell = 0; cell < count_; ++cell) {
          if (is_even_[cell] != even) continue;
          const Real change = b_[cell] - times(v, cell);
          v[cell] += change;
          if (even) squares += change * change;
        }
      }
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
  Real limit_ = 0;
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
  return Solver<double>(system).residual_of(u);
}

template <class Real>
Solution solve(const System& system, const std::string& method) {
  return Solver<Real>(system).by(method);
}

template Solution solve<float>(const System&, const std::string&);
template Solution solve<double>(const System&, const std::string&);

}  // namespace wse::reference
