// Exported arrays of a machine as NumPy files.
#pragma once

#include "vm/front/failure.h"
#include "vm/front/program_source.h"
#include "vm/numpy/npy.h"
#include "vm/run/machine.h"

namespace wse::front {

// Sets the array from the file. Shapes accepted: [height, width, n] of the grid or of the array's
// rectangle; [height, width] too if n is 1. The dtype must be the symbol's.
Outcome<void> load_array(vm::Machine& machine, const NameAndFile& in, isa::InputList& inputs);

// The shape of the array's file: [height, width, n], or [height, width] for a scalar symbol.
std::vector<std::uint64_t> file_shape(const vm::ArrayInfo& array);

// Returns where the elements of a file with this dtype and shape belong: in the rectangle of the
// array or of the grid. Errors: it is neither; another dtype.
Outcome<vm::ArrayInfo> place_of(const vm::Machine& machine, const NameAndFile& in,
                                std::string_view dtype, const std::vector<std::uint64_t>& shape);

// The same of an array that has been read; `file` is for messages.
Outcome<void> set_array(vm::Machine& machine, const std::string& name, const std::string& file,
                        const numpy::NpyArray& array);

// The array's rectangle as [height, width, n], or [height, width] for a scalar symbol.
Outcome<numpy::NpyArray> read_array(const vm::Machine& machine, const std::string& name);

}  // namespace wse::front
