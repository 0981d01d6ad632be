// Exported arrays of a machine as NumPy files and pictures.
#pragma once

#include "vm/cli/commands.h"
#include "vm/cli/failure.h"
#include "vm/cli/picture.h"
#include "vm/numpy/npy.h"

namespace wse::cli {

// Sets the array from the file. Shapes accepted: [height, width, n] of the grid or of the array's
// rectangle; [height, width] too if n is 1. The dtype must be the symbol's.
Outcome<void> load_array(vm::Machine& machine, const NameAndFile& in, isa::InputList& inputs);

// The same of an array that has been read; `file` is for messages.
Outcome<void> set_array(vm::Machine& machine, const std::string& name, const std::string& file,
                        const numpy::NpyArray& array);

// The array's rectangle as [height, width, n], or [height, width] for a scalar symbol.
Outcome<numpy::NpyArray> read_array(const vm::Machine& machine, const std::string& name);

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
