// Elements become wider where a number does not fit.
#include "vm/profile/numbers.h"

#include <algorithm>

namespace wse::vm {

Numbers::Numbers(const numpy::PackedArray& array) {
  const std::uint64_t count = array.data_bytes() / *numpy::element_bytes(array.dtype);
  data_.reserve(count);
  for_each_number(array, [&](std::uint64_t number) {
    const std::size_t before = bytes_;
    add(number);
    if (bytes_ != before) data_.reserve(count * bytes_);
  });
}

void Numbers::add(std::uint64_t number) {
  const std::size_t needed = bytes_for(number);
  if (needed > bytes_) widen(needed);
  const std::size_t at = data_.size();
  data_.resize(at + bytes_);
  std::memcpy(data_.data() + at, &number, bytes_);
}

void Numbers::widen(std::size_t bytes) {
  const std::size_t count = size();
  std::vector<std::byte> wide;
  wide.reserve(data_.capacity() / bytes_ * bytes);
  wide.resize(count * bytes);
  for (std::size_t k = 0; k < count; ++k) {
    std::memcpy(wide.data() + k * bytes, data_.data() + k * bytes_, bytes_);
  }
  data_ = std::move(wide);
  bytes_ = bytes;
}

}  // namespace wse::vm
