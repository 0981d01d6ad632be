// The page TIMING.md: what each instruction takes on each profile, as formulas with numbers.
//
// Every row of the tables is there by itself. Numbers come from isa/machine/timing.h and the
// profiles; a rule is a parameter and a sentence.
#include "isa/machine/timing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

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
    {&isa::Profile::vector_drain_cycles, "*drain*: after the cycle of its last elements"},
    {&isa::Profile::vector_overlap,
     "1: the next instruction of the main thread need not wait for *drain*, and *start* counts "
     "from "
     "the last load or change of a descriptor register"},
    {&isa::Profile::vector_latency_cycles,
     "then: from an element to the next vector instruction that touches it, if that touches the "
     "same elements in the same order; from the last one if it touches others of its words"},
    {&isa::Profile::float_latency_cycles,
     "from one element of a sum in a register to the next, and from scalar float arithmetic to an "
     "instruction right after it that reads its result; 0: no such rule"},
    {&isa::Profile::noop_share,
     "no-ops of a hot PE, added to *start* of a synchronous vector instruction on memory and "
     "scalars alone: the chance of one, and of one more, for each cycle in which it issues"},
    {&isa::Profile::descriptor_load_cycles,
     "a descriptor: `setd`, which the assembler adds for literal operands, once per straight line"},
    {&isa::Profile::descriptor_fetch_cycles, "`ldd`, `std`: a descriptor from memory or into it"},
    {&isa::Profile::task_start_cycles, "from picking a task to its first instruction"},
    {&isa::Profile::route_write_cycles,
     "`setroute`: a write of a routing; it acts in its first cycle"},
    {&isa::Profile::read_port_bytes,
     "what the memory sources read together: *rate* is at most this / bytes of their elements"},
    {&isa::Profile::write_port_bytes,
     "what a memory destination takes: *rate* is at most this / bytes of its element"},
    {&isa::Profile::banks, "successive 16-bit words lie in successive banks"},
    {&isa::Profile::stride_one_bank_limit,
     "*rate* at most, if the stride of a memory operand in 16-bit words is 0 modulo banks, not 0"},
    {&isa::Profile::stride_odd_limit,
     "*rate* at most, if that stride is 1 or -1 modulo banks, but not 1"},
    {&isa::Profile::stride_line_bytes,
     "*rate* at most this / bytes from one element of a memory operand to the next, if it has "
     "gaps; "
     "0: no such rule"},
    {&isa::Profile::bank_conflict_cycles, "for each issue of two memory sources that conflict"},
    {&isa::Profile::bank_conflict_banks,
     "they conflict if they begin in banks that are equal modulo this"},
    {&isa::Profile::bank_conflict_width,
     "1: if any words of an issue of their SIMD class do, not the first ones alone"},
    {&isa::Profile::map_gap_cycles,
     "*gap*: from the last elements for one scalar of a mapped instruction to the first ones for "
     "the next"},
    {&isa::Profile::ramp_latency_cycles, "*T*: between a PE and its router, each way"},
    {&isa::Profile::hop_latency_cycles, "from router to router"},
    {&isa::Profile::link_interval_cycles,
     "from one wavelet on a link to the next, whatever its colour"},
};

constexpr std::string_view kIntroduction = R"(# What instructions take

Made by `wsevm isa --timing` from instructions.def, costs.def and the tables of profiles, where every
number has its source (`wsevm machine`). A run of a program takes exactly what this page says,
on every host; the listing (`wsevm asm FILE.wsa --list`) shows it line by line.

- Scalar: cycles, in which the instruction holds the issue slot; or slots and cycles, if it holds the
  slot for the first of its cycles only.
- Vector: *start* + ceil(n / *rate*) + *drain* cycles for n elements. Its first elements issue *start*
  cycles after its start; start and drain hold no slot. No element issues in a cycle in which a wavelet or
  a place in the ramp is missing, or in which another thread has the slot.
- Where vector instructions overlap, the main thread continues after the last issue: with vector instructions, branches and
  what works on registers. Loads and stores of memory and descriptors, the clock, `getleft` and the end of a task wait until
  all have drained, and a mark notes that cycle. One with a register destination or a FIFO is waited for as a whole.
