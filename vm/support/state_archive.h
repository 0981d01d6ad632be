// The state of a machine in both directions: StateWriter and StateReader have the same functions,
// so that one description of each part, pass(archive), writes and reads it.
//
//     template <class Archive>
//     void TaskIds::pass(Archive& archive) {
//       archive.number(activated_);
//       archive.number(blocked_);
//     }
//
// A large state goes through in pieces: a writer may have a sink, a reader a source, so that
// neither holds all of it. A part() that many machines do not need has its size before it.
//
// A state may come from strangers: a reader never trusts a count, an enumerator or an index. What
// must hold is told by expect(); once it did not, the reader has failed and gives zeros.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace wse::vm {

// A number, an enumerator or a bool.
template <class T>
concept StateNumber = std::integral<T> || std::is_enum_v<T>;

// How much of a part its reader wants.
enum class Wanted : std::uint8_t { All, Beginning, Nothing };

class StateWriter {
 public:
  static constexpr bool kReads = false;
  // Takes the next bytes; returns false if it cannot take more.
  using Sink = std::function<bool(std::span<const std::byte>)>;

  StateWriter() = default;
  // All goes to the sink, piece by piece; flush() passes on the last one.
  explicit StateWriter(Sink sink) : sink_(std::move(sink)) {}

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
    if (!is_in_part_) end_piece();
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
  // Passes what pass() passes, which must be less than 4 GiB and have no parts, with its size
  // before it.
  template <class Pass>
  void part(Wanted /*wanted*/, Pass pass) {
    const std::size_t at = bytes_.size();
    std::uint32_t size = 0;
    is_in_part_ = true;
    number(size);
    pass();
    is_in_part_ = false;
    size = static_cast<std::uint32_t>(bytes_.size() - at - sizeof size);
    std::ranges::copy(std::as_bytes(std::span(&size, 1)),
                      bytes_.begin() + static_cast<std::ptrdiff_t>(at));
    end_piece();
  }
  void expect(bool /*holds*/) {}
  // Whether the sink, if there is one, has taken all so far.
  bool ok() const { return !failed_; }
  void flush() {
    if (!failed_ && !bytes_.empty()) failed_ = !sink_(bytes_);
    bytes_.clear();
  }
  // Without a sink: all of it.
  std::vector<std::byte>& written() { return bytes_; }

 private:
  static constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

  void end_piece() {
    if (bytes_.size() >= kPieceBytes && sink_) flush();
  }

  std::vector<std::byte> bytes_;
  Sink sink_;
  bool is_in_part_ = false;
  bool failed_ = false;
};

class StateReader {
 public:
  static constexpr bool kReads = true;

  // Returns the next bytes, which stay until it is called again; none where there are no more.
  using Source = std::function<std::span<const std::byte>()>;

  explicit StateReader(std::span<const std::byte> bytes) : left_(bytes) {}
  // Reads `size` bytes of the source.
  StateReader(std::uint64_t size, Source source) : beyond_(size), source_(std::move(source)) {}

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
    if (to.size() > left_.size()) [[unlikely]]
      return bytes_of_pieces(to);
    if (!ok()) return;
    std::ranges::copy(left_.first(to.size()), to.begin());
    left_ = left_.subspan(to.size());
  }
  void text(std::string& text) {
    std::uint32_t size = 0;
    number(size);
    expect(size <= left());
    text.assign(ok() ? size : 0, '\0');
    bytes(std::as_writable_bytes(std::span(text)));
  }
  template <class Part, class Item>
  void list(std::vector<Part>& parts, std::size_t least_bytes, Item item) {
    std::uint64_t count = 0;
    number(count);
    expect(count <= left() / least_bytes);
    parts.clear();
    for (std::uint64_t k = 0; ok() && k < count; ++k) item(parts.emplace_back());
  }
  // Reads with pass() all of a part, or its beginning, and continues behind it.
  template <class Pass>
  void part(Wanted wanted, Pass pass) {
    std::uint32_t size = 0;
    number(size);
    expect(size <= left());
    if (!ok()) return;
    const std::uint64_t behind = left() - size;
    if (wanted != Wanted::Nothing) pass();
    expect(wanted == Wanted::All ? left() == behind : left() >= behind);
    if (ok()) skip(left() - behind);
  }
  void expect(bool holds) { failed_ |= !holds; }
  bool ok() const { return !failed_; }
  std::uint64_t left() const { return left_.size() + beyond_; }

 private:
  void bytes_of_pieces(std::span<std::byte> to) {
    expect(to.size() <= left());
    while (ok() && !to.empty()) {
      if (left_.empty() && !refill()) break;
      const std::size_t count = std::min(to.size(), left_.size());
      std::ranges::copy(left_.first(count), to.begin());
      left_ = left_.subspan(count);
      to = to.subspan(count);
    }
    if (!ok()) std::ranges::fill(to, std::byte{0});
  }
  void skip(std::uint64_t count) {
    while (count > 0) {
      if (left_.empty() && !refill()) return;
      const auto some = static_cast<std::size_t>(std::min<std::uint64_t>(count, left_.size()));
      left_ = left_.subspan(some);
      count -= some;
    }
  }
  bool refill() {
    if (source_) left_ = source_();
    expect(!left_.empty() && left_.size() <= beyond_);
    if (!ok()) left_ = {};
    beyond_ -= std::min<std::uint64_t>(beyond_, left_.size());
    return ok();
  }

  std::span<const std::byte> left_;  // of the piece that is read
  std::uint64_t beyond_ = 0;         // bytes behind it
  Source source_;
  bool failed_ = false;
};

}  // namespace wse::vm
