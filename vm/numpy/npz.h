// NumPy's .npz files: named arrays in one zip, as numpy.savez_compressed writes and numpy.load
// reads.
//
// Equal arrays give equal bytes: no time stamps, members in the order given. What is read is
// not trusted: sizes are checked before memory is taken, checksums after.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "isa/support/result.h"
#include "vm/numpy/npy.h"

namespace wse::numpy {

struct NamedArray {
  std::string name;  // what numpy.load gives it under; the member of the zip is NAME.npy
  NpyArray array;
};

// Members of a file: more are refused.
inline constexpr std::size_t kMostMembers = 1000;

// Returns the bytes of a whole file. Errors: no array, two of one name, one whose bytes are not
// those of its shape; no memory.
isa::Attempt<std::vector<std::byte>> format_npz(std::span<const NamedArray> arrays);

// Returns the arrays of a file in its order. Errors, as sentences without the file's name: no zip,
// damaged, a member that is no array; elements of more than `most_bytes` in all; no memory.
isa::Attempt<std::vector<NamedArray>> parse_npz(std::span<const std::byte> bytes,
                                                std::uint64_t most_bytes);

}  // namespace wse::numpy
