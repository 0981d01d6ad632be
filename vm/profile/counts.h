// Counts as an array of a profile: of 32 bits each, or of 64 where one needs them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "isa/support/result.h"
#include "vm/numpy/packed_array.h"

namespace wse::vm {

// Packs the numbers of part(0), part(1) ... part(parts - 1), one part after the other. Each part is
// asked for twice unless there is one alone: so no more than one of them takes memory at a time.
// Errors: those of a part; `shape` has another number of elements.
isa::Result<numpy::PackedArray> pack_counts(
    std::string name, std::vector<std::uint64_t> shape, std::size_t parts,
    const std::function<isa::Result<std::vector<std::uint64_t>>(std::size_t)>& part);

// The same of numbers that are at hand.
isa::Result<numpy::PackedArray> pack_counts(std::string name, std::vector<std::uint64_t> shape,
                                            const std::vector<std::uint64_t>& numbers);

}  // namespace wse::vm
