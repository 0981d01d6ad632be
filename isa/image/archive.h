// A .wsb file in both directions: PartWriter and PartReader have the same functions, so that one
// description of each part, pass(archive, part), writes and reads it.
//
//     template <class Archive>
//     void pass(Archive& archive, Of<Archive, LineEntry>& entry) {
//       archive.word(entry.pc);
//       pass(archive, entry.where);
//     }
//
// PartReader fills a part that was made just now. It must never trust a count, a flag or an
// enumerator: what is impossible makes the reader fail, and is 0.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "isa/support/bytes.h"

namespace wse::isa::wsb {

// A number or an enumerator of a byte or more.
template <class T>
concept Scalar = std::integral<T> || std::is_enum_v<T>;

// How far the next bit field of a byte begins after one of this type.
template <class Field>
inline constexpr unsigned kFieldBits = std::same_as<Field, bool> ? 1 : 8;

class PartWriter {
 public:
  template <class T>
  using Part = const T;

  explicit PartWriter(ByteWriter& out) : out_(out) {}

  void word(std::integral auto value) {
    static_assert(sizeof value == 4);
    out_.u32(static_cast<std::uint32_t>(value));
  }
  void long_word(std::int64_t value) { out_.u64(static_cast<std::uint64_t>(value)); }
  void real(double value) { out_.f64(value); }
  void text(const std::string& value) { out_.text(value); }
  // One byte, below `limit`.
  void byte(Scalar auto value, unsigned) { out_.u8(static_cast<std::uint8_t>(value)); }
  // One byte below `limit`: each bool is a bit of it, from the lowest on; what comes after the
  // bools has the rest.
  template <Scalar... Field>
  void bits(unsigned limit, const Field&... fields) {
    unsigned value = 0;
    unsigned at = 0;
    ((value |= static_cast<unsigned>(fields) << at, at += kFieldBits<Field>), ...);
    byte(value, limit);
  }
  void flag(bool value) { bits(2, value); }
  template <class T>
  const T& inside(const std::optional<T>& value) {
    return *value;
  }
  // `least_bytes`: of an item, without which a count is impossible.
  template <class Item>
  void list(const std::vector<Item>& items, std::size_t least_bytes) {
    list(items, least_bytes, [](PartWriter& archive, const Item& item) { pass(archive, item); });
  }
  template <class Item, class Pass>
  void list(const std::vector<Item>& items, std::size_t, Pass pass_item) {
    out_.u32(static_cast<std::uint32_t>(items.size()));
    for (const Item& item : items) pass_item(*this, item);
  }

 private:
  ByteWriter& out_;
};

class PartReader {
 public:
  template <class T>
  using Part = T;

  explicit PartReader(ByteReader& in) : in_(in) {}

  template <std::integral Word>
  void word(Word& value) {
    static_assert(sizeof value == 4);
    value = static_cast<Word>(in_.u32());
  }
  void long_word(std::int64_t& value) { value = static_cast<std::int64_t>(in_.u64()); }
  void real(double& value) { value = in_.f64(); }
  void text(std::string& value) { value = in_.text(); }
  template <Scalar T>
  void byte(T& value, unsigned limit) {
    value = static_cast<T>(in_.enumerator<std::uint8_t>(limit));
  }
  template <Scalar... Field>
  void bits(unsigned limit, Field&... fields) {
    unsigned value = 0;
    byte(value, limit);
    ((fields = static_cast<Field>(std::same_as<Field, bool> ? value & 1 : value),
      value >>= kFieldBits<Field>),
     ...);
  }
  void flag(bool& value) { bits(2, value); }
  template <class T>
  T& inside(std::optional<T>& value) {
    return value.emplace();
  }
  template <class Item>
  void list(std::vector<Item>& items, std::size_t least_bytes) {
    list(items, least_bytes, [](PartReader& archive, Item& item) { pass(archive, item); });
  }
  template <class Item, class Pass>
  void list(std::vector<Item>& items, std::size_t least_bytes, Pass pass_item) {
    const std::uint32_t size = in_.count(least_bytes);
    items.reserve(size);
    for (std::uint32_t k = 0; k < size && !in_.failed(); ++k)
      pass_item(*this, items.emplace_back());
  }

 private:
  ByteReader& in_;
};

// The part as an archive takes it: const where it is written.
template <class Archive, class T>
using Of = Archive::template Part<T>;

}  // namespace wse::isa::wsb
