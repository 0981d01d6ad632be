// Finds what may come at a place by the words in front of it in its line.
#include <algorithm>
#include <set>

#include "asm/text/library_texts.h"
#include "asm/text/scanner.h"
#include "asm/text/warning_choice.h"
#include "asm/words.h"
#include "isa/instruction/instruction.h"
#include "isa/machine/fabric.h"
#include "vm/cli/lsp/features.h"

namespace wse::lsp {
namespace {

using assembler::IndexedSymbol;
using assembler::SymbolKind;
using assembler::Token;
using assembler::TokenKind;
using assembler::WordKind;

// The kinds of the protocol.
enum class ItemKind : std::uint8_t {
  Function = 3,
  Variable = 6,
  Class = 7,
  Property = 10,
  Keyword = 14,
  EnumMember = 20,
  Constant = 21,
  Event = 23,
  Operator = 24,
};

ItemKind kind_of(SymbolKind kind) {
  switch (kind) {
    case SymbolKind::Constant: return ItemKind::Constant;
    case SymbolKind::Colour:
    case SymbolKind::Entry: return ItemKind::EnumMember;
    case SymbolKind::Program: return ItemKind::Class;
    case SymbolKind::Macro:
    case SymbolKind::Function: return ItemKind::Function;
    case SymbolKind::Task:
    case SymbolKind::Label:
    case SymbolKind::Mark: return ItemKind::Event;
    default: return ItemKind::Variable;
  }
}

using Kinds = std::set<SymbolKind>;
const Kinds kGlobals = {SymbolKind::Constant, SymbolKind::Parameter, SymbolKind::Colour,
                        SymbolKind::Entry};
const Kinds kOperands = {
    SymbolKind::Argument,           SymbolKind::Variable,   SymbolKind::Data, SymbolKind::Register,
    SymbolKind::DescriptorRegister, SymbolKind::Descriptor, SymbolKind::Fifo, SymbolKind::Constant,
    SymbolKind::Parameter,          SymbolKind::Colour,     SymbolKind::Entry};

class Completer {
 public:
  Completer(const Checked& checked, std::uint32_t offset)
      : checked_(checked), table_(checked.tables[0]), offset_(offset) {
    const std::uint32_t line = table_.position(offset).line;
    begin_ = table_.offset({line, 0});
    const std::string_view before = table_.text().substr(begin_, offset - begin_);
    is_comment_ = read_tokens(before);
    owner_ = owner_before(line);
  }

  Json items() {
    if (is_comment_) return pragmas();
    if (words_.empty()) {
      statements();
    } else if (words_.front().kind == TokenKind::Dotted) {
      of_directive(words_.front().text);
    } else if (words_.front().is_word("task") || words_.front().is_word("function")) {
      of_header();
    } else {
      of_instruction();
    }
    return result();
  }

 private:
  // Keeps the tokens in front of the word that is being typed. True inside a comment.
  bool read_tokens(std::string_view before) {
    assembler::Scanner scanner(before, {.line = 1});
    std::size_t behind = 0;
    for (Token token = scanner.next(); !token.ends_statement(); token = scanner.next()) {
      if (token.kind == TokenKind::Pragma) {
        pragma_ = token.text;
        return true;
      }
      words_.push_back(token);
      behind = static_cast<std::size_t>(token.text.data() - before.data()) + token.text.size();
    }
    if (before.find(';', behind) != std::string_view::npos) return true;
    const bool is_open =
        !words_.empty() && behind == before.size() && words_.back().kind != TokenKind::Punctuation;
    const bool is_dot = !words_.empty() && behind == before.size() && words_.back().is(".");
    if (is_open || is_dot) words_.pop_back();
    while (words_.size() >= 2 && words_[0].kind == TokenKind::Name && words_[1].is(":")) {
      words_.erase(words_.begin(), words_.begin() + 2);  // a label
    }
    return false;
  }

  // The program or macro to which the line belongs, by the lines above it.
  std::string owner_before(std::uint32_t line) const {
    constexpr std::uint32_t kMostLinesAbove = 100'000;
    for (std::uint32_t k = 0; k <= std::min(line, kMostLinesAbove); ++k) {
      const std::string_view text = table_.line(line - k);
      const std::size_t at = text.find_first_not_of(" \t");
      if (at == std::string_view::npos || text[at] != '.') continue;
      assembler::Scanner scanner(text, {.line = 1});
      const Token first = scanner.next();
      const assembler::DirectiveWord* word = assembler::directive_word(first.text);
      if (word == nullptr || word->in_program || word->word == ".end") continue;
      const bool opens = first.text == ".program" || first.text == ".macro";
      return opens ? std::string(scanner.next().text) : std::string();
    }
    return "";
  }

