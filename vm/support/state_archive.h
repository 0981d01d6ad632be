// The state of a machine in both directions: StateWriter and StateReader have the same functions,
// so that one description of each part, pass(archive), writes and reads it.
//
//     template <class Archive>
//     void TaskIds::pass(Archive& archive) {
//       archive.number(activated_);
//       archive.number(blocked_);
//     }
//
// A state may come from strangers: a reader never trusts a count, an enumerator or an index. What
// must hold is told by expect(); once it did not, the reader has failed and gives zeros.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace wse::vm {

// A number, an enumerator or a bool.
template <class T>
concept StateNumber = std::integral<T> || std::is_enum_v<T>;

class StateWriter {
 public:
  static constexpr bool kReads = false;

  template <StateNumber T>
  void number(const T& value) {
    bytes(std::as_bytes(std::span(&value, 1)));
  }
  // One of the values below `limit`.
  template <StateNumber T>
  void below(const T& value, std::uint64_t /*limit*/) {
    number(value);
  }
  void bytes(std::span<const std::byte> from) {
    bytes_.insert(bytes_.end(), from.begin(), from.end());
  }
  void text(const std::string& text) {
    number(static_cast<std::uint32_t>(text.size()));
    bytes(std::as_bytes(std::span(text)));
  }
  // Calls item(part) for each part of a list. `least_bytes`: of one, without which a count is
  // impossible.
  template <class Part, class Item>
  void list(std::vector<Part>& parts, std::size_t /*least_bytes*/, Item item) {
    number(static_cast<std::uint64_t>(parts.size()));
    for (Part& part : parts) item(part);
  }
  void expect(bool /*holds*/) {}
  bool ok() const { return true; }
  std::vector<std::byte>& written() { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

class StateReader {
 public:
  static constexpr bool kReads = true;

  explicit StateReader(std::span<const std::byte> bytes) : left_(bytes) {}

  template <StateNumber T>
  void number(T& value) {
    if constexpr (std::same_as<T, bool>) {
      std::uint8_t bits = 0;
      number(bits);
      expect(bits <= 1);
      value = bits == 1;
    } else {
      value = T{};
      bytes(std::as_writable_bytes(std::span(&value, 1)));
    }
  }
  template <StateNumber T>
  void below(T& value, std::uint64_t limit) {
    number(value);
    expect(static_cast<std::uint64_t>(value) < limit);
    if (!ok()) value = T{};
  }
  void bytes(std::span<std::byte> to) {
    expect(to.size() <= left_.size());
    if (!ok()) return;
    std::ranges::copy(left_.first(to.size()), to.begin());
    left_ = left_.subspan(to.size());
  }
  void text(std::string& text) {
    std::uint32_t size = 0;
    number(size);
    expect(size <= left_.size());
    text.assign(ok() ? size : 0, '\0');
    bytes(std::as_writable_bytes(std::span(text)));
  }
  template <class Part, class Item>
  void list(std::vector<Part>& parts, std::size_t least_bytes, Item item) {
    std::uint64_t count = 0;
    number(count);
    expect(count <= left_.size() / least_bytes);
    parts.clear();
    for (std::uint64_t k = 0; ok() && k < count; ++k) item(parts.emplace_back());
  }
  void expect(bool holds) { failed_ |= !holds; }
  bool ok() const { return !failed_; }
  std::size_t left() const { return left_.size(); }

 private:
  std::span<const std::byte> left_;
  bool failed_ = false;
};

}  // namespace wse::vm
