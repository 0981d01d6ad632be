// Colours of words: what the index says of a name, else what the tables of the language say.
#include <algorithm>

#include "asm/text/scanner.h"
#include "asm/words.h"
#include "vm/cli/lsp/features.h"

namespace wse::lsp {
namespace {

using assembler::Mention;
using assembler::SymbolKind;
using assembler::Token;
using assembler::TokenKind;
using assembler::WordKind;

enum class TokenType : std::uint8_t {
  Namespace,
  Type,
  Class,
  Parameter,
  Variable,
  Property,
  EnumMember,
  Event,
  Function,
  Macro,
  Keyword,
  Modifier,
  Comment,
  String,
  Number,
  Operator,
  Decorator,
};
constexpr std::string_view kTypeNames[] = {
    "namespace",  "type",   "class",    "parameter", "variable", "property",
    "enumMember", "event",  "function", "macro",     "keyword",  "modifier",
    "comment",    "string", "number",   "operator",  "decorator"};
constexpr std::string_view kModifierNames[] = {"declaration", "readonly", "defaultLibrary"};

struct Style {
  TokenType type = TokenType::Variable;
  std::uint32_t modifiers = 0;
};
constexpr std::size_t kNumbersOfAToken = 5;  // line, character, length, type, modifiers
constexpr std::uint32_t kDeclaration = 1;
constexpr std::uint32_t kReadonly = 2;
constexpr std::uint32_t kDefaultLibrary = 4;

Style style_of(SymbolKind kind) {
  switch (kind) {
    case SymbolKind::Constant: return {TokenType::Variable, kReadonly};
    case SymbolKind::Parameter:
    case SymbolKind::Argument: return {TokenType::Parameter};
    case SymbolKind::Colour:
    case SymbolKind::Entry: return {TokenType::EnumMember};
    case SymbolKind::Program: return {TokenType::Class};
    case SymbolKind::Library: return {TokenType::Namespace};
    case SymbolKind::Macro: return {TokenType::Macro};
    case SymbolKind::Task:
    case SymbolKind::Function: return {TokenType::Function};
    case SymbolKind::Label:
    case SymbolKind::Mark: return {TokenType::Event};
    case SymbolKind::Microthread:
    case SymbolKind::Queue:
    case SymbolKind::Routing:
    case SymbolKind::Filter: return {TokenType::Property};
    default: return {TokenType::Variable};
  }
}

std::optional<Style> style_of_word(std::string_view word) {
  const assembler::LanguageWord* found = assembler::language_word(word);
  if (found == nullptr) return std::nullopt;
  switch (found->kind) {
    case WordKind::Mnemonic: return Style{TokenType::Keyword};
    case WordKind::Header: return Style{TokenType::Keyword};
    case WordKind::Clause: return Style{TokenType::Modifier};
    case WordKind::Function: return Style{TokenType::Function, kDefaultLibrary};
    case WordKind::Constant: return Style{TokenType::Variable, kReadonly | kDefaultLibrary};
    case WordKind::Port: return Style{TokenType::EnumMember, kDefaultLibrary};
    case WordKind::Type: return Style{TokenType::Type};
    case WordKind::Option: return Style{TokenType::Property};
  }
  return std::nullopt;
}

class Painter {
 public:
  explicit Painter(const Checked& checked)
      : table_(checked.tables[0]), names_(checked.analysis.names) {}

  std::vector<std::uint32_t> paint() {
    const std::string_view text = table_.text();
    assembler::Scanner scanner(text, {.line = 1});
    std::uint32_t behind = 0;
    for (;;) {
      const Token token = scanner.next();
      const auto begin = token.kind == TokenKind::End
                             ? static_cast<std::uint32_t>(text.size())
                             : static_cast<std::uint32_t>(token.text.data() - text.data());
      comment(behind, begin);
      if (token.kind == TokenKind::End) break;
      behind = begin + static_cast<std::uint32_t>(token.text.size());
      if (const std::optional<Style> style = style_of_token(token, begin)) {
        add(begin, behind, *style);
      }
    }
    return std::move(data_);
  }

 private:
  // Paints a comment, if the scanner left one out between two tokens.
  void comment(std::uint32_t begin, std::uint32_t end) {
    const std::size_t at = table_.text().substr(0, end).find(';', begin);
    if (at == std::string_view::npos) return;
    const std::size_t until = table_.text().substr(0, end).find_last_not_of("\r\n") + 1;
    add(static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(until), {TokenType::Comment});
  }

