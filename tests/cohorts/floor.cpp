// cohort_floor: what it costs the host to touch each PE, once per visit, in the layouts that a
// cohort may have. Prints a table of nanoseconds for each PE, over numbers of PEs.
//
//     bits       a bit of a PE in a set of 512 lanes
//     row        a word of a register in a row of lanes, computed by a vector loop
//     line       one cache line of a core of 384 bytes, which is read and written
//     core       all six lines of it
#include <fmt/format.h>

#include <algorithm>
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

void measure(std::size_t pes) {
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
  fmt::print("| {} | {:.3f} | {:.2f} | {:.1f} | {:.1f} |\n", pes, of_bits, of_row, of_line,
             of_core);
}

}  // namespace

int main() {
  fmt::print("| ns for each of PEs | bits | row | line | core |\n|---|---|---|---|---|\n");
  for (const std::size_t pes : {kLanes, 8 * kLanes, 64 * kLanes, 512 * kLanes}) measure(pes);
}
