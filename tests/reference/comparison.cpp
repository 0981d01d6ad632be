// Comparisons with files.
#include "tests/reference/comparison.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <cstring>

#include "vm/numpy/npy.h"

namespace wse::reference {
namespace {

template <class Number>
double distance_of(const std::vector<Number>& given, const std::vector<double>& wanted) {
  double worst = 0;
  double most = 0;
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const double off = std::fabs(static_cast<double>(given[k]) - wanted[k]);
    if (!(off <= worst)) worst = std::isnan(off) ? HUGE_VAL : off;
    most = std::fmax(most, std::fabs(wanted[k]));
  }
  return most > 0 ? worst / most : worst;
}

}  // namespace

void refuse(const char* command, const std::string& message) {
  fmt::print(stderr, "{}: {}\n", command, message);
  std::exit(2);
}

std::vector<float> read_numbers(const char* command, const std::string& file, std::size_t count) {
  wse::isa::InputList inputs;
  const auto array = wse::numpy::read_npy(file, inputs);
  if (!array) refuse(command, fmt::format("{}: {}", file, array.error().message));
  if (array->dtype != "<f4" || array->data.size() != count * sizeof(float)) {
    refuse(command, fmt::format("{}: {} numbers of f32 are wanted", file, count));
  }
  std::vector<float> numbers(count);
  std::memcpy(numbers.data(), array->data.data(), array->data.size());
  return numbers;
}

double distance(const std::vector<float>& given, const std::vector<double>& wanted) {
  return distance_of(given, wanted);
}

double distance(const std::vector<double>& given, const std::vector<double>& wanted) {
  return distance_of(given, wanted);
}

bool compare(const char* command, const std::string& what, const std::string& file,
             const std::vector<double>& wanted, double tolerance) {
  if (file.empty()) return true;
  const double off = distance(read_numbers(command, file, wanted.size()), wanted);
  const bool good = off <= tolerance;
  fmt::print(" {} numbers of the {} compared: {:.2e} of the largest off, {} {:.2e}\n",
             wanted.size(), what, off, good ? "within" : "BEYOND", tolerance);
  return good;
}

}  // namespace wse::reference
