// Explains a name by its definition and what became of it, a word of the language by its row.
#include <fmt/format.h>

#include <algorithm>

#include "asm/prices.h"
#include "asm/text/scanner.h"
#include "asm/words.h"
#include "isa/image/disassembler.h"
#include "vm/cli/lsp/facts.h"
#include "vm/cli/lsp/features.h"

namespace wse::lsp {
namespace {

using assembler::IndexedSymbol;
using assembler::SymbolKind;
using assembler::Token;
using assembler::TokenKind;

constexpr std::size_t kMostLines = 40;  // of a macro or of its code

// The text as a block of Markdown, whatever it contains.
std::string block(std::string_view text) {
  std::string fence = "```";
  while (text.find(fence) != std::string_view::npos) fence += '`';
  return fmt::format("{}wsa\n{}\n{}\n", fence, text, fence);
}

std::string trimmed(std::string_view line) {
  const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
  return std::string(line.substr(begin));
}

// The lines of the definition: of a macro all up to its end.
std::string definition_text(const LineTable& table, const IndexedSymbol& symbol) {
  const std::uint32_t first = table.position(symbol.where.offset).line;
  std::string text = trimmed(table.line(first));
  if (symbol.kind != SymbolKind::Macro) return text;
  std::size_t depth = 1;
  for (std::uint32_t line = first + 1; line < table.lines() && depth > 0; ++line) {
    const std::string inner = trimmed(table.line(line));
    if (inner.starts_with(".if") || inner.starts_with(".for")) ++depth;
    if (inner.starts_with(".end")) --depth;
    if (line - first > kMostLines) return text + "\n...";
    text += fmt::format("\n{}", table.line(line));
  }
  return text;
}

std::string text_of_symbol(const Checked& checked, const IndexedSymbol& symbol) {
  std::string text = fmt::format("**{}** `{}`", assembler::text(symbol.kind), symbol.name);
  if (!symbol.owner.empty()) text += fmt::format(" of `{}`", symbol.owner);
  text += "\n";
  if (symbol.where.length > 0) {
    text += block(definition_text(checked.tables[symbol.where.file], symbol));
  }
  return text + facts_of(checked, symbol);
}

// The definitions that a name has, also where it is free to mean several.
std::string text_of_mentions(const Checked& checked, std::span<const assembler::Mention> at) {
  const std::vector<IndexedSymbol>& symbols = checked.analysis.names.symbols();
  std::string text;
  for (const assembler::Mention& mention : at) {
    const IndexedSymbol& symbol = symbols[mention.symbol];
    if (symbol.kind != SymbolKind::Free) {
      text += text_of_symbol(checked, symbol);
      continue;
    }
    for (const IndexedSymbol& other : symbols) {
      if (other.group == symbol.group && other.kind != SymbolKind::Free) {
        text += text_of_symbol(checked, other);
        if (text.size() > 4000) return text;
      }
    }
  }
  return text;
}

// "fadds d, a, S": the letters of the format.
std::string form_of(const isa::InstructionInfo& row) {
  std::string form(row.mnemonic);
  bool is_first = true;
  for (const char letter : isa::info(row.format).operands) {
    form += fmt::format("{}{}", is_first ? " " : ", ", letter);
    is_first = false;
  }
  return form;
}

std::string text_of_mnemonic(std::string_view word, const isa::Profile& profile) {
  std::string text;
  for (const isa::InstructionInfo& row : isa::kInstructions) {
    if (row.mnemonic != word) continue;
    const isa::Cost cost = isa::cost_of(profile, row.cost);
    text += fmt::format("**{}** {}\n\n", form_of(row), row.meaning);
    text += row.is_vector()
                ? fmt::format("{} element{} per cycle, {} cycles beside the issues on {}\n\n",
                              cost.simd, cost.simd == 1 ? "" : "s", cost.cycles, profile.name)
                : fmt::format("{} issue slot{}, {} cycle{} on {}\n\n", cost.slots,
                              cost.slots == 1 ? "" : "s", cost.cycles, cost.cycles == 1 ? "" : "s",
                              profile.name);
  }
  return text;
}

// The code that a line became, for uses of macros and lines to which something was added.
std::string code_of_line(const Checked& checked, std::uint32_t line) {
  if (!checked.output->image) return "";
  const isa::Image& image = *checked.output->image;
  const auto file = std::ranges::find(image.sources, checked.analysis.files[0].name);
  if (file == image.sources.end()) return "";
  const auto number = static_cast<std::uint32_t>(file - image.sources.begin());
  for (const isa::Program& program : image.programs) {
    std::string text;
    std::size_t lines = 0;
    for (const assembler::PricedLine& priced :
         assembler::priced_lines(image, program, checked.output->files, checked.options.profile)) {
      if (priced.where.line != line || priced.where.file != number) continue;
      for (const assembler::PricedInstruction& one : priced.code) {
        if (++lines > kMostLines) continue;
        text += fmt::format("{}{:<40} ; {}", text.empty() ? "" : "\n",
                            isa::instruction_text(image, program, one.instruction),
                            trimmed(assembler::price_text(one)));
      }
    }
    if (lines > kMostLines) text += fmt::format("\n; {} more", lines - kMostLines);
    if (!text.empty())
      return fmt::format("\nin `{}`, slots and cycles:\n{}", program.shown_name(), block(text));
  }
  return "";
}

// The token that touches the byte.
Token token_at(const LineTable& table, std::uint32_t offset) {
  const std::uint32_t line = table.position(offset).line;
  const std::string_view text = table.line(line);
  const std::uint32_t begin = table.offset({line, 0});
  assembler::Scanner scanner(text, {.line = 1});
  for (Token token = scanner.next(); !token.ends_statement(); token = scanner.next()) {
    const auto from = begin + static_cast<std::uint32_t>(token.text.data() - text.data());
    if (from <= offset && offset <= from + token.text.size()) return token;
  }
  return {};
}

std::string text_of_word(const Checked& checked, const Token& token) {
  if (token.kind == TokenKind::Dotted) {
    const assembler::DirectiveWord* word = assembler::directive_word(token.text);
    if (word == nullptr) return "";
    return fmt::format("{}\n{}\n", block(word->form), word->meaning);
  }
  if (token.kind != TokenKind::Name) return "";
  return text_of_mnemonic(token.text, checked.options.profile);
}

}  // namespace

Json hover_at(Workspace& workspace, const Document& document, std::uint32_t offset) {
  const Checked& checked = workspace.checked(document);
  const LineTable& table = checked.tables[0];
  const auto mentions = checked.analysis.names.at(0, offset);
  const Token token = token_at(table, offset);
  std::string text =
      mentions.empty() ? text_of_word(checked, token) : text_of_mentions(checked, mentions);
  if (text.empty()) return nullptr;
  const bool is_instruction = token.kind == TokenKind::Name && mentions.empty();
  const bool is_macro =
      !mentions.empty() &&
      checked.analysis.names.symbols()[mentions.front().symbol].kind == SymbolKind::Macro;
  if (is_instruction || is_macro) text += code_of_line(checked, table.assembler_line(offset));
  Json json;
  json["contents"] = {{"kind", "markdown"}, {"value", text}};
  if (!token.text.empty()) {
    const auto begin = static_cast<std::uint32_t>(token.text.data() - table.text().data());
    json["range"] = range_json(table, begin, begin + static_cast<std::uint32_t>(token.text.size()));
  }
  return json;
}

}  // namespace wse::lsp
