// Which directive or body line is here; what an error in it leaves.
#include "asm/syntax/parser.h"

#include <algorithm>

#include "asm/syntax/broken_names.h"
#include "asm/syntax/escapes.h"
#include "asm/text/suggest.h"

namespace wse::assembler {
namespace {

constexpr std::string_view kEndWord = ".end";  // of a block or macro, never of a program

}  // namespace

#define ROW(part, word, rule, ...) {word, [](Parser& parser) { parser.part.rule(); }, __VA_ARGS__},
const Parser::Directive Parser::kDirectives[] = {
#define TOP_DIRECTIVE(...) ROW(top_, __VA_ARGS__)
#define FABRIC_DIRECTIVE(...) ROW(fabric_, __VA_ARGS__)
#define DECLARATION_DIRECTIVE(...) ROW(declarations_, __VA_ARGS__)
#define BLOCK_DIRECTIVE(...) ROW(blocks_, __VA_ARGS__)
#define MACRO_DIRECTIVE(...) ROW(macros_, __VA_ARGS__)
#define LINE_DIRECTIVE(...) ROW(lines_, __VA_ARGS__)
#define PARSER_DIRECTIVE(word, rule, ...) \
  {word, [](Parser& parser) { parser.rule(); }, __VA_ARGS__},
#include "asm/syntax/directives.def"
};
#undef ROW

Parser::Parser(Sources& sources, const isa::SourceRange& start, Unit& unit, Reporter& reporter)
    : sources_(sources),
      tokens_(sources[start.file].text, start, reporter),
      unit_(unit),
      reporter_(reporter),
      exprs_(tokens_, unit, reporter),
      phrases_(tokens_, exprs_, reporter),
      lines_(tokens_, unit, reporter, unit.file_number(sources[start.file].name)),
      open_(tokens_, unit, reporter),
      blocks_(tokens_, exprs_, phrases_, open_, unit, reporter),
      macros_(tokens_, open_, blocks_, unit, reporter),
      top_(tokens_, exprs_, phrases_, lines_, open_, unit, reporter),
      fabric_(tokens_, exprs_, phrases_, lines_, open_, unit, reporter),
      declarations_(tokens_, exprs_, phrases_, lines_, open_, unit),
      body_(tokens_, exprs_, phrases_, lines_, open_, blocks_, unit, reporter) {}

void Parser::parse_source() {
  while (tokens_.next_statement()) {
    statement();
    phrases_.refuse_vendor_word();
    tokens_.expect_end();
  }
  macros_.close();
  blocks_.close_all();
  open_.take_expressions();
}

void Parser::parse_override() {
  tokens_.next_statement();
  Binding given = phrases_.binding("a name");
  tokens_.expect_end();
  if (!tokens_.failed()) unit_.overrides.push_back(given);
}

void Parser::statement() {
  const Token first = tokens_.peek();
  if (first.kind == TokenKind::Dotted) {
    directive();
  } else {
    body_.statement();
  }
  if (tokens_.failed()) miss(first);
}

// The statement that begins with this token is not there. Names that are missing because of it are
// not reported.
void Parser::miss(const Token& first) {
  if (open_.program() != nullptr) open_.program()->incomplete = true;
  if (open_.macro() != nullptr) unit_.broken_directives.insert(".macro");
  if (first.kind == TokenKind::Dotted) {
    unit_.broken_directives.insert(first.text);
  } else if (first.kind != TokenKind::Name) {
    unit_.broken_statement = true;
    macros_.lose_end();
  } else {
    return;  // of an instruction; a header has told its name
  }
  poison_names(tokens_, unit_);
}

// nullptr if there is none of that word.
const Parser::Directive* Parser::find_directive(std::string_view word) {
  const auto* row = std::ranges::find(kDirectives, word, &Directive::word);
  return row == std::end(kDirectives) ? nullptr : row;
}

void Parser::directive() {
  const Token token = tokens_.take();
  const Directive* const row = find_directive(token.text);
  if (open_.macro() != nullptr && (row == nullptr || !row->in_macro)) {
    if (row == nullptr || row->in_program) return macros_.refuse(token);
    macros_.close();
  }
  if (row == nullptr) {
    const std::optional<isa::Type> type = isa::type_named(token.text.substr(1));
    if (!type) return unknown_directive(token);
    if (blocks_.refuse_in_loop(token.text)) return;
    if (open_.check_open(token.text, token.where)) declarations_.data(*type);
    return;
  }
  if (!row->in_program && row->word != kEndWord) {
    end_program();
    open_.set_stray(false);
  } else if (!row->in_library && open_.refuse_in_library(row->word, token.where)) {
    if (row->in_macro) open_.set_stray(true);  // its end follows
    return;
  } else if (row->declares && blocks_.refuse_in_loop(row->word)) {
    return;
  }
  row->rule(*this);
}

void Parser::end_program() {
  if (open_.macro() == nullptr) blocks_.close_all();
  blocks_.set_in_loop(false);
  open_.end_program();
}

void Parser::unknown_directive(const Token& token) {
  Suggestion suggestion(token.text, reporter_);
  // Types come before directives, since the first of equally near words is meant: `.f64` was to be
  // a type.
  for (const isa::TypeInfo& type : isa::kTypes) {
    if (type.type != isa::Type::Colour) suggestion.offer(fmt::format(".{}", type.text));
  }
  for (const Directive& row : kDirectives) suggestion.offer(row.word);
  const std::string meant = suggestion.best();
  reporter_.report(Problem::UnknownDirective, token.where, token.text, meant);
  unit_.broken_statement = true;
  tokens_.fail();
  const Directive* const row = find_directive(meant);
  if (row != nullptr && !row->in_program) end_program();
  open_.set_stray(open_.program() == nullptr);
}

// Ends a block, else a macro.
void Parser::end() {
  if (blocks_.has_open()) return blocks_.close();
  if (open_.macro() == nullptr) return blocks_.refuse_end(Problem::EndOfNothing);
  macros_.end();
}

// `.include "file"`: its statements are here, inside the open program if there is one.
void Parser::include() {
  if (tokens_.peek().kind != TokenKind::String)
    tokens_.fail_expected("the name of a file in quotes");
  const Token text = tokens_.take();
  tokens_.expect_end();
  unit_.incomplete |= tokens_.failed();
  if (tokens_.failed()) return;
  const std::optional<std::uint32_t> file =
      sources_.open(string_value(text, reporter_), text.where, reporter_);
  unit_.incomplete |= !file.has_value();
  if (!file) return;
  if (sources_.is_repeated(*file)) return sources_.close();
  const std::uint32_t origin =
      reporter_.add_origin(Remark::IncludedHere, text.where, sources_[*file].name);
  Parser inner(sources_, {.file = *file, .line = 1, .origin = origin}, unit_, reporter_);
  inner.open_.set_program(open_.program());
  inner.blocks_.set_in_loop(blocks_.in_loop());
  const bool has_blocks = blocks_.has_open();
  const std::ptrdiff_t number = has_blocks ? open_.program() - unit_.programs.data() : 0;
  inner.parse_source();
  // The file may have ended the program, and further ones have moved it.
  if (has_blocks) open_.set_program(unit_.programs.data() + number);
  if (has_blocks && open_.program() != inner.open_.program()) {
    blocks_.close_all();
    open_.set_stray(true);  // their ends follow
  }
  open_.set_program(inner.open_.program());
  sources_.close();
}

}  // namespace wse::assembler
