// Records and tables for people.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "isa/instruction/instruction.h"
#include "isa/instruction/traps.h"
#include "isa/support/limits.h"
#include "vm/cli/reports.h"

namespace wse::cli {
namespace {

std::string share(std::uint64_t part, std::uint64_t whole) {
  return fmt::format(
      "{:.1f} %",
      whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string activities_text(const vm::Record& record) {
  constexpr std::array<std::string_view, vm::kActivities> kNames = {
      "busy", "memory stall", "wait output", "wait input", "idle"};
  const std::uint64_t whole = record.cycles * record.placed_pes;
  std::string out;
  for (std::size_t k = 0; k < kNames.size(); ++k) {
    out += fmt::format("{}{} {}", k == 0 ? "" : ", ", kNames[k],
                       share(record.counters.pe_cycles[k], whole));
  }
  return out;
}

// A parameter's value, with what measured rows allow if anybody has asked: "13 (0..30)".
std::string value_text(const isa::MeasuredProfile& measured, const isa::ParameterInfo& parameter) {
  const std::string value = isa::number_text(parameter, measured.profile.*parameter.member);
  const auto allowed = measured.intervals.find(parameter.name);
  if (allowed == measured.intervals.end()) return value;
  return fmt::format("{} ({})", value, isa::interval_text(allowed->second));
}

std::size_t column_width(const isa::MeasuredProfile& measured) {
  std::size_t width = std::max<std::size_t>(10, measured.profile.name.size());
  for (const isa::ParameterInfo& parameter : isa::kParameters) {
    width = std::max(width, value_text(measured, parameter).size());
  }
  return width;
}

std::string family_text(isa::Family family, const std::vector<isa::MeasuredProfile>& profiles) {
  std::string out = fmt::format("{:<28}", "parameter");
  std::vector<std::size_t> widths;
  for (const isa::MeasuredProfile& measured : profiles) {
    widths.push_back(column_width(measured));
    out += fmt::format(" {:>{}}", measured.profile.name, widths.back());
  }
  out += fmt::format("  {:<14} {:<18} {:<6} source\n", "range", "unit", "mark");
  for (const isa::ParameterInfo& parameter : isa::kParameters) {
    out += fmt::format("{:<28}", parameter.name);
    for (std::size_t k = 0; k < profiles.size(); ++k) {
      out += fmt::format(" {:>{}}", value_text(profiles[k], parameter), widths[k]);
    }
    const isa::Origin& origin = isa::origin(family, parameter);
    out += fmt::format("  {:<14} {:<18} {:<6} {}\n", isa::range_text(parameter), parameter.unit,
                       origin.mark, origin.source);
  }
  return out;
}

}  // namespace

std::string interval_text(const vm::Record& record) {
  if (!record.cycles_low && !record.cycles_high) return {};
  const auto shown = [](const std::optional<vm::Cycle>& cycles) {
    return cycles ? fmt::format("{}", *cycles) : "?";
  };
  return fmt::format(" ({}..{})", shown(record.cycles_low), shown(record.cycles_high));
}

std::string record_text(const vm::Record& r) {
  const vm::Counters& c = r.counters;
  const double pe_cycles = static_cast<double>(r.cycles) * static_cast<double>(r.placed_pes);
  std::string out = fmt::format(
      "machine       {}, {} x {} PEs, {} with a program\n"
      "cycles        {}{}\n"
      "instructions  {}, vector elements {}, flops {}\n"
      "fabric        {} wavelets, {} hops, {} links used, longest way {}, fullest link {}, "
      "fullest ramp {}\n"
      "PE cycles     {}\n",
      r.machine, r.width, r.height, r.placed_pes, r.cycles, interval_text(r), c.instructions,
      c.elements, c.flops, c.wavelets, c.hops, r.links_used, c.max_distance, r.max_link_load,
      r.max_ramp_wavelets, activities_text(r));
  for (const auto& [name, mark] : r.marks) {
    out += fmt::format("mark {:<8} first {}, last {}, {} times\n", name, mark.first, mark.last,
                       mark.count);
  }
  out += fmt::format("wall time     {:.3f} s, {:.1f} M PE-cycles/s\n", r.wall_seconds,
                     r.wall_seconds > 0 ? pe_cycles / r.wall_seconds / 1e6 : 0.0);
  if (!r.transport_reason.empty()) {
    out += fmt::format("transport     {}, because of {}\n", r.transport, r.transport_reason);
  } else if (r.transport != "stepper") {
    out += fmt::format("transport     {}\n", r.transport);
  }
  if (r.jitter) {
    out +=
        fmt::format("jitter        up to {} cycles, seed {}\n", r.jitter->cycles, r.jitter->seed);
  }
  if (!r.threads_shortage.empty()) {
    out += fmt::format("threads       {}: {}\n", r.threads, r.threads_shortage);
  } else if (r.threads > 1) {
    out += fmt::format("threads       {}\n", r.threads);
  }
  const vm::NativeWork& native = r.native;
  const bool compiles = native.instructions + native.regions + native.cached > 0;
  if (r.engine != "interp" && (r.engine != "auto" || compiles)) {
    // The others are vector instructions and what leaves its PE to the machine.
    out += fmt::format(
        "engine        {}, {} of the instructions native, {} regions compiled, {} from the cache, "
        "in "
        "{:.0f} ms\n",
        r.engine, share(native.instructions, c.instructions), native.regions, native.cached,
        1e3 * native.compile_seconds);
  }
  return out;
}

std::string markdown_cell(std::string_view text) {
  std::string cell;
  for (const char c : text) cell += c == '|' ? "\\|" : std::string(1, c);
  return cell;
}

std::string isa_text() {
  std::string out;
  for (const isa::InstructionInfo& row : isa::kInstructions) {
    const isa::FormatInfo& format = isa::info(row.format);
    out += fmt::format("{:02x}  {:<8} {:<5} {:<15} {}\n", row.opcode, row.mnemonic, format.operands,
                       format.name, row.meaning);
  }
  return out;
}

std::string isa_markdown() {
  std::string out =
      "# The instruction set\n\nMade by `wsevm isa --markdown` from instructions.def, "
      "formats.def and limits.def."
      "\n\n## Formats\n\n| format | operands | bits | meaning |\n|---|---|---|---|\n";
  for (const isa::FormatInfo& format : isa::kFormats) {
    const std::string operands =
        format.operands.empty() ? "" : fmt::format("`{}`", format.operands);
    out += fmt::format("| {} | {} | `{}` | {} |\n", format.name, operands, format.bits,
                       format.meaning);
  }
  out +=
      "\n## Instructions\n\n| mnemonic | form | opcode | flops | meaning "
      "|\n|---|---|---|---|---|\n";
  for (const isa::InstructionInfo& row : isa::kInstructions) {
    out +=
        fmt::format("| `{}` | {} | {:#04x} | {} | {} |\n", row.mnemonic, isa::info(row.format).name,
                    row.opcode, row.flops, markdown_cell(row.meaning));
  }
  out += "\n## Limits of the program image\n\n| limit | at most | of |\n|---|---|---|\n";
  for (const isa::LimitInfo& limit : isa::kLimits) {
    out += fmt::format("| {} | {} | {} |\n", limit.name, limit.most, limit.meaning);
  }
  return out;
}

std::string traps_markdown() {
  std::string out = "| trap | meaning | what helps |\n|---|---|---|\n";
  for (const isa::TrapInfo& trap : isa::kTraps) {
    out += fmt::format("| `{}` | {} | {} |\n", trap.text, markdown_cell(trap.meaning),
                       markdown_cell(trap.remedy));
  }
  return out;
}

// Profiles of one family share marks and sources, and so a table.
std::string profiles_text(const std::vector<isa::MeasuredProfile>& profiles) {
  std::string out;
  for (const isa::Family family : {isa::Family::Wafer, isa::Family::Cm200}) {
    std::vector<isa::MeasuredProfile> members;
    std::ranges::copy_if(profiles, std::back_inserter(members),
                         [&](const auto& measured) { return measured.profile.family == family; });
    if (members.empty()) continue;
    out += fmt::format("{}{}", out.empty() ? "" : "\n", family_text(family, members));
  }
  return out;
}

}  // namespace wse::cli
