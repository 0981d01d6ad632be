// The table, and decimal digits.
#include "vm/cli/command_line/numbers.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <optional>

#include "isa/support/limits.h"
#include "vm/cli/standard_streams.h"
#include "vm/contract/jitter.h"
#include "vm/ledger/slices.h"

namespace wse::cli {
namespace {

constexpr std::uint64_t kMostThreads = 1024;
constexpr std::uint64_t kMostRanks = 65'536;
constexpr std::uint64_t kMostPrograms = 1'000'000'000;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 62;
constexpr std::uint64_t kMostCoordinate = isa::kMaxGridSide - 1;
// Of cycles, and of instructions of Lua: decades of a run, and sums stay far from 2^64.
constexpr std::uint64_t kMostSteps = 1'000'000'000'000'000'000;

constexpr NumberOption kOptions[] = {
    {"--threads", "N", 1, kMostThreads},
    {"--tsc-skew", "SEED", 0, UINT64_MAX},
    {"--max-cycles", "N", 0, kMostSteps},
    {"--at", "CYCLE", 1, kMostSteps},
    {"--max-memory", "SIZE", 1, kMostBytes},
    {"--script-memory", "SIZE", 1, kMostBytes},
    {"--script-instructions", "N", 1, kMostSteps},
    {"--jit-threshold", "N", 0, UINT32_MAX},
    {"--program", "K", 1, kMostPrograms},
    {"--path", "X", 0, kMostCoordinate},
    {"--path", "Y", 0, kMostCoordinate},
    {"--dump", "X", 0, kMostCoordinate},
    {"--dump", "Y", 0, kMostCoordinate},
    {"--trace-rect", "X0", 0, kMostCoordinate},
    {"--trace-rect", "Y0", 0, kMostCoordinate},
    {"--trace-rect", "X1", 0, kMostCoordinate},
    {"--trace-rect", "Y1", 0, kMostCoordinate},
    {"--pe", "X", 0, kMostCoordinate},
    {"--pe", "Y", 0, kMostCoordinate},
    {"--rect", "X0", 0, kMostCoordinate},
    {"--rect", "Y0", 0, kMostCoordinate},
    {"--rect", "X1", 0, kMostCoordinate},
    {"--rect", "Y1", 0, kMostCoordinate},
    {"--cycles", "FIRST", 0, kMostSteps},
    {"--cycles", "LAST", 0, kMostSteps},
    {"--class", "K", 0, UINT32_MAX},
    {"--jitter", "SEED", 0, UINT64_MAX},
    {"--jitter", "N", 0, vm::Jitter::kMost},
    {"--trace-cycles", "FIRST", 0, kMostSteps},
    {"--trace-cycles", "LAST", 0, kMostSteps},
    {"--run", "K", 1, kMostPrograms},
    {"--max-size", "SIZE", 1, kMostBytes},
    {"--slices", "N", 0, vm::Slices::kMostWanted},
    {"--ranks", "N", 0, kMostRanks},
};

// The factor of the suffix at the end of a size, which is taken off.
std::uint64_t take_factor(std::string_view& text) {
  constexpr std::string_view kSuffixes = "KMG";
  const std::size_t power = text.empty() ? std::string_view::npos : kSuffixes.find(text.back());
  if (power == std::string_view::npos) return 1;
  text.remove_suffix(1);
  return std::uint64_t{1024} << 10 * power;
}

std::optional<std::uint64_t> digits(std::string_view text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);  // takes no sign, no blank
  if (error != std::errc{} || rest != end) return std::nullopt;
  return value;
}

}  // namespace

std::span<const NumberOption> number_options() { return kOptions; }

const NumberOption& number_option(std::string_view option, std::string_view part) {
  for (const NumberOption& row : kOptions) {
    if (row.option == option && row.part == part) return row;
  }
  complain(
      fmt::format("wsevm: {} {} has no row in vm/cli/command_line/numbers.cpp\n", option, part));
  std::abort();
}

isa::Result<std::uint64_t> read_number(const NumberOption& row, std::string_view text) {
  std::string_view number = text;
  const std::uint64_t factor = row.is_size() ? take_factor(number) : 1;
  const std::optional<std::uint64_t> value = digits(number);
  if (value && *value >= (row.least + factor - 1) / factor && *value <= row.most / factor) {
    return *value * factor;
  }
  return isa::fail(fmt::format("{}: {} is '{}'; a whole number from {} to {} is wanted{}",
                               row.option, row.part, text, row.least, row.most,
                               row.is_size() ? ", such as 65536, 512M or 4G" : ""));
}

}  // namespace wse::cli
