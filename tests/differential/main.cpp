// differential FIRST COUNT [text | hypercube]: random programs FIRST .. FIRST + COUNT - 1 on the
// machine and on the oracle; text prints them, hypercube takes those of hypercubes. Ends with 1 at
// the first difference, with the program and the way to repeat it.
#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "tests/differential/compare.h"
#include "tests/differential/set_profile.h"

namespace {

using namespace wse::differential;
namespace isa = wse::isa;

bool read_number(std::string_view text, std::uint32_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

int report(std::uint32_t seed, const Generated& program, const std::string& difference,
           std::string_view mode) {
  constexpr std::size_t kShown = 3000;
  const isa::Profile& profile = program.profile;
  fmt::print(
      "{}\nseed {} on {} with arbitration={} issue={} hop_latency={} link_interval={} "
      "ramp_latency={} depths={},{},{}:\n{}",
      program.text, seed, profile.name, profile.arbitration, profile.issue,
      profile.hop_latency_cycles, profile.link_interval_cycles, profile.ramp_latency_cycles,
      profile.router_depth, profile.up_ramp_depth, profile.down_ramp_depth,
      difference.substr(0, kShown));
  fmt::print("repeat it with: differential {} 1 {}\n", seed, mode);
  return 1;
}

}  // namespace

int main(int count, char** words) {
  std::uint32_t first = 0;
  std::uint32_t programs = 0;
  if (count < 3 || !read_number(words[1], first) || !read_number(words[2], programs)) {
    fmt::print(stderr, "differential FIRST COUNT [text | hypercube]\n");
    return 2;
  }
  const std::string_view mode = count > 3 ? words[3] : "";
  const bool hypercubes = mode == "hypercube";
  SetProfile profile;
  for (std::uint32_t seed = first; seed < first + programs; ++seed) {
    const Generated program = hypercubes ? generate_hypercube(seed) : generate(seed);
    if (mode == "text") fmt::print("{}", program.text);
    const Comparison comparison = compare(program);
    if (!comparison.difference.empty()) return report(seed, program, comparison.difference, mode);
    profile.add(comparison.outcome);
  }
  if (hypercubes) return 0;  // what they meet says nothing of the set that must meet everything
  fmt::print("{}", profile.text());
  const std::string missing = profile.missing();
  fmt::print("{}", missing);
  return missing.empty() ? 0 : 1;
}
