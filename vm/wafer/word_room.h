// Rooms for words, of sizes that are powers of two. The one that was given back last is taken
// first, as it lies in a cache.
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
    const std::uint64_t size = std::bit_ceil(std::max(words, kLeast));
    std::vector<WordRoom>& free = free_[static_cast<std::size_t>(std::countr_zero(size))];
    WordRoom room;
    if (free.empty()) {
      room.begin = std::make_unique_for_overwrite<std::uint32_t[]>(size);
      room.size = size;
    } else {
      room = std::move(free.back());
      free.pop_back();
    }
    return room;
  }
  void give_back(WordRoom room) {
    if (room.begin == nullptr) return;
    free_[static_cast<std::size_t>(std::countr_zero(room.size))].push_back(std::move(room));
  }

 private:
  static constexpr std::uint64_t kLeast = 16;

  std::array<std::vector<WordRoom>, 64> free_;
};

}  // namespace wse::vm::wafer
