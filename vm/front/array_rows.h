// Exported arrays by rows of PEs, as their NumPy files hold them, for processes that each have a
// part of a machine: nobody holds all of an array. Streams have no rows of PEs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "isa/support/input_list.h"
#include "vm/front/failure.h"
#include "vm/front/program_source.h"
#include "vm/run/machine.h"
#include "vm/support/pe_range.h"

namespace wse::front {

// Sets the array at the PEs `own`, whole rows of the mesh, from their place in the file, piece by
// piece. Errors: those of load_array(); stdin, which a launcher gives to one process alone. A
// stream is set as a whole.
Outcome<void> load_own_rows(vm::Machine& machine, const NameAndFile& in, const vm::PeRange& own,
                            isa::InputList& inputs);

// Returns whether the name is that of a stream of the image, not of an array of PEs.
bool is_stream(const vm::Machine& machine, const std::string& name);

// Returns the bytes of the array's file before its elements.
Outcome<std::string> array_head(const vm::Machine& machine, const std::string& name);

// Returns how many rows of PEs with this array are worth one piece, so that it has some megabytes.
std::uint32_t rows_in_piece(const vm::ArrayInfo& array);

// Returns the bytes of the elements at the PEs, whole rows of the mesh; 0 if the array has none
// there.
std::size_t rows_bytes(const vm::Machine& machine, const vm::ArrayInfo& array,
                       const vm::PeRange& pes);
// Returns these elements in the order of the file.
Outcome<std::vector<std::byte>> array_rows(vm::Machine& machine, const std::string& name,
                                           const vm::PeRange& pes);

}  // namespace wse::front
