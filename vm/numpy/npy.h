// NumPy's .npy files, in both directions: versions 1.0 to 3.0 are read, 1.0 is written.
// C order and little-endian only; what does not fit is refused with a message that says how to
// convert it. Must never convert values, and must never trust a length that the file claims.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/support/atomic_file.h"

namespace wse::numpy {

inline constexpr uint64_t kMaxDataBytes = uint64_t{1} << 40;

// An array in C order. dtype: NumPy's own short form, one of |u1 <i2 <u2 <i4 <u4 <i8 <u8 <f2 <f4
// <f8.
// data: product(shape) elements of element_bytes(dtype) bytes each.
struct NpyArray {
  std::string dtype;
  std::vector<uint64_t> shape;
  std::vector<std::byte> data;
};

// Bytes of one element; nothing if the dtype is not one of those above.
std::optional<uint64_t> element_bytes(std::string_view dtype);

// product(shape) * element_bytes; nothing if that overflows or the dtype is unknown.
std::optional<uint64_t> data_bytes(std::string_view dtype, std::span<const uint64_t> shape);

// `(3, 4)`, `(3,)`, `()`: as NumPy prints a shape.
std::string shape_text(std::span<const uint64_t> shape);

// The part of a file before its elements.
struct NpyHead {
  std::string dtype;
  std::vector<uint64_t> shape;
  uint64_t bytes = 0;  // before the first element
};

inline constexpr uint64_t kMostHeadBytes = uint64_t{1} << 20;  // more than NumPy writes

// Returns those bytes. Errors: an unknown dtype, an impossible shape.
std::expected<std::string, std::string> npy_head(std::string_view dtype,
                                                 std::span<const uint64_t> shape);
// Reads them back from the first bytes of a file of `file_bytes` bytes, at least kMostHeadBytes
// or all. Errors: those of parse_npy().
std::expected<NpyHead, std::string> parse_npy_head(std::span<const std::byte> begin,
                                                   uint64_t file_bytes);

// The bytes of a whole file, and back. Errors are sentences without the file's name.
std::expected<NpyArray, std::string> parse_npy(std::vector<std::byte> bytes);
std::expected<std::vector<std::byte>, std::string> format_npy(const NpyArray& array);

// path "-": stdin, stdout. Errors name the file; writing replaces the file whole or not at all.
// A file of more than `max_data_bytes` and a header is read no further.
std::expected<NpyArray, isa::FileError> read_npy(const std::string& path, isa::InputList& inputs,
                                                 uint64_t max_data_bytes = kMaxDataBytes);
std::expected<void, isa::FileError> write_npy(const std::string& path, isa::InputList& inputs,
                                              const NpyArray& array);

}  // namespace wse::numpy
