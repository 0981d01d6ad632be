// Prices of lines, and how many PEs run a program.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "asm/prices.h"
#include "vm/cli/lsp/features.h"
#include "vm/cli/lsp/moved_lines.h"

namespace wse::lsp {
namespace {

using assembler::PricedInstruction;

constexpr std::string_view kRunCommand = "wsevm.run";

// "3 + 21 cycles": slots, then cycles beside them; of a vector instruction elements per cycle.
std::string price_of(const std::vector<PricedInstruction>& code) {
  std::uint64_t slots = 0;
  std::uint64_t cycles = 0;
  std::string elements;
  for (const PricedInstruction& priced : code) {
    cycles += priced.cost.cycles;
    if (isa::info(priced.instruction.op).is_vector()) {
      elements += fmt::format("{}{}/cycle", elements.empty() ? "" : ", ", priced.cost.simd);
    } else {
      slots += priced.cost.slots;
    }
  }
  std::string text = elements;
  if (slots > 0) text += fmt::format("{}{}", text.empty() ? "" : " + ", slots);
  if (cycles > 0) text += fmt::format(" + {}", cycles);
  return text;
}

// "setd, ld32": what the assembler added.
std::string added_to(const std::vector<PricedInstruction>& code) {
  std::string text;
  for (const PricedInstruction& priced : code) {
    if (!priced.added) continue;
    text +=
        fmt::format("{}{}", text.empty() ? "" : ", ", isa::info(priced.instruction.op).mnemonic);
  }
  return text;
}

std::string label_of(const std::vector<PricedInstruction>& code) {
  const std::string added = added_to(code);
  return price_of(code) + (added.empty() ? "" : " (+ " + added + ")");
}

Json hint(const LineTable& table, std::uint32_t line, const std::string& label) {
  const Position at{line, table.position(table.offset({line, ~0u})).character};
  Json json;
  json["position"] = position_json(at);
  json["label"] = label;
  json["paddingLeft"] = true;
  json["tooltip"] =
      "issue slots + cycles beside them; of a vector instruction elements per issue cycle first; "
      "in brackets what the assembler added";
  return json;
}

// The number of the document's text among the sources of the image; nothing if no line has code.
std::optional<std::uint32_t> source_number(const Checked& checked) {
  const std::vector<std::string>& sources = checked.output->image->sources;
  const auto found = std::ranges::find(sources, checked.analysis.files[0].name);
  if (found == sources.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - sources.begin());
}

// "261 120": groups of three digits.
std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, " ");
  return text;
}

bool is_program(const assembler::IndexedSymbol& symbol) {
  return symbol.kind == assembler::SymbolKind::Program;
}

// The prices of the lines of the document, whose image has no error.
std::vector<LinePrice> prices_of(const Checked& checked) {
  std::vector<LinePrice> prices;
  const isa::Image& image = *checked.output->image;
  const auto file = source_number(checked);
  if (!file) return prices;
  // A line has code in each program that has its macro or role: the first one is shown.
  std::map<std::uint32_t, std::vector<PricedInstruction>> by_line;
  for (const isa::Program& program : image.programs) {
    std::map<std::uint32_t, std::vector<PricedInstruction>> of_program;
    for (const auto& line :
         assembler::priced_lines(image, program, checked.output->files, checked.options.profile)) {
      if (line.where.file != *file || line.where.line == 0) continue;
      auto& code = of_program[line.where.line];
      code.insert(code.end(), line.code.begin(), line.code.end());
    }
    by_line.merge(of_program);
  }
  const LineTable& table = checked.tables[0];
  for (const auto& [number, code] : by_line) {
    std::string label = label_of(code);
    if (label.empty()) continue;
    const std::uint32_t line = table.position(table.begin({.line = number})).line;
    prices.push_back({line + 1, std::string(table.line(line)), std::move(label)});
  }
  return prices;
}

