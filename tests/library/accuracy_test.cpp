// No result is further from the function's value than the table of asm/library/README.md says: for
// all arguments of f16, and of f32 for as many as WSE_LIBRARY_ARGUMENTS says. With
// WSE_LIBRARY_ERRORS the worst ones are printed.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <regex>

#include "tests/library/functions.h"
#include "tests/support/files.h"

namespace wse::test_library {
namespace {

constexpr std::size_t kQuickArguments = 100'000;

// The bound that the table states.
double stated_error(const std::string& name) {
  const std::string page = test_support::read_text(std::filesystem::path(WSE_SOURCE_DIR) / "asm" /
                                                   "library" / "README.md");
  const std::regex row("\\| `" + name + "` \\|[^|]*\\| ([0-9.]+) \\|");
  std::smatch match;
  if (!std::regex_search(page, match, row)) return -1;
  return std::stod(match[1]);
}

struct Worst {
  double error = 0;
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  std::uint32_t result = 0;
};

Worst worst_of(const Function& function, const Format& format, const std::vector<std::uint32_t>& x,
               const std::vector<std::uint32_t>& y) {
  const std::vector<std::uint32_t> results = compute(function.name, format, x, y);
  Worst worst;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const std::uint32_t second = y.empty() ? 0 : y[k];
    const double error = error_in_ulp(function, format, results[k], x[k], second);
    if (error > worst.error) worst = {error, x[k], second, results[k]};
  }
  return worst;
}

void expect_stated(const Function& function, const Format& format, const Worst& worst) {
  const std::string name = function.name + "_" + format.name;
  if (std::getenv("WSE_LIBRARY_ERRORS") != nullptr) {
    std::printf("%-10s %.4f at 0x%08x 0x%08x gives 0x%08x\n", name.c_str(), worst.error, worst.x,
                worst.y, worst.result);
  }
  const double stated = stated_error(name);
  ASSERT_GT(stated, 0) << name << " has no row";
  EXPECT_LE(worst.error, stated) << name << std::hex << " of 0x" << worst.x << ", 0x" << worst.y
                                 << " gives 0x" << worst.result;
}

std::size_t argument_count() {
  const char* const text = std::getenv("WSE_LIBRARY_ARGUMENTS");
  return text == nullptr ? kQuickArguments : std::strtoull(text, nullptr, 10);
}

// The special ones first; then, in turns, any bits, numbers of everyday size, and those around one.
std::vector<std::uint32_t> arguments_of_f32(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint32_t> all = {0,          0x80000000, 1,          0x80000001, 0x7fffff,
                                    0x807fffff, 0x800000,   0x7f7fffff, 0xff7fffff, 0x7f800000,
                                    0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001, 0x3f800000,
                                    0xbf800000, 0x3f7fffff, 0x3f800001};
  while (all.size() < count) {
    const auto bits = static_cast<std::uint32_t>(random());
    const std::uint32_t fraction = static_cast<std::uint32_t>(random()) & 0x7fffff;
    const std::uint32_t everyday = 127 - 16 + bits % 24;  // 2^-16 .. 2^8
    const std::uint32_t exponents[] = {bits >> 23 & 0xff, everyday, 126 + bits % 2};
    all.push_back((bits & 0x80000000) | exponents[all.size() % 3] << 23 | fraction);
  }
  return all;
}

class AccuracyOf : public testing::TestWithParam<Function> {};

TEST_P(AccuracyOf, F16) {
  const Function& function = GetParam();
  std::vector<std::uint32_t> x;
  std::vector<std::uint32_t> y;
  std::mt19937 random(1);
  for (int turn = 0; turn < (function.takes_two ? 8 : 1); ++turn) {
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
      x.push_back(bits);
      if (function.takes_two) y.push_back(random() & 0xffff);
    }
  }
  expect_stated(function, kF16, worst_of(function, kF16, x, y));
}

TEST_P(AccuracyOf, F32) {
  const Function& function = GetParam();
  const std::vector<std::uint32_t> x = arguments_of_f32(argument_count(), 1);
  std::vector<std::uint32_t> y;
  if (function.takes_two) {
    y = arguments_of_f32(argument_count(), 2);
    std::shuffle(y.begin(), y.end(), std::mt19937(3));
  }
  expect_stated(function, kF32, worst_of(function, kF32, x, y));
}

// What the page says of arguments that need no reduction by hundreds of bits.
TEST(Accuracy, SmallAnglesOfF32) {
  std::vector<std::uint32_t> x;
  for (const std::uint32_t bits : arguments_of_f32(argument_count(), 4)) {
    if ((bits & 0x7fffffff) < 0x47800000) x.push_back(bits);
  }
  for (const Function& function : functions()) {
    if (function.name != "sin" && function.name != "cos") continue;
    EXPECT_LT(worst_of(function, kF32, x, {}).error, 1.5) << function.name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, AccuracyOf, testing::ValuesIn(functions()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace wse::test_library
