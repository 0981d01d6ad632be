// Rooms for words, of eight sizes between one power of two and the next. The one that was given
// back last is taken first, as it lies in a cache.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace wse::vm::wafer {

struct WordRoom {
  std::unique_ptr<std::uint32_t[]> begin;  // nullptr: none
  std::uint64_t size = 0;

  WordRoom() = default;
  WordRoom(WordRoom&& other) noexcept
      : begin(std::move(other.begin)), size(std::exchange(other.size, 0)) {}
  WordRoom& operator=(WordRoom&& other) noexcept {
    begin = std::move(other.begin);
    size = std::exchange(other.size, 0);
    return *this;
  }
};

class WordRooms {
 public:
  // For at least so many words, of no particular values.
  WordRoom take(std::uint64_t words) {
    const std::uint64_t step = std::bit_floor(std::max(words, kLeast)) / kSteps;
    const std::uint64_t size = (std::max(words, kLeast) + step - 1) / step * step;
    std::vector<WordRoom>& free = free_[kind_of(size)];
    WordRoom room;
    if (free.empty()) {
      room.begin = std::make_unique_for_overwrite<std::uint32_t[]>(size);
      room.size = size;
    } else {
      room = std::move(free.back());
      free.pop_back();
    }
    words_ += size;
    return room;
  }
  // Words of all rooms that are taken.
  std::uint64_t words() const { return words_; }
  void give_back(WordRoom room) {
    if (room.begin == nullptr) return;
    words_ -= room.size;
    free_[kind_of(room.size)].push_back(std::move(room));
  }

 private:
  static constexpr std::uint64_t kLeast = 16;
  static constexpr std::uint64_t kSteps = 8;

  static std::size_t kind_of(std::uint64_t size) {
    const auto power = static_cast<std::uint32_t>(std::bit_width(size)) - 1;
    return power * kSteps + ((size >> (power - 3)) & (kSteps - 1));
  }

  std::array<std::vector<WordRoom>, 64 * kSteps> free_;
  std::uint64_t words_ = 0;
};

}  // namespace wse::vm::wafer
