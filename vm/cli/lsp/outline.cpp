// Symbols in the order of the text, and what can be folded: by the first words of lines.
#include <algorithm>

#include "asm/text/scanner.h"
#include "asm/words.h"
#include "vm/cli/lsp/features.h"

namespace wse::lsp {
namespace {

using assembler::IndexedSymbol;
using assembler::SymbolKind;
using assembler::Token;
using assembler::TokenKind;

// The kinds of the protocol.
int kind_number(SymbolKind kind) {
  switch (kind) {
    case SymbolKind::Program:
    case SymbolKind::Library: return 5;  // class
    case SymbolKind::Macro:
    case SymbolKind::Function: return 12;
    case SymbolKind::Task:
    case SymbolKind::Mark: return 24;  // event
    case SymbolKind::Constant:
    case SymbolKind::Colour:
    case SymbolKind::Entry: return 14;
    case SymbolKind::Label: return 20;  // key
    case SymbolKind::Data: return 18;   // array
    default: return 13;                 // variable
  }
}

// The first two tokens of a line.
struct LineStart {
  std::uint32_t line = 0;  // of the assembler
  Token first;
  Token second;
};

std::vector<LineStart> starts_of_lines(std::string_view text) {
  std::vector<LineStart> starts;
  assembler::Scanner scanner(text, {.line = 1});
  std::size_t in_line = 0;
  for (Token token = scanner.next(); token.kind != TokenKind::End; token = scanner.next()) {
    if (token.kind == TokenKind::Newline) {
      in_line = 0;
    } else if (in_line++ == 0) {
      starts.push_back({token.where.line, token, {}});
    } else if (in_line == 2) {
      starts.back().second = token;
    }
  }
  return starts;
}

bool ends_program(const LineStart& start) {
  if (start.first.kind != TokenKind::Dotted) return false;
  const assembler::DirectiveWord* word = assembler::directive_word(start.first.text);
  return word != nullptr && !word->in_program && word->word != ".end";
}

bool begins_header(const LineStart& start) {
  return start.first.kind == TokenKind::Name && start.second.kind == TokenKind::Name &&
         (start.first.text == "task" || start.first.text == "function");
}

// A stretch of lines of the assembler.
struct Fold {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

class Folder {
 public:
  std::vector<Fold> folds(const std::vector<LineStart>& starts) {
    for (const LineStart& start : starts) {
      take(start);
      last_line_ = start.line;
    }
    close_to(0, last_line_);
    std::ranges::sort(folds_, {}, &Fold::first);
    return std::move(folds_);
  }

 private:
  struct Open {
    enum class Kind : std::uint8_t { Program, Header, Block } kind;
    std::uint32_t line;
  };

  void take(const LineStart& start) {
    const std::string_view word = start.first.text;
    if (ends_program(start)) {
      close_to(0, last_line_);
      const bool opens = word == ".program" || word == ".library";
      if (opens) open_.push_back({Open::Kind::Program, start.line});
      if (word == ".macro") open_.push_back({Open::Kind::Block, start.line});
    } else if (word == ".if" || word == ".for") {
      open_.push_back({Open::Kind::Block, start.line});
    } else if (word == ".else" || word == ".end") {
      const bool has_block = !open_.empty() && open_.back().kind == Open::Kind::Block;
      if (has_block) close_to(open_.size() - 1, word == ".end" ? start.line : last_line_);
      if (has_block && word == ".else") open_.push_back({Open::Kind::Block, start.line});
    } else if (begins_header(start)) {
      if (!open_.empty() && open_.back().kind == Open::Kind::Header) {
        close_to(open_.size() - 1, last_line_);
      }
      open_.push_back({Open::Kind::Header, start.line});
    }
  }

  void close_to(std::size_t depth, std::uint32_t line) {
    while (open_.size() > depth) {
      if (line > open_.back().line && folds_.size() < kMostItems) {
        folds_.push_back({open_.back().line, line});
      }
      open_.pop_back();
    }
  }

  std::vector<Open> open_;
  std::vector<Fold> folds_;
  std::uint32_t last_line_ = 0;
};

// The line of the editor in which a line of the assembler begins.
std::uint32_t editor_line(const LineTable& table, std::uint32_t line) {
  return table.position(table.begin({.line = line})).line;
}

Json symbol_json(const LineTable& table, const IndexedSymbol& symbol) {
  const std::uint32_t begin = symbol.where.offset;
  const std::uint32_t end = begin + symbol.where.length;
  Json json;
  json["name"] = symbol.name;
  json["detail"] = assembler::text(symbol.kind);
  json["kind"] = kind_number(symbol.kind);
  json["range"] = range_json(table, begin, end);
  json["selectionRange"] = json["range"];
  return json;
}

bool is_shown(const IndexedSymbol& symbol) {
  return symbol.where.length > 0 && symbol.where.file == 0 && symbol.kind != SymbolKind::Free &&
         symbol.kind != SymbolKind::Argument && symbol.kind != SymbolKind::Variable;
}

bool has_parts(const IndexedSymbol& symbol) {
  return symbol.kind == SymbolKind::Program || symbol.kind == SymbolKind::Macro;
}

}  // namespace

Json document_symbols(const Checked& checked) {
  const LineTable& table = checked.tables[0];
  std::vector<const IndexedSymbol*> shown;
  for (const IndexedSymbol& symbol : checked.analysis.names.symbols()) {
    if (is_shown(symbol) && shown.size() < kMostItems) shown.push_back(&symbol);
  }
  std::ranges::stable_sort(shown, {}, [](const IndexedSymbol* s) { return s->where; });
  Json list = Json::array();
  std::map<std::string_view, std::size_t> owners;  // of the programs and macros, their elements
  for (const IndexedSymbol* symbol : shown) {
    const auto owner = symbol->owner.empty() ? owners.end() : owners.find(symbol->owner);
    Json json = symbol_json(table, *symbol);
    if (owner != owners.end() && !has_parts(*symbol)) {
      Json& around = list[owner->second];
      around["children"].push_back(json);
      around["range"]["end"] = json["range"]["end"];  // it reaches over all of its parts
      continue;
    }
    if (has_parts(*symbol)) owners.try_emplace(symbol->name, list.size());
    list.push_back(json);
  }
  return list;
}

Json folding_ranges(const Checked& checked) {
  const LineTable& table = checked.tables[0];
  Json list = Json::array();
  for (const Fold& fold : Folder().folds(starts_of_lines(table.text()))) {
    list.push_back({{"startLine", editor_line(table, fold.first)},
                    {"endLine", editor_line(table, fold.last)}});
  }
  return list;
}

}  // namespace wse::lsp
