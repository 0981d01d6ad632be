// Looks names up in the image. A program of several codes may give a name several values: each
// value is said once, with the first role that has it.
#include "vm/cli/lsp/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "isa/image/disassembler.h"
#include "vm/cli/lsp/features.h"

namespace wse::lsp {
namespace {

using assembler::ChosenNumber;
using assembler::IndexedSymbol;
using assembler::SymbolKind;

constexpr std::size_t kMostValues = 8;  // of one name
constexpr std::uint32_t kMostDrawnColumns = 16;
constexpr std::uint32_t kMostDrawnRows = 12;

// Joins what each code of a program says of a name, each text once. `say` returns an empty text if
// the code has nothing to say.
std::string by_role(const isa::Image& image, std::string_view program,
                    const std::function<std::string(const isa::Program&)>& say) {
  std::vector<std::string> said;
  std::string text;
  for (const isa::Program* code : codes_of(image, program)) {
    std::string one = say(*code);
    if (one.empty() || std::ranges::find(said, one) != said.end()) continue;
    if (said.size() == kMostValues) return text + "\nand more\n";
    const std::string role = code->role.empty() ? "" : fmt::format(" in `{}`", code->role);
    text += fmt::format("\n{}{}\n", one, said.empty() && code->role.empty() ? "" : role);
    said.push_back(std::move(one));
  }
  // One value for all roles needs none of them.
  return said.size() == 1 ? fmt::format("\n{}\n", said.front()) : text;
}

std::string data_text(const isa::Program& program, const std::string& name,
                      const isa::Profile& profile) {
  const auto found = std::ranges::find(program.symbols, name, &isa::Symbol::name);
  if (found == program.symbols.end()) return "";
  const std::uint64_t bytes = found->bytes();
  const std::uint64_t first = found->address / isa::kBankBytes;
  const std::uint64_t last =
      (found->address + std::max<std::uint64_t>(bytes, 1) - 1) / isa::kBankBytes;
  const std::uint64_t count = std::min<std::uint64_t>(last - first + 1, profile.banks);
  const std::string banks = count == 1 ? fmt::format("bank {}", first % profile.banks)
                                       : fmt::format("{} of {} banks, from bank {} on", count,
                                                     profile.banks, first % profile.banks);
  return fmt::format("{}{}, {} bytes at address {}, in {}", isa::info(found->type).text,
                     isa::shape_text(*found), bytes, found->address, banks);
}

// Returns "→●" for a position of a router that sends east and to its PE; "○" first if the PE sends.
std::string cell_of(const isa::SwitchPosition& position) {
  constexpr std::string_view kArrows[] = {"←", "→", "↑", "↓", "●"};
  std::string cell = position.rx == isa::Port::Ramp ? "○" : "";
  for (std::uint32_t port = 0; port < isa::kMeshPorts; ++port) {
    if ((position.tx >> port & 1) != 0) cell += kArrows[port];
  }
  return cell;
}

// Draws the routes of a colour; returns an empty text where the mesh is large.
std::string drawing_of(const isa::Image& image, std::uint32_t colour) {
  const bool is_small = image.width <= kMostDrawnColumns && image.height <= kMostDrawnRows;
  if (!is_small || image.hypercube_dimensions > 0) return "";
  std::vector<std::string> cells(std::size_t{image.width} * image.height);
  for (const isa::Route& route : image.routes) {
    if (route.colour != colour || route.start >= route.routing.positions.size()) continue;
    isa::for_each(route.rect, [&](std::uint32_t x, std::uint32_t y) {
      if (x >= image.width || y >= image.height) return;
      cells[std::size_t{y} * image.width + x] = cell_of(route.routing.positions[route.start]);
    });
  }
  constexpr std::size_t kColumns = 4;  // of a cell
  std::string text = "\n```text\n";
  for (std::size_t k = 0; k < cells.size(); ++k) {
    // Each mark takes three bytes and one column.
    const std::size_t columns = cells[k].empty() ? 1 : cells[k].size() / 3;
    text += cells[k].empty() ? "·" : cells[k];
    text += std::string(std::max(columns + 1, kColumns) - columns, ' ');
    if ((k + 1) % image.width == 0) text += '\n';
  }
  return text + "```\n○ from the PE, ● to the PE, as the run begins\n";
}

std::string colour_text(const isa::Image& image, const std::string& name) {
  const auto found = std::ranges::find(image.colours, name);
  if (found == image.colours.end()) return "";
  const auto number = static_cast<std::uint32_t>(found - image.colours.begin());
  std::uint64_t routers = 0;
  std::uint64_t senders = 0;
  std::uint64_t receivers = 0;
  for (const isa::Route& route : image.routes) {
    if (route.colour != number) continue;
    const auto pes = static_cast<std::uint64_t>(route.rect.x.count() * route.rect.y.count());
    const auto& positions = route.routing.positions;
    routers += pes;
    if (std::ranges::any_of(positions, [](const auto& at) { return at.rx == isa::Port::Ramp; })) {
      senders += pes;
    }
    if (std::ranges::any_of(
            positions, [](const auto& at) { return (at.tx & isa::bit(isa::Port::Ramp)) != 0; })) {
      receivers += pes;
    }
  }
  return fmt::format("\ncolour {}, routed at {} PEs: {} can send, {} can receive\n", number,
                     routers, senders, receivers) +
         drawing_of(image, number);
}

// Returns the value of a constant of a role: "1" of "heat(has_west=1, has_east=0)".
std::string argument_text(const isa::Program& code, const std::string& name) {
  for (const std::string_view before : {"(", ", "}) {
    const std::string key = fmt::format("{}{}=", before, name);
    const std::size_t at = code.role.find(key);
    if (at == std::string::npos) continue;
    const std::size_t begin = at + key.size();
    return code.role.substr(begin, code.role.find_first_of(",)", begin) - begin);
  }
  return "";
}

std::string number_text(const Checked& checked, std::string_view program, const std::string& name) {
  for (const ChosenNumber& number : checked.output->numbers) {
    if (number.name == name && number.program == program) return number.value;
  }
  return "";
}

std::string global_text(const Checked& checked, const IndexedSymbol& symbol) {
  for (const ChosenNumber& constant : checked.output->constants) {
    if (constant.name == symbol.name) return fmt::format("\n= {}\n", constant.value);
  }
  for (const isa::GlobalParameter& parameter : checked.output->image->parameters) {
    if (parameter.name != symbol.name) continue;
    return fmt::format("\n{} = {} unless a run says another value\n",
                       isa::info(parameter.type).text, isa::to_text(parameter.value));
  }
  return "";
}

std::string program_text(const Checked& checked, const IndexedSymbol& symbol) {
  const isa::Image& image = *checked.output->image;
  const auto pes = pes_of_programs(checked);
  const auto found = pes.find(symbol.name);
  const std::uint64_t count = found == pes.end() ? 0 : found->second;
  std::string text = fmt::format("\nat {} PE{}", count, count == 1 ? "" : "s");
  const auto codes = codes_of(image, symbol.name);
  if (codes.size() > 1) text += fmt::format(", {} codes by role", codes.size());
  std::uint64_t most = 0;
  for (const isa::Program* code : codes) {
    most = std::max<std::uint64_t>(most, code->data_bytes() + code->code_bytes());
  }
  if (codes.empty()) return text + "\n";
  return text + fmt::format("; {}{} of {} bytes of memory\n", codes.size() > 1 ? "at most " : "",
                            most, checked.options.profile.memory_bytes);
}

}  // namespace

std::vector<const isa::Program*> codes_of(const isa::Image& image, std::string_view name) {
  std::vector<const isa::Program*> found;
  const std::string role = fmt::format("{}(", name);
  for (const isa::Program& program : image.programs) {
    const bool is_code = program.role.starts_with(role);
    if (is_code || (program.role.empty() && program.name == name)) found.push_back(&program);
  }
  return found;
}

std::string facts_of(const Checked& checked, const IndexedSymbol& symbol) {
  if (!checked.output->image) return "";
  const isa::Image& image = *checked.output->image;
  switch (symbol.kind) {
    case SymbolKind::Constant:
    case SymbolKind::Parameter: return global_text(checked, symbol);
    case SymbolKind::Colour: return colour_text(image, symbol.name);
    case SymbolKind::Program: return program_text(checked, symbol);
    case SymbolKind::Argument:
      return by_role(image, symbol.owner, [&](const isa::Program& code) {
        const std::string value = argument_text(code, symbol.name);
        return value.empty() ? "" : "= " + value;
      });
    case SymbolKind::Data:
      return by_role(image, symbol.owner, [&](const isa::Program& code) {
        return data_text(code, symbol.name, checked.options.profile);
      });
    case SymbolKind::Entry: {
      const std::string number = number_text(checked, "", symbol.name);
      return number.empty() ? "" : fmt::format("\n{}\n", number);
    }
    default:
      return by_role(image, symbol.owner, [&](const isa::Program& code) {
        return number_text(checked, code.name, symbol.name);
      });
  }
}

}  // namespace wse::lsp
