// The axis of a tilted medium, and its stiffnesses.
#include <cmath>
#include <numbers>

#include "tests/reference/tilted.h"
#include "tests/reference/tilted_fields.h"

namespace wse::reference {

Vector3 tilted_axis(double theta, double phi) {
  const double t = theta * std::numbers::pi / 180;
  const double p = phi * std::numbers::pi / 180;
  return {std::sin(t) * std::cos(p), std::sin(t) * std::sin(p), std::cos(t)};
}

Stiffness tilted_stiffness(double density, double vp, double vs, double epsilon, double delta,
                           double gamma, double theta, double phi) {
  const double c33 = density * vp * vp;
  const double c44 = density * vs * vs;
  const double c11 = c33 * (1 + 2 * epsilon);
  const double c66 = c44 * (1 + 2 * gamma);
  const double c13 = std::sqrt(2 * delta * c33 * (c33 - c44) + std::pow(c33 - c44, 2)) - c44;
  const double c12 = c11 - 2 * c66;
  const Stiffness upright{{{c11, c12, c13, 0, 0, 0},
                           {c12, c11, c13, 0, 0, 0},
                           {c13, c13, c33, 0, 0, 0},
                           {0, 0, 0, c44, 0, 0},
                           {0, 0, 0, 0, c44, 0},
                           {0, 0, 0, 0, 0, c66}}};
  const double t = theta * std::numbers::pi / 180;
  const double p = phi * std::numbers::pi / 180;
  // Columns are where the axes go: about y by theta, then about z by phi.
  const std::array<Vector3, 3> turn{
      {{std::cos(p) * std::cos(t), -std::sin(p), std::cos(p) * std::sin(t)},
       {std::sin(p) * std::cos(t), std::cos(p), std::sin(p) * std::sin(t)},
       {-std::sin(t), 0, std::cos(t)}}};
  Stiffness result{};
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      double sum = 0;
      for (std::size_t a = 0; a < 81; ++a) {  // c[k l m n] turned to kPairs[i], kPairs[j]
        const std::size_t k = a / 27, l = a / 9 % 3, m = a / 3 % 3, n = a % 3;
        sum += turn[kPairs[i][0]][k] * turn[kPairs[i][1]][l] * turn[kPairs[j][0]][m] *
               turn[kPairs[j][1]][n] * upright[number_of(k, l)][number_of(m, n)];
      }
      result[i][j] = sum;
    }
  }
  return result;
}

}  // namespace wse::reference
