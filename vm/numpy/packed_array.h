// A named array in little memory: deflated, as a member NAME.npy of a zip, and inflated piece by
// piece where somebody reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "vm/numpy/deflate.h"
#include "vm/numpy/npy.h"

namespace wse::numpy {

struct NamedArray {
  std::string name;  // what numpy.load gives it under; the member of the zip is NAME.npy
  NpyArray array;
};

struct PackedArray {
  std::string name;
  std::string dtype;  // as those of an NpyArray
  std::vector<std::uint64_t> shape;
  std::uint64_t head_bytes = 0;  // of NAME.npy, before the elements
  std::uint64_t file_bytes = 0;  // of NAME.npy
  std::uint32_t checksum = 0;    // CRC-32 of NAME.npy
  std::vector<std::byte> deflated{};

  std::uint64_t data_bytes() const { return file_bytes - head_bytes; }
};

// Packs an array whose elements come one after another.
class ArrayPacker {
 public:
  // Errors: an unknown dtype, an impossible shape.
  static std::expected<ArrayPacker, std::string> of(std::string name, std::string dtype,
                                                    std::vector<std::uint64_t> shape);
  // Adds the bytes of the next elements.
  void add(std::span<const std::byte> bytes);
  // Returns the array. Errors: the bytes that were added do not have its shape.
  std::expected<PackedArray, std::string> finish();

 private:
  explicit ArrayPacker(PackedArray made);

  PackedArray made_;
  Deflater deflater_;
};

// Packs a whole array. Errors as those of ArrayPacker.
std::expected<PackedArray, std::string> packed(const NamedArray& named);

// Packs the bytes of a file NAME.npy. Errors are sentences without the name: what parse_npy() says.
std::expected<PackedArray, std::string> pack_npy(std::string name, std::span<const std::byte> file);

// Packs the file NAME.npy of `file_bytes` bytes with that checksum from the deflated bytes of a
// stranger. Errors: they are damaged, which is an empty text; what parse_npy() says.
std::expected<PackedArray, std::string> adopt_npy(std::string name, std::vector<std::byte> deflated,
                                                  std::uint64_t file_bytes, std::uint32_t checksum);

// Calls take(bytes) for the bytes of the elements, piece by piece; a piece may end within an
// element. Throws std::bad_alloc.
void for_each_piece(const PackedArray& array,
                    const std::function<void(std::span<const std::byte>)>& take);

// Returns the whole array.
NpyArray unpacked(const PackedArray& array);

}  // namespace wse::numpy