  void add(std::string_view label, ItemKind kind, std::string_view detail,
           std::string_view documentation = {}) {
    if (items_.size() >= kMostItems || label.empty() || !seen_.insert(std::string(label)).second) {
      return;
    }
    Json item;
    item["label"] = label;
    item["kind"] = static_cast<int>(kind);
    item["detail"] = detail;
    if (!documentation.empty()) item["documentation"] = documentation;
    if (label.starts_with('.')) {  // editors take a dot for no part of a word
      const std::string_view text = table_.text();
      std::uint32_t from = offset_;
      while (from > begin_ && (std::isalnum(static_cast<unsigned char>(text[from - 1])) != 0 ||
                               text[from - 1] == '_' || text[from - 1] == '.')) {
        --from;
      }
      item["textEdit"] = {{"range", range_json(table_, from, offset_)}, {"newText", label}};
      item["filterText"] = label;
    }
    items_.push_back(std::move(item));
  }

  void symbols(const Kinds& kinds) {
    for (const IndexedSymbol& symbol : checked_.analysis.names.symbols()) {
      const bool is_visible = symbol.owner.empty() || symbol.owner == owner_;
      if (!is_visible || !kinds.contains(symbol.kind) || symbol.name.empty()) continue;
      add(symbol.name, kind_of(symbol.kind), assembler::text(symbol.kind));
    }
  }

  // Colours, and the arguments that may be one: those of macros have no type.
  void colours() {
    symbols({SymbolKind::Colour});
    for (const IndexedSymbol& symbol : checked_.analysis.names.symbols()) {
      if (symbol.kind != SymbolKind::Argument || symbol.owner != owner_) continue;
      const std::string_view text = checked_.tables[symbol.where.file].text();
      assembler::Scanner scanner(text.substr(symbol.where.offset + symbol.where.length),
                                 {.line = 1});
      const bool has_type = scanner.next().is(":");
      if (!has_type || scanner.next().is_word("colour")) {
        add(symbol.name, ItemKind::Variable, assembler::text(symbol.kind));
      }
    }
  }

  void words(WordKind kind, ItemKind item, std::string_view detail) {
    for (const assembler::LanguageWord& word : assembler::language_words()) {
      if (word.kind == kind) add(word.word, item, detail);
    }
  }

  void names(std::initializer_list<std::string_view> list) {
    for (const std::string_view word : list) add(word, ItemKind::Keyword, "");
  }

  void statements() {
    for (const assembler::DirectiveWord& word : assembler::directive_words()) {
      add(word.word, ItemKind::Keyword, word.form, word.meaning);
    }
    if (owner_.empty()) return;
    for (const isa::InstructionInfo& row : isa::kInstructions) {
      add(row.mnemonic, ItemKind::Operator, row.meaning);
    }
    add("map", ItemKind::Operator, "a function or instruction for each element");
    words(WordKind::Header, ItemKind::Keyword, "");
    symbols({SymbolKind::Macro});
  }

  void expression() {
    symbols(kGlobals);
    symbols({SymbolKind::Argument, SymbolKind::Variable});
    words(WordKind::Constant, ItemKind::Constant, "");
    words(WordKind::Function, ItemKind::Function, "");
  }

  void of_directive(std::string_view word) {
    const Token& last = words_.back();
    if (word == ".place" && words_.size() == 1) return symbols({SymbolKind::Program});
    if (word == ".place" && after_word("with")) return arguments_of(words_[1].text);
    if (word == ".include") return libraries();
    if (last.is("->") || last.is("[")) return words(WordKind::Port, ItemKind::EnumMember, "port");
    if (last.is(":") || (last.is(",") && after_arrow())) {
      words(WordKind::Port, ItemKind::EnumMember, "port");
      words(WordKind::Type, ItemKind::Keyword, "type");
      return names({"range", "counter", "sparse", "none", "const"});
    }
    if (last.is("=") && words_.size() > 1 && words_[words_.size() - 2].is_word("pop")) {
      for (const std::string_view mode : isa::kPopModeTexts) add(mode, ItemKind::Keyword, "");
      return;
    }
    if (last.is_word("on")) {
      for (const std::string& profile : isa::profile_names()) {
        add(profile, ItemKind::EnumMember, "machine profile");
      }
      return;
    }
    if (word == ".expect" && words_.size() == 1) {
      add("cycles", ItemKind::Keyword, "");
      Kinds data = {SymbolKind::Data};
      for (const IndexedSymbol& symbol : checked_.analysis.names.symbols()) {
        if (data.contains(symbol.kind)) add(symbol.name, ItemKind::Variable, symbol.owner);
      }
      return;
    }
    expression();
    if (!owner_.empty()) symbols(kOperands);
    if (word == ".table") symbols({SymbolKind::Label, SymbolKind::Function});
    names({"at", "with", "step", "ring", "pop", "start", "within", "on", "exported"});
  }

  bool after_word(std::string_view word) const {
    return std::ranges::any_of(words_,
                               [word](const Token& token) { return token.is_word(word); }) &&
           (words_.back().is_word(word) || words_.back().is(","));
  }
  bool after_arrow() const {
    return std::ranges::any_of(words_, [](const Token& token) { return token.is("->"); });
  }