void add_price_hints(const Checked& checked, const std::vector<LinePrice>& prices,
                     std::uint32_t first, std::uint32_t last, Json& hints) {
  const LineTable& table = checked.tables[0];
  std::set<std::uint32_t> shares;  // lines that have one in front
  for (const Json& share : hints) shares.insert(share["position"]["line"].get<std::uint32_t>());
  MovedLines moved(table);
  std::size_t added = 0;
  for (const LinePrice& price : prices) {
    const std::optional<std::uint32_t> line = moved.find(price.line, price.text);
    if (!line || *line < first || *line > last) continue;
    hints.push_back(hint(table, *line, (shares.contains(*line) ? "| " : "") + price.label));
    if (++added == kMostItems) break;
  }
}

// The arguments with which wsevm runs the program as the settings say.
Json run_arguments(const Checked& checked, const std::string& path) {
  Json arguments = {"run", path, "--expect", "--stats"};
  arguments.push_back("--machine=" + checked.settings.machine);
  for (const auto& [name, value] : checked.settings.values) {
    arguments.push_back(fmt::format("{}={}", name, value));
  }
  for (const std::string& folder : checked.settings.include_folders) {
    arguments.push_back("-I" + folder);
  }
  return arguments;
}

Json lens(const Checked& checked, const assembler::IndexedSymbol& symbol,
          const std::string& title) {
  Json lens;
  lens["range"] =
      range_json(checked.tables[0], symbol.where.offset, symbol.where.offset + symbol.where.length);
  lens["command"]["title"] = title;
  lens["command"]["command"] = "";
  return lens;
}

}  // namespace

std::map<std::string, std::uint64_t> pes_of_programs(const Checked& checked) {
  std::map<std::string, std::uint64_t> pes;
  const isa::Image& image = *checked.output->image;
  for (const isa::Placement& placement : image.placements) {
    const isa::Program& code = image.programs[placement.program];
    // One of several codes that were made of a program has a role: "heat(has_west=1)".
    const std::string name =
        code.role.empty() ? code.name : code.role.substr(0, code.role.find('('));
    const isa::StridedRect& rect = placement.rect;
    pes[name] += static_cast<std::uint64_t>(rect.x.count() * rect.y.count());
  }
  return pes;
}

Json inlay_hints(Workspace& workspace, const Document& document, std::uint32_t first,
                 std::uint32_t last) {
  Checked& checked = workspace.checked(document);
  Json hints = Json::array();
  if (const auto profile = workspace.run_profile(checked)) {
    add_profile_hints(checked, *profile, first, last, hints);
  }
  LastGood& good = workspace.last_good(document.uri);
  if (checked.output->image && !checked.is_priced) {
    good.prices = prices_of(checked);
    checked.is_priced = true;
  }
  add_price_hints(checked, good.prices, first, last, hints);
  return hints;
}

Json code_lenses(Workspace& workspace, const Document& document) {
  const Checked& checked = workspace.checked(document);
  Json lenses = Json::array();
  std::map<std::string, std::uint64_t>& pes = workspace.last_good(document.uri).pes;
  if (checked.output->image) pes = pes_of_programs(checked);
  if (pes.empty()) return lenses;
  const bool can_run =
      !document.path.empty() &&
      std::ranges::find(checked.settings.commands, kRunCommand) != checked.settings.commands.end();
  for (const assembler::IndexedSymbol& symbol : checked.analysis.names.symbols()) {
    if (!is_program(symbol) || symbol.where.length == 0 || symbol.where.file != 0) continue;
    const auto found = pes.find(symbol.name);
    const std::uint64_t count = found == pes.end() ? 0 : found->second;
    lenses.push_back(
        lens(checked, symbol, fmt::format("{} PE{}", grouped(count), count == 1 ? "" : "s")));
    if (lenses.size() == 1 && can_run) {
      lenses.push_back(lens(checked, symbol, "run"));
      lenses.back()["command"]["command"] = kRunCommand;
      lenses.back()["command"]["arguments"] = Json::array({run_arguments(checked, document.path)});
    }
    if (lenses.size() >= kMostItems) break;
  }
  return lenses;
}

}  // namespace wse::lsp