- Where float arithmetic has a latency, a sum in a register (a source that is the destination register too) issues one
  element for each of them.
- *rate* is the smallest of what the SIMD class, the memory ports, the strides and the fabric (one
  element per cycle) allow. The column "in memory" is for operands without gaps in banks apart.
- A mapped vector instruction of n elements and m scalars: *start* + m ceil(n / *rate*) + (m - 1) *gap* + *drain*
  cycles, the issues of two for each where banks conflict, which the first addresses of the instruction decide. The
  scalars cost nothing more: they are read in the gap, which holds no slot.
- A descriptor takes its load before that, unless it is in a register already.
- A message of n words over h hops takes n + h + 2 *T* + 1 + *drain* cycles from its first issue to the
  end of the instruction that receives it.
)";

std::string rate_text(std::uint32_t rate) { return rate == 1 ? "n" : fmt::format("⌈n/{}⌉", rate); }

std::string formula(const isa::VectorTiming& timing, std::uint32_t rate, std::uint32_t cycles) {
  std::string issues =
      cycles == 1 ? rate_text(rate) : fmt::format("{} {}", cycles, rate_text(rate));
  if (timing.start == 0 && timing.drain == 0) return issues;
  return fmt::format("{} + {} + {}", timing.start, issues, timing.drain);
}

std::string cost_text(const isa::Cost& cost) {
  if (cost.slots == cost.cycles) return fmt::format("{}", cost.cycles);
  return fmt::format("{} slot, {} cycles", cost.slots, cost.cycles);
}

std::string scalar_cell(const isa::ScalarTiming& timing) {
  const std::string text = cost_text(timing.cost);
  return timing.taken ? fmt::format("{}, taken {}", text, cost_text(*timing.taken)) : text;
}

// A table whose last columns are one for each profile. Neighbouring profiles that agree in every
// row share a column.
class ProfileTable {
 public:
  // `left` are the titles in front, as "| a | b |".
  explicit ProfileTable(std::string left) : left_(std::move(left)) {}

  // Titles follow `of`, if that is not empty: "of: wse2, wse3".
  void add_columns(const std::vector<isa::Profile>& profiles, std::string_view of = "") {
    for (const isa::Profile& profile : profiles) {
      columns_.push_back({std::string(of), {profile.name}, {}});
    }
  }

  // `left` as in the head; `cells` in the order of the columns.
  void add_row(std::string left, const std::vector<std::string>& cells) {
    rows_.push_back(std::move(left));
    for (std::size_t k = 0; k < columns_.size(); ++k) columns_[k].cells.push_back(cells[k]);
  }

  std::string markdown() const {
    const std::vector<Column> columns = merged();
    std::string head = left_;
    std::string rule = left_;
    for (char& c : rule) c = c == '|' ? '|' : '-';
    for (const Column& column : columns) {
      const std::string names = fmt::format("{}", fmt::join(column.profiles, ", "));
      head += column.of.empty() ? fmt::format(" {} |", names)
                                : fmt::format(" {}: {} |", column.of, names);
      rule += "---|";
    }
    std::string out = fmt::format("\n{}\n{}\n", head, rule);
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      out += rows_[row];
      for (const Column& column : columns) out += fmt::format(" {} |", column.cells[row]);
      out += "\n";
    }
    return out;
  }

 private:
  struct Column {
    std::string of;
    std::vector<std::string> profiles;
    std::vector<std::string> cells;
  };

  std::vector<Column> merged() const {
    std::vector<Column> merged;
    for (const Column& column : columns_) {
      if (!merged.empty() && merged.back().of == column.of && merged.back().cells == column.cells) {
        merged.back().profiles.push_back(column.profiles.front());
      } else {
        merged.push_back(column);
      }
    }
    return merged;
  }

  std::string left_;
  std::vector<std::string> rows_;
  std::vector<Column> columns_;
};

