// NumPy's .npz files: named arrays in one zip, as numpy.savez_compressed writes and numpy.load
// reads.
//
// Equal arrays give equal bytes: no time stamps, members in the order given. What is read is
// not trusted: sizes are checked before memory is taken, and every byte is inflated once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "isa/support/result.h"
#include "vm/numpy/packed_array.h"

namespace wse::numpy {

// Members of a file: more are refused.
inline constexpr std::size_t kMostMembers = 1000;

// Returns the bytes of a whole file. Errors: no array, two of one name; no memory.
isa::Attempt<std::vector<std::byte>> format_npz(std::span<const PackedArray> arrays);

// Returns the arrays of a file in its order. Errors, as sentences without the file's name: no zip,
// damaged, a member that is no array; elements of more than `most_bytes` in all; no memory.
isa::Attempt<std::vector<PackedArray>> parse_npz(std::span<const std::byte> bytes,
                                                 std::uint64_t most_bytes);

}  // namespace wse::numpy
