// References, formats, and the program that maps a function over arrays.
#include "tests/library/functions.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "asm/assembler.h"
#include "tests/support/engine.h"
#include "vm/run/machine.h"

namespace wse::test_library {
namespace {

constexpr std::uint32_t kSide = 32;  // of the grid

using Real = long double;

isa::Attempt<std::unique_ptr<vm::Machine>> machine_of(const std::string& function, bool two,
                                                      std::uint32_t height) {
  const std::string type = function.substr(function.rfind('_') + 1);
  const std::string text = fmt::format(
      ".include \"math.wsa\"\n.grid {0}, {1}\n.program p\n  .{2} x[{3}] exported\n"
      "  .{2} y[{3}] exported\n  .{2} result[{3}] exported\n  task main:\n"
      "    map result, {4}, x{5}\n.place p at (0..{0} - 1, 0..{1} - 1)\n",
      kSide, height, type, kNumbersPerPe, function, two ? ", y" : "");
  const isa::Profile profile = *isa::find_profile("wse2");
  assembler::Output output =
      assembler::assemble({"accuracy.wsa", text}, {.overrides = {}, .profile = profile});
  if (!output.image) return isa::fail(isa::to_text(output.diagnostics, output.files));
  return vm::Machine::create(std::move(*output.image), profile, test_support::test_machine());
}

// As many as one mesh holds.
std::vector<std::uint32_t> compute_some(const std::string& function, std::vector<std::uint32_t> x,
                                        std::vector<std::uint32_t> y) {
  const std::size_t count = x.size();
  const std::size_t row = std::size_t{kSide} * kNumbersPerPe;
  const auto height = static_cast<std::uint32_t>((count + row - 1) / row);
  auto machine = machine_of(function, !y.empty(), height);
  if (!machine) {
    ADD_FAILURE() << machine.error().message;
    return std::vector<std::uint32_t>(count);
  }
  const vm::ArrayInfo place = *(*machine)->array("x");
  x.resize(height * row);
  EXPECT_TRUE((*machine)->write_array("x", place, x));
  if (!y.empty()) {
    y.resize(height * row, 1);
    EXPECT_TRUE((*machine)->write_array("y", place, y));
  }
  EXPECT_EQ((*machine)->run({}).status, vm::RunStatus::Halted);
  std::vector<std::uint32_t> result = *(*machine)->read_array("result");
  result.resize(count);
  return result;
}

}  // namespace

const std::vector<Function>& functions() {
  static const std::vector<Function> kAll = {
      {"exp", [](Real x, Real) { return std::exp(x); }},
      {"log", [](Real x, Real) { return std::log(x); }},
      {"sin", [](Real x, Real) { return std::sin(x); }},
      {"cos", [](Real x, Real) { return std::cos(x); }},
      {"tanh", [](Real x, Real) { return std::tanh(x); }},
      {"erf", [](Real x, Real) { return std::erf(x); }},
      {"sqrt", [](Real x, Real) { return std::sqrt(x); }},
      {"rsqrt", [](Real x, Real) { return 1 / std::sqrt(x); }},
      {"pow", [](Real x, Real y) { return std::pow(x, y); }, true},
  };
  return kAll;
}

const Format kF32{"f32", 4, 24, -126, 0x7f800000};
const Format kF16{"f16", 2, 11, -14, 0x7c00};

long double Format::beyond() const { return std::ldexp(Real{1}, 2 - least_exponent); }

long double Format::value(std::uint32_t bits) const {
  const std::uint32_t magnitude = bits & ~sign_bit();
  const std::uint32_t fraction_bits = static_cast<std::uint32_t>(precision) - 1;
  const std::uint32_t fraction = magnitude & ((1u << fraction_bits) - 1);
  const auto biased = static_cast<int>(magnitude >> fraction_bits);
  const bool normal = biased > 0;
  Real value = std::ldexp(Real(normal ? fraction | 1u << fraction_bits : fraction),
                          (normal ? biased - 1 : 0) + least_exponent - precision + 1);
  if (magnitude == infinity) value = beyond();
  if (is_nan(bits)) value = std::numeric_limits<Real>::quiet_NaN();
  return (bits & sign_bit()) != 0 ? -value : value;
}

long double Format::ulp(long double value) const {
  const int exponent = value == 0 ? least_exponent : std::ilogb(value);
  return std::ldexp(Real{1}, std::max(exponent, least_exponent) - precision + 1);
}

std::vector<std::uint32_t> compute(const std::string& function, const Format& format,
                                   const std::vector<std::uint32_t>& x,
                                   const std::vector<std::uint32_t>& y) {
  constexpr std::size_t kMost = std::size_t{kNumbersPerPe} * kSide * kSide;
  std::vector<std::uint32_t> result;
  for (std::size_t first = 0; first < x.size(); first += kMost) {
    const auto part = [first](const std::vector<std::uint32_t>& all) {
      const std::size_t end = std::min(all.size(), first + kMost);
      return all.empty() ? all : std::vector(all.begin() + first, all.begin() + end);
    };
    const auto some = compute_some(function + "_" + format.name, part(x), part(y));
    result.insert(result.end(), some.begin(), some.end());
  }
  return result;
}

std::vector<std::uint32_t> compute_integer(const std::string& function,
                                           std::vector<std::uint32_t> x,
                                           std::vector<std::uint32_t> y) {
  return compute_some(function, std::move(x), std::move(y));
}

double error_in_ulp(const Function& function, const Format& format, std::uint32_t result,
                    std::uint32_t x, std::uint32_t y) {
  constexpr double kWrong = std::numeric_limits<double>::infinity();
  // The C library is asked with infinities, not with what stands for them.
  const auto argument = [&format](std::uint32_t bits) {
    const Real value = format.value(bits);
    return format.is_infinite(bits) ? std::copysign(HUGE_VALL, value) : value;
  };
  Real right = function.reference(argument(x), argument(y));
  if (std::isnan(right) || format.is_nan(result)) {
    return std::isnan(right) == format.is_nan(result) ? 0 : kWrong;
  }
  if (std::fabs(right) > format.beyond()) right = std::copysign(format.beyond(), right);
  const Real found = format.value(result);
  if (right == 0 && found == 0) return std::signbit(right) == std::signbit(found) ? 0 : kWrong;
  return static_cast<double>(std::fabs(found - right) / format.ulp(right));
}

}  // namespace wse::test_library
