// The elements of an array of unsigned numbers, inflated: each in as few bytes as the largest
// needs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "vm/numpy/packed_array.h"

namespace wse::vm {

// Returns the little-endian number of 1, 2, 4 or 8 bytes that begins there.
inline std::uint64_t number_at(const std::byte* from, std::size_t bytes) {
  const auto read = [from](auto element) -> std::uint64_t {
    std::memcpy(&element, from, sizeof element);
    return element;
  };
  switch (bytes) {
    case 1: return read(std::uint8_t{});
    case 2: return read(std::uint16_t{});
    case 4: return read(std::uint32_t{});
    default: return read(std::uint64_t{});
  }
}

// Calls take(number) for each element of an array of unsigned numbers, in C order, without keeping
// them.
template <class Take>
void for_each_number(const numpy::PackedArray& array, Take take) {
  const std::size_t bytes = *numpy::element_bytes(array.dtype);
  std::array<std::byte, sizeof(std::uint64_t)> cut{};  // the begin of an element in two pieces
  std::size_t has = 0;                                 // bytes of it
  numpy::for_each_piece(array, [&](std::span<const std::byte> piece) {
    while (has > 0 && !piece.empty()) {
      cut[has++] = piece[0];
      piece = piece.subspan(1);
      if (has < bytes) continue;
      take(number_at(cut.data(), bytes));
      has = 0;
    }
    for (; piece.size() >= bytes; piece = piece.subspan(bytes)) {
      take(number_at(piece.data(), bytes));
    }
    for (const std::byte byte : piece) cut[has++] = byte;
  });
}

class Numbers {
 public:
  Numbers() = default;
  // Inflates the array, whose type is unsigned.
  explicit Numbers(const numpy::PackedArray& array);

  bool empty() const { return data_.empty(); }
  std::size_t size() const { return data_.size() / bytes_; }
  std::uint64_t operator[](std::size_t k) const {
    return number_at(data_.data() + k * bytes_, bytes_);
  }

  // Adds a number after the others.
  void add(std::uint64_t number);
  // Takes memory for so many numbers of one byte each.
  void reserve(std::size_t count) { data_.reserve(count); }

  // Each number as 1, 2, 4 or 8 little-endian bytes: as few as hold all.
  std::size_t element_bytes() const { return bytes_; }
  std::span<const std::byte> data() const { return data_; }

 private:
  void widen(std::size_t bytes);

  std::vector<std::byte> data_;
  std::size_t bytes_ = 1;  // of an element
};

// Returns the bytes that an element needs for that number: 1, 2, 4 or 8.
constexpr std::size_t bytes_for(std::uint64_t number) {
  if (number <= UINT8_MAX) return 1;
  if (number <= UINT16_MAX) return 2;
  return number <= UINT32_MAX ? 4 : 8;
}

}  // namespace wse::vm
