// The page TIMING.md: what each instruction takes on each profile, as formulas with numbers.
//
// Every row of the tables is there by itself. Numbers come from isa/timing.h and the profiles; a
// rule is a parameter and a sentence.
#include "isa/timing.h"

#include <fmt/format.h>

#include "vm/cli/reports.h"

namespace wse::cli {
namespace {

struct Rule {
  std::uint32_t isa::Profile::* member;
  std::string_view meaning;
};

constexpr Rule kRules[] = {
    {&isa::Profile::vector_start_cycles,
     "*start*: from the start of a vector instruction to its first elements"},
    {&isa::Profile::vector_drain_cycles, "*drain*: behind the cycle of its last elements"},
    {&isa::Profile::descriptor_load_cycles,
     "a descriptor: `setd`, which the assembler adds for literal operands, once per straight line"},
    {&isa::Profile::descriptor_dimension_cycles, "each further dimension of a descriptor"},
    {&isa::Profile::task_start_cycles, "from picking a task to its first instruction"},
    {&isa::Profile::read_port_bytes,
     "what the memory sources read together: *rate* is at most this / bytes of their elements"},
    {&isa::Profile::write_port_bytes,
     "what a memory destination takes: *rate* is at most this / bytes of its element"},
    {&isa::Profile::banks, "successive 16-bit words lie in successive banks"},
    {&isa::Profile::stride_one_bank_limit,
     "*rate* at most, if the stride of a memory operand in 16-bit words is 0 modulo banks, not 0"},
    {&isa::Profile::stride_odd_limit,
     "*rate* at most, if that stride is 1 or -1 modulo banks, but not 1"},
    {&isa::Profile::bank_conflict_cycles,
     "for each issue, if two memory sources begin in banks that are equal modulo banks / 2"},
    {&isa::Profile::ramp_latency_cycles, "*T*: between a PE and its router, each way"},
    {&isa::Profile::hop_latency_cycles, "from router to router"},
    {&isa::Profile::link_interval_cycles,
     "from one wavelet on a link to the next, whatever its colour"},
};

constexpr std::string_view kIntroduction = R"(# What instructions take

Made by `wsevm isa --timing` from instructions.def, costs.def and profile_parameters.def, where every
number has its source (`wsevm machine`). A run of a program takes exactly what this page says,
on every host; the listing (`wsevm asm FILE.wsa --list`) shows it line by line.

- Scalar: cycles, in which the instruction holds the issue slot; or slots and cycles, if it holds the
  slot for the first of its cycles only.
- Vector: *start* + ceil(n / *rate*) + *drain* cycles for n elements. Its first elements issue *start*
  cycles after its start; start and drain hold no slot. No element issues in a cycle in which a wavelet or
  a place in the ramp is missing, or in which another thread has the slot.
- *rate* is the smallest of what the SIMD class, the memory ports, the strides and the fabric (one
  element per cycle) allow. The column "in memory" is for operands without gaps in banks apart.
- A descriptor takes its load before that, unless it is in a register already.
- A message of n words over h hops takes n + h + 2 *T* + 1 + *drain* cycles from its first issue to the
  end of the instruction that receives it.
)";

// "| a | b |" behind what a row begins with.
std::string cells(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += fmt::format(" {} |", text);
  return out + "\n";
}

std::string table_head(const std::string& first, const std::vector<std::string>& columns) {
  std::string rule = first;
  for (char& c : rule) c = c == '|' ? '|' : '-';
  for (std::size_t k = 0; k < columns.size(); ++k) rule += "---|";
  return fmt::format("\n{}{}{}\n", first, cells(columns), rule);
}

std::string rate_text(std::uint32_t rate) { return rate == 1 ? "n" : fmt::format("⌈n/{}⌉", rate); }

std::string formula(const isa::VectorTiming& timing, std::uint32_t rate) {
  if (timing.start == 0 && timing.drain == 0) return rate_text(rate);
  return fmt::format("{} + {} + {}", timing.start, rate_text(rate), timing.drain);
}

std::string cost_text(const isa::Cost& cost) {
  if (cost.slots == cost.cycles) return fmt::format("{}", cost.cycles);
  return fmt::format("{} slot, {} cycles", cost.slots, cost.cycles);
}

std::string scalar_cell(const isa::ScalarTiming& timing) {
  const std::string text = cost_text(timing.cost);
  return timing.taken ? fmt::format("{}, taken {}", text, cost_text(*timing.taken)) : text;
}

std::string rules_table(const std::vector<isa::Profile>& profiles,
                        const std::vector<std::string>& names) {
  std::string out = table_head("| rule | parameter | unit |", names);
  for (const Rule& rule : kRules) {
    for (const isa::ParameterInfo& parameter : isa::profile_parameters()) {
      if (parameter.member != rule.member) continue;
      std::vector<std::string> values;
      for (const isa::Profile& p : profiles) values.push_back(fmt::format("{}", p.*rule.member));
      out += fmt::format("| {} | `{}` | {} |{}", rule.meaning, parameter.name, parameter.unit,
                         cells(values));
    }
  }
  return out;
}

std::string scalar_table(const std::vector<isa::Profile>& profiles,
                         const std::vector<std::string>& names) {
  std::string out = table_head("| mnemonic | form | meaning |", names);
  for (const isa::InstructionInfo& row : isa::kInstructions) {
    if (row.is_vector()) continue;
    std::vector<std::string> values;
    for (const isa::Profile& p : profiles) {
      values.push_back(scalar_cell(isa::scalar_timing(p, row)));
    }
    out += fmt::format("| `{}` | {} | {} |{}", row.mnemonic, isa::info(row.format).name,
                       markdown_cell(row.meaning), cells(values));
  }
  return out;
}

std::string vector_table(const std::vector<isa::Profile>& profiles,
                         const std::vector<std::string>& names) {
  std::vector<std::string> columns;
  for (const std::string& name : names) {
    columns.push_back(name + ", in memory");
    columns.push_back(name + ", with a fabric");
  }
  std::string out = table_head("| mnemonic | class | meaning |", columns);
  for (const isa::InstructionInfo& row : isa::kInstructions) {
    if (!row.is_vector()) continue;
    std::vector<std::string> values;
    for (const isa::Profile& p : profiles) {
      const isa::VectorTiming timing = isa::vector_timing(p, row);
      values.push_back(formula(timing, timing.memory_rate));
      values.push_back(formula(timing, timing.fabric_rate));
    }
    out += fmt::format("| `{}` | {} | {} |{}", row.mnemonic, isa::name_of(row.cost),
                       markdown_cell(row.meaning), cells(values));
  }
  return out;
}

// The classes of costs.def that have elements per cycle.
std::string class_table(const std::vector<isa::Profile>& profiles,
                        const std::vector<std::string>& names) {
  std::string out = table_head("| class | of | unit |", names);
  for (std::size_t k = 0; k < isa::kCostClassCount; ++k) {
    const auto cost = static_cast<isa::CostClass>(k);
    std::vector<std::string> values;
    for (const isa::Profile& p : profiles) {
      values.push_back(fmt::format("{}", isa::cost_of(p, cost).simd));
    }
    if (isa::cost_of(profiles.front(), cost).simd == 0) continue;
    out += fmt::format("| {} | {} | elements/cycle |{}", isa::name_of(cost), isa::meaning_of(cost),
                       cells(values));
  }
  return out;
}

}  // namespace

std::string timing_markdown() {
  std::vector<isa::Profile> profiles;
  const std::vector<std::string> names = isa::profile_names();
  for (const std::string& name : names) profiles.push_back(*isa::find_profile(name));
  return fmt::format(
      "{}\n## Rules\n{}\n## SIMD classes\n{}\n## Scalar instructions\n{}\n"
      "## Vector instructions\n{}",
      kIntroduction, rules_table(profiles, names), class_table(profiles, names),
      scalar_table(profiles, names), vector_table(profiles, names));
}

}  // namespace wse::cli
