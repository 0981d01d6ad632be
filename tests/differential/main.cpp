// differential FIRST COUNT [text]: random programs FIRST .. FIRST + COUNT - 1 on the machine and on
// the oracle. Ends with 1 at the first difference, with the program and the way to repeat it.
#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "tests/differential/compare.h"
#include "tests/differential/set_profile.h"

namespace {

using namespace wse::differential;

bool read_number(std::string_view text, std::uint32_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// The profile's name and what is different from it.
std::string machine_text(const wse::isa::Profile& profile) {
  const wse::isa::Profile plain = *wse::isa::find_profile(profile.name);
  std::string text = profile.name;
  for (const wse::isa::ParameterInfo& parameter : wse::isa::profile_parameters()) {
    const std::uint32_t value = profile.*parameter.member;
    if (value != plain.*parameter.member) text += fmt::format(" {}={}", parameter.name, value);
  }
  return text;
}

int report(std::uint32_t seed, const Generated& program, const std::string& difference) {
  constexpr std::size_t kShown = 3000;
  fmt::print("{}\nseed {} on {}:\n{}", program.text, seed, machine_text(program.profile),
             difference.substr(0, kShown));
  fmt::print("repeat it with: differential {} 1\n", seed);
  return 1;
}

}  // namespace

int main(int count, char** words) {
  std::uint32_t first = 0;
  std::uint32_t programs = 0;
  if (count < 3 || !read_number(words[1], first) || !read_number(words[2], programs)) {
    fmt::print(stderr, "differential FIRST COUNT [text]\n");
    return 2;
  }
  SetProfile profile;
  for (std::uint32_t seed = first; seed < first + programs; ++seed) {
    const Generated program = generate(seed);
    if (count > 3) fmt::print("{}", program.text);
    const Comparison comparison = compare(program);
    if (!comparison.difference.empty()) return report(seed, program, comparison.difference);
    profile.add(comparison.outcome);
  }
  fmt::print("{}", profile.text());
  const std::string missing = profile.missing();
  fmt::print("{}", missing);
  return missing.empty() ? 0 : 1;
}
