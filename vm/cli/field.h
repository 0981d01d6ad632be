// Exported arrays of a machine as pictures have them.
#pragma once

#include <string>
#include <vector>

#include "vm/cli/failure.h"
#include "vm/cli/picture.h"
#include "vm/run/machine.h"

namespace wse::cli {

// The array as rows of floats: element i of PE (x, y) is in row y * n + i, column x, so that a
// column of cells in each PE becomes a column of the picture.
struct Field {
  std::vector<float> values;
  std::uint64_t width = 0;
  std::uint64_t height = 0;

  FieldView view() const { return {values, width, height}; }
};
Outcome<Field> read_field(const vm::Machine& machine, const std::string& name);

}  // namespace wse::cli
