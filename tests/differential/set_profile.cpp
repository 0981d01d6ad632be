// Counts of a set, and what it must have met.
#include "tests/differential/set_profile.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/instruction.h"

namespace wse::differential {
namespace {

constexpr std::string_view kKinds[] = {"command nop",
                                       "command adv",
                                       "command rst",
                                       "command teardown",
                                       "pop never",
                                       "pop always",
                                       "pop on_advance",
                                       "pop on_advance_nop",
                                       "filter range",
                                       "filter counter",
                                       "filter sparse",
                                       "task local",
                                       "task data",
                                       "task control",
                                       "task teardown",
                                       "completion activate",
                                       "completion unblock",
                                       "operand scalar",
                                       "operand register",
                                       "operand 1-d",
                                       "operand 3-d",
                                       "operand ring",
                                       "operand 1-d saved",
                                       "operand ring saved",
                                       "operand fabin",
                                       "operand fabin packed",
                                       "operand fabout",
                                       "operand fabout packed",
                                       "operand fabout control",
                                       "operand fabout advance",
                                       "operand fabout control advance",
                                       "operand fabout index"};

// Reached by mistakes that are made on purpose.
constexpr isa::Trap kTraps[] = {
    isa::Trap::TwoProducers, isa::Trap::TwoConsumers,   isa::Trap::BusyMicrothread,
    isa::Trap::MemoryRace,   isa::Trap::Overlap,        isa::Trap::OutsideMemory,
    isa::Trap::Misaligned,   isa::Trap::ShortOperand,   isa::Trap::UnsetDescriptor,
    isa::Trap::NoLength,     isa::Trap::DivisionByZero, isa::Trap::ConfigurationInUse,
    isa::Trap::BadPosition,  isa::Trap::UnboundTask,    isa::Trap::Assertion};

}  // namespace

void SetProfile::add(const oracle::Outcome& outcome) {
  ++programs_;
  if (outcome.blocked) ++blocked_;
  ++ends_[static_cast<std::size_t>(outcome.end)];
  cycles_.push_back(outcome.cycles);
  for (const auto& [what, times] : outcome.met) met_[what] += times;
  for (std::size_t k = 0; k < outcome.ops.size(); ++k) ops_[k] += outcome.ops[k];
  if (outcome.trap) ++traps_[std::string(isa::info(outcome.trap->trap).text)];
}

std::string SetProfile::text() const {
  std::string all = fmt::format("{} programs, median {} cycles, {} with a blocked wavelet",
                                programs_, median(), blocked_);
  for (std::size_t k = 0; k < std::size(ends_); ++k) {
    all += fmt::format(", {} {}", ends_[k], oracle::kEndTexts[k]);
  }
  all += "\n";
  for (const auto& [what, times] : traps_) all += fmt::format("  trap {}: {}\n", what, times);
  for (const auto& [what, times] : met_) all += fmt::format("  {}: {}\n", what, times);
  for (const isa::InstructionInfo& row : isa::kInstructions) {
    all += fmt::format("  op {}: {}\n", row.name, ops_[static_cast<std::size_t>(row.op)]);
  }
  return all;
}

// Everything that programs can do must have happened often; shares are those of all programs.
std::string SetProfile::missing() const {
  constexpr std::uint64_t kLargeSet = 2000;
  if (programs_ < kLargeSet) return "";
  std::string all;
  const auto demand = [&all](std::string_view what, std::uint64_t found, std::uint64_t wanted) {
    if (found < wanted) all += fmt::format("too few: {}: {} of {}\n", what, found, wanted);
  };
  demand("programs with a blocked wavelet", blocked_, programs_ * 3 / 10);
  for (const oracle::End end : {oracle::End::Halted, oracle::End::Deadlock, oracle::End::Trap}) {
    const auto index = static_cast<std::size_t>(end);
    demand(oracle::kEndTexts[index], ends_[index], programs_ / 10);
  }
  demand("cycles of the median program", median(), 300);
  const auto often = [&](const std::string& what) {
    const auto found = met_.find(what);
    demand(what, found == met_.end() ? 0 : found->second, kLargeSet / 20);
  };
  for (const isa::InstructionInfo& row : isa::kInstructions) {
    demand(row.name, ops_[static_cast<std::size_t>(row.op)], kLargeSet / 20);
  }
  for (const std::string_view kind : kKinds) often(std::string(kind));
  for (const isa::Trap trap : kTraps) {
    const std::string name(isa::info(trap).text);
    const auto found = traps_.find(name);
    demand("trap " + name, found == traps_.end() ? 0 : found->second, programs_ / 500);
  }
  return all;
}

oracle::Cycle SetProfile::median() const {
  std::vector<oracle::Cycle> sorted = cycles_;
  std::ranges::sort(sorted);
  return sorted.empty() ? 0 : sorted[sorted.size() / 2];
}

}  // namespace wse::differential
