// Adds up arrays of a profile.
#include "tests/differential/profile_sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>
#include <vector>

#include "vm/run/machine.h"

namespace wse::differential {
namespace {

constexpr std::array<std::string_view, 5> kActivities = {"busy", "memory_stall", "wait_output",
                                                         "wait_input", "idle"};

std::uint64_t sum_of(const std::vector<std::uint64_t>& values) {
  return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

bool has_words_from_outside(const isa::Image& image) {
  return std::ranges::any_of(image.streams, &isa::Stream::enters);
}

class Balance {
 public:
  void expect(std::string_view what, std::uint64_t profile, std::uint64_t record) {
    if (profile == record) return;
    text_ += fmt::format("  {}: {} by the profile, {} by the record\n", what, profile, record);
  }
  std::string text() && { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace

std::string unbalanced(const Run& run) {
  const vm::Counters& counters = run.record.counters;
  const auto values = [&run](std::string_view name) { return *run.machine->profile_array(name); };
  Balance balance;
  for (std::size_t k = 0; k < kActivities.size(); ++k) {
    balance.expect(kActivities[k], sum_of(values(kActivities[k])), counters.pe_cycles[k]);
  }
  balance.expect("instructions", sum_of(values("instructions")), counters.instructions);
  balance.expect("elements", sum_of(values("elements")), counters.elements);
  balance.expect("flops", sum_of(values("flops")), counters.flops);
  // Words of streams are wavelets of the record that no PE has sent.
  if (!has_words_from_outside(run.machine->image())) {
    balance.expect("wavelets", sum_of(values("sent")), counters.wavelets);
  }
  std::uint64_t hops = 0;
  std::uint64_t most = 0;
  for (const std::string& name : run.machine->profile_arrays()) {
    if (!name.starts_with("link_")) continue;
    const std::vector<std::uint64_t> link = values(name);
    hops += sum_of(link);
    most = std::max(most, std::ranges::max(link));
  }
  balance.expect("hops", hops, counters.hops);
  balance.expect("max_link_load", most, run.record.max_link_load);
  balance.expect("max_ramp_wavelets", std::ranges::max(values("ramp_down")),
                 run.record.max_ramp_wavelets);
  return std::move(balance).text();
}

}  // namespace wse::differential
