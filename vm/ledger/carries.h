// Counts of 32 bits, and the multiples of 2^32 that they lose: by the number of whatever has the
// counts, and of the count. Few counts ever lose anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

namespace wse::vm {

class Carries {
 public:
  using Low = std::uint32_t;
  using Place = std::pair<std::size_t, std::size_t>;

  // Sums are those of 64 bits, modulo 2^64.
  void add(Low& low, const Place& place, std::uint64_t more) {
    const std::uint64_t sum = std::uint64_t{low} + static_cast<Low>(more);
    low = static_cast<Low>(sum);
    if ((sum | more) >> kBits != 0) [[unlikely]]
      carry(place, (more >> kBits) + (sum >> kBits));
  }
  void set(Low& low, const Place& place, std::uint64_t count) {
    low = static_cast<Low>(count);
    if (!lost_.empty()) lost_.erase(place);
    if (count >> kBits != 0) lost_[place] = count >> kBits;
  }
  std::uint64_t count(Low low, const Place& place) const {
    if (lost_.empty()) [[likely]]
      return low;
    const auto found = lost_.find(place);
    return found == lost_.end() ? low : low + (found->second << kBits);
  }

 private:
  static constexpr unsigned kBits = 32;

  [[gnu::noinline]] void carry(const Place& place, std::uint64_t lost) { lost_[place] += lost; }

  std::map<Place, std::uint64_t> lost_;
};

}  // namespace wse::vm