  void arguments_of(std::string_view program) {
    for (const IndexedSymbol& symbol : checked_.analysis.names.symbols()) {
      if (symbol.kind == SymbolKind::Argument && symbol.owner == program) {
        add(symbol.name, ItemKind::Property, "parameter");
      }
    }
  }

  void libraries() {
    for (const std::string_view name : {"blas.wsa", "fabric.wsa", "fft.wsa", "math.wsa"}) {
      if (assembler::library_text(name)) add(name, ItemKind::Constant, "comes with wsevm");
    }
  }

  void of_header() {
    if (words_.back().is_word("on") || words_.back().is_word("teardown")) {
      return colours();
    }
    if (words_.back().is_word("control")) return symbols({SymbolKind::Entry});
    if (words_.back().is_word("link") || words_.back().is("(") || words_.back().is(",")) {
      return symbols({SymbolKind::Register});
    }
    if (words_.size() > 1) names({"on", "control", "teardown", "exported", "high", "link"});
  }

  // The letter of formats.def of the operand that is being typed.
  char letter() const {
    std::size_t operand = 0;
    int depth = 0;
    for (const Token& token : words_) {
      if (token.is("(") || token.is("[")) ++depth;
      if (token.is(")") || token.is("]")) --depth;
      if (depth == 0 && token.is(",")) ++operand;
    }
    for (const isa::InstructionInfo& row : isa::kInstructions) {
      const std::string_view letters = isa::info(row.format).operands;
      if (row.mnemonic == words_.front().text && operand < letters.size()) return letters[operand];
    }
    return 'S';
  }

  // The call whose bracket is open; empty if none is.
  std::string_view open_call() const {
    std::vector<std::string_view> open;
    for (std::size_t k = 0; k < words_.size(); ++k) {
      if (words_[k].is("(")) open.push_back(k > 0 ? words_[k - 1].text : std::string_view());
      if (words_[k].is(")") && !open.empty()) open.pop_back();
    }
    return open.empty() ? std::string_view() : open.back();
  }

  void of_instruction() {
    const Token& last = words_.back();
    if (last.is_word("async")) return symbols({SymbolKind::Microthread});
    if (last.is_word("activate") || last.is_word("unblock")) {
      return symbols({SymbolKind::Task, SymbolKind::Colour});
    }
    if (const std::string_view call = open_call(); !call.empty()) return of_call(call);
    if (words_.front().is_word("call")) {
      symbols({SymbolKind::Function, SymbolKind::Label, SymbolKind::Register});
    }
    switch (letter()) {
      case 'L': return symbols({SymbolKind::Label, SymbolKind::Function});
      case 'U': return symbols({SymbolKind::Microthread});
      case 'R': return symbols({SymbolKind::Routing});
      case 'W': return symbols({SymbolKind::Filter});
      case 'M': return symbols({SymbolKind::Mark});
      case 'C': return colours();
      case 'T': return symbols({SymbolKind::Task, SymbolKind::Colour, SymbolKind::Argument});
      case 'E':
      case 'F': return symbols({SymbolKind::DescriptorRegister});
      default: break;
    }
    symbols(kOperands);
    words(WordKind::Function, ItemKind::Function, "");
    words(WordKind::Constant, ItemKind::Constant, "");
    add("async", ItemKind::Keyword, "on a microthread");
  }

  void of_call(std::string_view call) {
    const Token& last = words_.back();
    const bool is_fabric = call == "fabin" || call == "fabout";
    if (last.is("(") && is_fabric) return colours();
    if (last.is("=") && words_.size() > 1 && words_[words_.size() - 2].is_word("queue")) {
      return symbols({SymbolKind::Queue});
    }
    if (call == "activate" || call == "unblock") return symbols({SymbolKind::Task});
    symbols(kOperands);
    if (last.is(",")) words(WordKind::Option, ItemKind::Property, "option");
    words(WordKind::Constant, ItemKind::Constant, "");
  }

  Json pragmas() {
    if (pragma_.empty()) return result();
    add("allow", ItemKind::Keyword, "silence warnings of this line");
    for (const std::string& code : assembler::warning_codes()) {
      add(code, ItemKind::EnumMember, "warning");
    }
    return result();
  }

  Json result() {
    return {{"isIncomplete", items_.size() >= kMostItems}, {"items", std::move(items_)}};
  }

  const Checked& checked_;
  const LineTable& table_;
  std::uint32_t offset_;
  std::uint32_t begin_ = 0;  // of the line
  std::vector<Token> words_;
  std::string_view pragma_;
  bool is_comment_ = false;
  std::string owner_;
  std::set<std::string> seen_;
  std::vector<Json> items_;
};

}  // namespace

Json completion_at(Workspace& workspace, const Document& document, std::uint32_t offset) {
  return Completer(workspace.names_of(document), offset).items();
}

}  // namespace wse::lsp
