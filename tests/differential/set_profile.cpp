// Counts of a set, and what it must have met.
#include "tests/differential/set_profile.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/instruction/instruction.h"

namespace wse::differential {
namespace {

// All that must have happened, beside every instruction.
constexpr std::string_view kKinds[] = {
    "command nop",
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
    "on_control terminate",
    "on_control activate",
    "on_control unblock",
    "fifo ends",
    "fifo leaves empty",
    "fifo leaves full",
    "stream enters",
    "stream leaves",
    "topology mesh",
    "topology hypercube",
    "arbitration fixed",
    "arbitration rotate",
    "issue shared",
    "issue duplex",
    "mapped over 1-d",
    "mapped over ring",
    "mapped over 1-d saved",
    "operand scalar",
    "operand register",
    "operand 1-d",
    "operand 1-d backwards",
    "operand 2-d",
    "operand 3-d",
    "operand ring",
    "operand 1-d saved",
    "operand ring saved",
    "operand fifo",
    "operand indexed",
    "operand fabin",
    "operand fabin packed",
    "operand fabin terminate",
    "operand fabin activate",
    "operand fabin unblock",
    "operand fabin unbounded terminate",
    "operand fabout",
    "operand fabout packed",
    "operand fabout control",
    "operand fabout advance",
    "operand fabout control advance",
    "operand fabout index",
    "claim dropped",
    "claim left over",
    "claim received",
    "claim receiver",
    "claim refused",
    "claim runs",
    "claim sender",
    "claim sent",
    "claim standing",
    "claim task input",
};

// Of the language, by a word of each, which become other code.
constexpr std::string_view kForms[] = {
    "jmp entries", "call r11, entries",      "bits[",        "halves[",
    "rows[",       "address(i32_2",          "address(goal", ".if role",
    ".for k",      ", shared_function",      "i32_0[noted",  "i16_0[noted",
    "mem(noted)",  "mem(noted, index=seen)", "mem(r",        ":+ r",
    " : r",        "length=32766 + 1",       ".seed "};

// What no code can do: the assembler and the loader refuse it.
constexpr isa::Trap kUnreachable = isa::Trap::BadInstruction;

constexpr std::string_view kRefused = "machine that is refused";

// More than a field of 8 bits holds, or as much as there can be.
bool is_large(const isa::ParameterInfo& parameter, std::uint32_t value) {
  return value >= std::min(parameter.most, 256u);
}

std::uint64_t in(const std::map<std::string, std::uint64_t>& counts, std::string_view what) {
  const auto found = counts.find(std::string(what));
  return found == counts.end() ? 0 : found->second;
}

std::string too_few(std::string_view what, std::uint64_t found, std::uint64_t wanted) {
  return found < wanted ? fmt::format("too few: {}: {} of {}\n", what, found, wanted) : "";
}

}  // namespace

void SetProfile::add(const isa::Profile& machine, const oracle::Outcome& outcome) {
  const bool rotates = machine.arbitration == static_cast<std::uint32_t>(isa::Arbitration::Rotate);
  const bool shared = machine.issue == static_cast<std::uint32_t>(isa::IssueMode::Shared);
  ++met_[rotates ? "arbitration rotate" : "arbitration fixed"];
  ++met_[shared ? "issue shared" : "issue duplex"];
  ++programs_;
  if (outcome.blocked) ++blocked_;
  ++ends_[static_cast<std::size_t>(outcome.end)];
  cycles_.push_back(outcome.cycles);
  for (const auto& [what, times] : outcome.met) met_[what] += times;
  for (std::size_t k = 0; k < outcome.ops.size(); ++k) ops_[k] += outcome.ops[k];
  if (outcome.trap) ++traps_[std::string(isa::info(outcome.trap->trap).text)];
}

void SetProfile::add_forms(const std::string& text) {
  for (const std::string_view form : kForms) {
    for (std::size_t at = text.find(form); at != text.npos; at = text.find(form, at + 1)) {
      ++met_[fmt::format("form {}", form)];
    }
  }
}

void SetProfile::add_machine(const isa::Profile& machine, bool refused) {
  ++machines_;
  if (refused) ++met_[std::string(kRefused)];
  for (const isa::ParameterInfo& parameter : isa::kParameters) {
    const std::uint32_t value = machine.*parameter.member;
    if (value == parameter.least) ++met_[fmt::format("least {}", parameter.name)];
    if (is_large(parameter, value)) ++met_[fmt::format("large {}", parameter.name)];
  }
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

// Shares are those of all programs; what 10 000 programs must do 100 times, others do in
// proportion, or by chance a third less often if they are fewer.
std::string SetProfile::missing() const {
  constexpr std::uint64_t kSmallest = 2000;
  constexpr oracle::Cycle kMedianCycles = 330;
  if (programs_ < kSmallest) return "";
  const std::uint64_t often = programs_ / (programs_ < 10'000 ? 150 : 100);
  std::string all;
  const auto demand = [&all](std::string_view what, std::uint64_t found, std::uint64_t wanted) {
    all += too_few(what, found, wanted);
  };
  demand("programs with a blocked wavelet", blocked_, programs_ * 3 / 10);
  for (const oracle::End end : {oracle::End::Halted, oracle::End::Deadlock, oracle::End::Trap}) {
    const auto index = static_cast<std::size_t>(end);
    demand(oracle::kEndTexts[index], ends_[index], programs_ / 10);
  }
  demand("cycles of the median program", median(), kMedianCycles);
  for (const isa::InstructionInfo& row : isa::kInstructions) {
    demand(row.name, ops_[static_cast<std::size_t>(row.op)], often);
  }
  for (const std::string_view kind : kKinds) demand(kind, in(met_, kind), often);
  for (const std::string_view form : kForms) {
    const std::string what = fmt::format("form {}", form);
    demand(what, in(met_, what), often);
  }
  for (const isa::TrapInfo& trap : isa::kTraps) {
    if (trap.text == isa::info(kUnreachable).text) continue;
    demand(trap.text, in(traps_, trap.text), often);
  }
  return all;
}

// Every number at both ends, and most programs run.
std::string SetProfile::missing_machines() const {
  constexpr std::uint64_t kSmallest = 400;
  if (machines_ < kSmallest) return "";
  std::string all;
  all += too_few("programs that run", programs_, machines_ * 7 / 10);
  all += too_few("machines that are refused", in(met_, kRefused), machines_ / 50);
  for (const isa::ParameterInfo& parameter : isa::kParameters) {
    for (const std::string_view end : {"least", "large"}) {
      const std::string what = fmt::format("{} {}", end, parameter.name);
      all += too_few(what, in(met_, what), machines_ / 1000);
    }
  }
  return all;
}

std::string SetProfile::missing_maps() const {
  std::uint64_t maps = 0;
  for (const auto& [what, times] : met_) {
    if (what.starts_with("mapped over ")) maps += times;
  }
  return too_few("mapped instructions", maps, programs_ / 3);
}

oracle::Cycle SetProfile::median() const {
  std::vector<oracle::Cycle> sorted = cycles_;
  std::ranges::sort(sorted);
  return sorted.empty() ? 0 : sorted[sorted.size() / 2];
}

}  // namespace wse::differential
