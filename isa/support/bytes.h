// Little-endian byte streams: ByteWriter builds one, ByteReader takes one apart.
//
// A reader never reads outside its buffer: the first short or impossible read sets failed(), every
// later read gives zero, and the caller checks once at the end. Counts are checked against the
// bytes that are left, so that a broken count cannot make anybody allocate.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wse::isa {

class ByteWriter {
 public:
  void u8(std::uint8_t value) { bytes_.push_back(static_cast<std::byte>(value)); }
  void u32(std::uint32_t value) { integer(value, 4); }
  void u64(std::uint64_t value) { integer(value, 8); }
  void f64(double value) { u64(std::bit_cast<std::uint64_t>(value)); }
  void text(std::string_view value) {
    u32(static_cast<std::uint32_t>(value.size()));
    for (const char c : value) u8(static_cast<std::uint8_t>(c));
  }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  void integer(std::uint64_t value, int count) {
    for (int i = 0; i < count; ++i) u8(static_cast<std::uint8_t>(value >> (8 * i)));
  }
  std::vector<std::byte> bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::uint8_t u8() { return static_cast<std::uint8_t>(integer(1)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(integer(4)); }
  std::uint64_t u64() { return integer(8); }
  double f64() { return std::bit_cast<double>(u64()); }
  std::string text() {
    const std::uint32_t size = count(1);
    std::string value(reinterpret_cast<const char*>(bytes_.data()) + at_, size);
    at_ += size;
    return value;
  }
  // Reads a count of items that need at least `least_bytes` each.
  std::uint32_t count(std::size_t least_bytes) {
    const std::uint32_t value = u32();
    if (value > left() / least_bytes) failed_ = true;
    return failed_ ? 0 : value;
  }
  // An enumerator below `limit`; anything else is a failure.
  template <class Enum>
  Enum enumerator(unsigned limit) {
    const std::uint8_t value = u8();
    if (value >= limit) failed_ = true;
    return static_cast<Enum>(failed_ ? 0 : value);
  }
  void fail() { failed_ = true; }
  bool failed() const { return failed_; }
  std::size_t left() const { return bytes_.size() - at_; }

 private:
  std::uint64_t integer(std::size_t count) {
    if (failed_ || left() < count) {
      failed_ = true;
      return 0;
    }
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < count; ++i) {
      value |= static_cast<std::uint64_t>(bytes_[at_ + i]) << (8 * i);
    }
    at_ += count;
    return value;
  }

  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace wse::isa
