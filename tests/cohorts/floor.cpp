// cohort_floor: what it costs the host to touch each PE, once per visit, in the layouts that a
// cohort may have. Prints a table of nanoseconds for each PE, over numbers of PEs.
//
//     bits       a bit of a PE in a set of 512 lanes
//     row        a word of a register in a row of lanes, computed by a vector loop
//     line       one cache line of a core of 384 bytes, which is read and written
//     core       all six lines of it
//     sets       the sets among 512 ids are found, of which 8, or all, are different
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <ctime>
#include <vector>

namespace {

constexpr std::size_t kLine = 16;  // words
constexpr std::size_t kCore = 6 * kLine;
constexpr std::size_t kLanes = 512;
constexpr std::size_t kTouched = 1 << 25;  // PEs in a measurement, all turns together

// Returns nanoseconds for each PE of the fastest of five tries of `touch`, which touches all.
template <class Touch>
double cost(std::size_t pes, Touch touch) {
  const std::size_t turns = std::max<std::size_t>(1, kTouched / pes);
  double least = 1e9;
  for (int tries = 0; tries < 5; ++tries) {
    const std::clock_t begin = std::clock();
    for (std::size_t turn = 0; turn < turns; ++turn) touch(static_cast<std::uint32_t>(turn));
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    least = std::min(least, 1e9 * seconds / static_cast<double>(turns * pes));
  }
  return least;
}

void touch_lines(std::vector<std::uint32_t>& words, std::size_t lines, std::uint32_t turn) {
  for (std::size_t core = 0; core < words.size(); core += kCore) {
    for (std::size_t line = 0; line < lines; ++line) words[core + line * kLine] += turn;
  }
}

// Finds the sets of lanes with equal ids, by an open table.
class Sets {
 public:
  // Returns how many there are; of() has the set of each lane then.
  std::uint32_t find(const std::uint64_t* ids) {
    table_.fill({});
    std::uint32_t sets = 0;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      std::size_t at = ids[lane] >> 54;
      while (table_[at].id != ids[lane] && table_[at].id != 0) at = (at + 1) % table_.size();
      if (table_[at].id == 0) table_[at] = {ids[lane], sets++};
      of_[lane] = table_[at].set;
    }
    return sets;
  }
  const std::array<std::uint32_t, kLanes>& of() const { return of_; }

 private:
  struct Entry {
    std::uint64_t id = 0;
    std::uint32_t set = 0;
  };
  std::array<Entry, 1024> table_ = {};
  std::array<std::uint32_t, kLanes> of_ = {};
};

// Returns nanoseconds for each PE where `different` ids are in a block.
double cost_of_sets(std::size_t pes, std::uint64_t different, std::uint64_t& sum) {
  std::vector<std::uint64_t> ids(pes);
  for (std::size_t pe = 0; pe < pes; ++pe) ids[pe] = (pe % different + 1) * 0x9e3779b97f4a7c15u;
  Sets sets;
  return cost(pes, [&](std::uint32_t turn) {
    for (std::size_t first = 0; first < pes; first += kLanes) {
      sum += sets.find(&ids[first]) + sets.of()[turn % kLanes];
    }
  });
}

void measure(std::size_t pes) {
  std::uint64_t sum = 0;
  std::vector<std::uint64_t> bits(pes / 64);
  std::vector<std::uint32_t> row(pes);
  std::vector<std::uint32_t> cores(pes * kCore);
  const double of_bits = cost(pes, [&](std::uint32_t turn) {
    for (std::uint64_t& word : bits) word ^= turn;
  });
  const double of_row = cost(pes, [&](std::uint32_t turn) {
    for (std::uint32_t& word : row) word = word * 5 + turn;
  });
  const double of_line = cost(pes, [&](std::uint32_t turn) { touch_lines(cores, 1, turn); });
  const double of_core = cost(pes, [&](std::uint32_t turn) { touch_lines(cores, 6, turn); });
  const double of_few = cost_of_sets(pes, 8, sum);
  const double of_many = cost_of_sets(pes, kLanes, sum);
  if (sum == 0) return;  // never: so that the sets are found
  fmt::print("| {} | {:.3f} | {:.2f} | {:.1f} | {:.1f} | {:.1f} | {:.1f} |\n", pes, of_bits, of_row,
             of_line, of_core, of_few, of_many);
}

}  // namespace

int main() {
  fmt::print(
      "| ns for each of PEs | bits | row | line | core | 8 sets | 512 sets "
      "|\n|---|---|---|---|---|---|---|\n");
  for (const std::size_t pes : {kLanes, 8 * kLanes, 64 * kLanes, 512 * kLanes}) measure(pes);
}