std::string rules_table(const std::vector<isa::Profile>& profiles) {
  ProfileTable table("| rule | parameter | unit |");
  table.add_columns(profiles);
  for (const Rule& rule : kRules) {
    for (const isa::ParameterInfo& parameter : isa::kParameters) {
      if (parameter.member != rule.member) continue;
      std::vector<std::string> values;
      for (const isa::Profile& p : profiles) values.push_back(fmt::format("{}", p.*rule.member));
      table.add_row(fmt::format("| {} | `{}` | {} |", rule.meaning, parameter.name, parameter.unit),
                    values);
    }
  }
  return table.markdown();
}

std::string scalar_table(const std::vector<isa::Profile>& profiles) {
  ProfileTable table("| mnemonic | form | meaning |");
  table.add_columns(profiles);
  for (const isa::InstructionInfo& row : isa::kInstructions) {
    if (row.is_vector()) continue;
    std::vector<std::string> values;
    for (const isa::Profile& p : profiles) {
      values.push_back(scalar_cell(isa::scalar_timing(p, row)));
    }
    table.add_row(fmt::format("| `{}` | {} | {} |", row.mnemonic, isa::info(row.format).name,
                              markdown_cell(row.meaning)),
                  values);
  }
  return table.markdown();
}

std::string vector_table(const std::vector<isa::Profile>& profiles) {
  ProfileTable table("| mnemonic | class | meaning |");
  table.add_columns(profiles, "in memory");
  table.add_columns(profiles, "with a fabric");
  for (const isa::InstructionInfo& row : isa::kInstructions) {
    if (!row.is_vector()) continue;
    std::vector<std::string> in_memory;
    std::vector<std::string> with_a_fabric;
    for (const isa::Profile& p : profiles) {
      const isa::VectorTiming timing = isa::vector_timing(p, row);
      in_memory.push_back(formula(timing, timing.memory_rate, timing.memory_issue_cycles));
      with_a_fabric.push_back(formula(timing, timing.fabric_rate, 1));
    }
    std::vector<std::string> values = std::move(in_memory);
    values.insert(values.end(), with_a_fabric.begin(), with_a_fabric.end());
    table.add_row(fmt::format("| `{}` | {} | {} |", row.mnemonic, isa::name_of(row.cost),
                              markdown_cell(row.meaning)),
                  values);
  }
  return table.markdown();
}

// The rows of costs.def: what their instructions take, or how many elements they issue.
std::string class_table(const std::vector<isa::Profile>& profiles) {
  ProfileTable table("| class | of | unit |");
  table.add_columns(profiles);
  for (std::size_t k = 0; k < isa::kCostClassCount; ++k) {
    const auto cost = static_cast<isa::CostClass>(k);
    const bool issues = isa::cost_of(profiles.front(), cost).simd > 0;
    std::vector<std::string> values;
    for (const isa::Profile& p : profiles) {
      const isa::Cost price = isa::cost_of(p, cost);
      values.push_back(issues ? fmt::format("{}", price.simd) : cost_text(price));
    }
    table.add_row(fmt::format("| {} | {} | {} |", isa::name_of(cost), isa::meaning_of(cost),
                              issues ? "elements/cycle" : "cycles"),
                  values);
  }
  return table.markdown();
}

// Returns the table of forms that become several instructions, with their cycles.
std::string form_table(const std::vector<isa::Profile>& profiles) {
  ProfileTable table("| form |");
  table.add_columns(profiles);
  for (const isa::FormTiming& form : isa::kForms) {
    std::vector<std::string> values;
    for (const isa::Profile& p : profiles) values.push_back(fmt::format("{}", form.cycles(p)));
    table.add_row(fmt::format("| {} |", form.text), values);
  }
  return table.markdown();
}

}  // namespace

std::string timing_markdown() {
  std::vector<isa::Profile> profiles;
  for (const std::string& name : isa::profile_names()) profiles.push_back(*isa::find_profile(name));
  return fmt::format(
      "{}\n## Rules\n{}\n## Classes\n{}\n## Forms that become several instructions\n{}\n"
      "## Scalar instructions\n{}\n## Vector instructions\n{}",
      kIntroduction, rules_table(profiles), class_table(profiles), form_table(profiles),
      scalar_table(profiles), vector_table(profiles));
}

}  // namespace wse::cli