  std::optional<Style> style_of_token(const Token& token, std::uint32_t begin) {
    switch (token.kind) {
      case TokenKind::Dotted: return Style{TokenType::Keyword};
      case TokenKind::Integer:
      case TokenKind::Float: return Style{TokenType::Number};
      case TokenKind::String: return Style{TokenType::String};
      case TokenKind::Pragma: return Style{TokenType::Decorator};
      case TokenKind::Punctuation: return Style{TokenType::Operator};
      case TokenKind::Name: return style_of_name(token.text, begin);
      default: return std::nullopt;
    }
  }

  // Mentions are in the order of the text, as the words are.
  std::optional<Style> style_of_name(std::string_view word, std::uint32_t begin) {
    const std::vector<Mention>& mentions = names_.mentions();
    while (next_ < mentions.size() && mentions[next_].where.file == 0 &&
           mentions[next_].where.offset < begin) {
      ++next_;
    }
    const bool is_name = next_ < mentions.size() && mentions[next_].where.file == 0 &&
                         mentions[next_].where.offset == begin;
    if (!is_name) return style_of_word(word);
    Style style = style_of(names_.symbols()[mentions[next_].symbol].kind);
    if (mentions[next_].defines) style.modifiers |= kDeclaration;
    return style;
  }

  // A token must lie in one line; one that is longer than that ends with it.
  void add(std::uint32_t begin, std::uint32_t end, const Style& style) {
    const Position from = table_.position(begin);
    const Position to = table_.position(end);
    if (to.line != from.line || to.character <= from.character) return;
    const bool is_same_line = from.line == last_.line;
    data_.push_back(from.line - last_.line);
    data_.push_back(is_same_line ? from.character - last_.character : from.character);
    data_.push_back(to.character - from.character);
    data_.push_back(static_cast<std::uint32_t>(style.type));
    data_.push_back(style.modifiers);
    last_ = from;
  }

  const LineTable& table_;
  const assembler::NameIndex& names_;
  std::size_t next_ = 0;
  Position last_;
  std::vector<std::uint32_t> data_;
};

}  // namespace

Json semantic_tokens(Workspace& workspace, const Document& document) {
  Painted& kept = workspace.painted(document.uri);
  kept.numbers = Painter(workspace.names_of(document)).paint();
  ++kept.id;
  return {{"resultId", std::to_string(kept.id)}, {"data", kept.numbers}};
}

Json semantic_tokens_in(const Checked& checked, std::uint32_t first, std::uint32_t last) {
  const std::vector<std::uint32_t> all = Painter(checked).paint();
  std::vector<std::uint32_t> data;
  std::uint32_t line = 0;
  std::uint32_t character = 0;
  std::uint32_t before = 0;  // the line of the token that was kept last
  for (std::size_t k = 0; k < all.size(); k += kNumbersOfAToken) {
    character = all[k] == 0 ? character + all[k + 1] : all[k + 1];
    line += all[k];
    if (line < first) continue;
    if (line > last) break;
    const bool is_first_of_line = data.empty() || line != before;
    data.push_back(line - before);
    data.push_back(is_first_of_line ? character : all[k + 1]);
    data.insert(data.end(), {all[k + 2], all[k + 3], all[k + 4]});
    before = line;
  }
  return {{"data", data}};
}

Json semantic_tokens_since(Workspace& workspace, const Document& document,
                           const std::string& previous) {
  Painted& kept = workspace.painted(document.uri);
  if (kept.id == 0 || previous != std::to_string(kept.id)) {
    return semantic_tokens(workspace, document);
  }
  std::vector<std::uint32_t> now = Painter(workspace.names_of(document)).paint();
  const std::vector<std::uint32_t>& old = kept.numbers;
  const auto begin = static_cast<std::size_t>(std::ranges::mismatch(old, now).in1 - old.begin());
  std::size_t same = 0;  // numbers at the end
  const std::size_t most = std::min(old.size(), now.size()) - begin;
  while (same < most && old[old.size() - 1 - same] == now[now.size() - 1 - same]) ++same;
  Json edits = Json::array();
  if (begin + same < std::max(old.size(), now.size())) {
    const std::vector<std::uint32_t> data(now.begin() + static_cast<std::ptrdiff_t>(begin),
                                          now.end() - static_cast<std::ptrdiff_t>(same));
    edits.push_back({{"start", begin}, {"deleteCount", old.size() - same - begin}, {"data", data}});
  }
  kept.numbers = std::move(now);
  ++kept.id;
  return {{"resultId", std::to_string(kept.id)}, {"edits", edits}};
}

Json semantic_legend() { return {{"tokenTypes", kTypeNames}, {"tokenModifiers", kModifierNames}}; }

}  // namespace wse::lsp
