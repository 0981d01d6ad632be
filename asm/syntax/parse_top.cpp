// The directives that describe the whole: grid, names, programs, placements, routes, expectations.
#include <algorithm>
#include <charconv>

#include "asm/syntax/parser.h"

namespace wse::assembler {

void Parser::grid() {
  GridSyntax made{.where = begin_};
  made.width = exprs_.expression();
  tokens_.expect(",");
  made.height = exprs_.expression();
  unit_.grids.push_back(made);
}

void Parser::hypercube() {
  GridSyntax made{.where = begin_};
  made.dimensions = exprs_.expression();
  unit_.grids.push_back(made);
}

void Parser::constant() {
  const Binding made = binding("the name of the constant");
  if (!tokens_.failed()) unit_.constants.push_back(made);
}

void Parser::parameter() {
  TypedBinding made;
  made.name = tokens_.expect_name("the name of the parameter");
  tokens_.expect(":");
  made.type = type("a .param", false);
  if (tokens_.accept("=")) made.value = exprs_.expression();
  if (!tokens_.failed()) unit_.parameters.push_back(made);
}

void Parser::colour() { bindings(unit_.colours, "the name of the colour"); }

void Parser::entry() { bindings(unit_.entries, "the name of the entry"); }

void Parser::program() {
  ProgramSyntax made;
  made.name = tokens_.expect_name("the name of the program");
  made.first_expr = static_cast<ExprId>(unit_.exprs.size());
  if (tokens_.accept("(")) program_parameters(made);
  tokens_.expect_end();
  made.broken = tokens_.failed();
  unit_.programs.push_back(std::move(made));  // even if broken: what follows belongs to it
  program_ = &unit_.programs.back();
}

// `.library NAME`, then functions, and the data and registers that they name.
void Parser::library() {
  ProgramSyntax made{.is_library = true};
  made.name = tokens_.expect_name("the name of the library");
  made.first_expr = static_cast<ExprId>(unit_.exprs.size());
  unit_.libraries.push_back(std::move(made));
  program_ = &unit_.libraries.back();
}

// Reports what only a program has.
bool Parser::refuse_in_library(std::string_view what, const isa::SourceRange& where) {
  if (program_ == nullptr || !program_->is_library || macro_ != nullptr) return false;
  reporter_.report(Problem::NotInLibrary, where, what, program_->name.text);
  tokens_.fail();
  return true;
}

void Parser::program_parameters(ProgramSyntax& program) {
  if (tokens_.accept(")")) return;
  do {
    ParameterSyntax made;
    made.name = tokens_.expect_name("the name of a parameter");
    tokens_.expect(":");
    made.is_constant = tokens_.accept_word("const");
    if (!made.is_constant) made.type = type("a parameter", true);
    made.is_optional = made.type == isa::Type::Colour && tokens_.accept("?");
    if (tokens_.accept("=")) made.value = exprs_.expression();
    if (!tokens_.failed()) program.parameters.push_back(made);
  } while (tokens_.accept(","));
  tokens_.expect(")");
}

void Parser::place() {
  PlaceSyntax made{.where = begin_, .line = line_here()};
  made.program = tokens_.expect_name("the name of a program");
  made.rect = rect();
  if (tokens_.accept_word("with")) {
    do made.arguments.push_back(binding("the name of a parameter"));
    while (tokens_.accept(","));
  }
  if (!tokens_.failed()) unit_.placements.push_back(std::move(made));
}

void Parser::expectation() {
  ExpectSyntax made{.where = begin_, .line = line_here()};
  made.cycles = tokens_.peek().is_word("cycles") && tokens_.peek_second().is("==");
  if (made.cycles) {
    tokens_.take();
  } else {
    if (tokens_.peek().kind != TokenKind::Name)
      tokens_.fail_expected("the name of data, or cycles");
    made.subject = exprs_.postfix();
    if (tokens_.peek().is("==")) tokens_.fail_expected("'at', which only `cycles` does without");
    made.rect = rect();
  }
  tokens_.expect("==");
  made.value = exprs_.expression();
  if (tokens_.accept_word("within")) made.within = exprs_.expression();
  if (tokens_.accept_word("on")) made.profile = tokens_.expect_name("a machine profile");
  if (!tokens_.failed()) unit_.expectations.push_back(made);
}

// What follows comes from line N.
void Parser::line() { given_line(false); }

// The lines that follow are lines N, N + 1 and so on.
void Parser::lines() { given_line(true); }

// N "file": N of .line may be 0 (no line); without a file the former one stays.
void Parser::given_line(bool counts) {
  if (tokens_.peek().kind != TokenKind::Integer) tokens_.fail_expected("a line number");
  const Token number = tokens_.take();
  if (tokens_.failed()) return;
  GivenLine made{.stands_at = begin_.line, .counts = counts};
  const char* const end = number.text.data() + number.text.size();
  const auto [rest, error] = std::from_chars(number.text.data(), end, made.given.line);
  const std::uint32_t least = counts ? 1 : 0;
  if (rest != end || error != std::errc{} || made.given.line < least) {
    reporter_.report(Problem::NotInRange, number.where, "a line number", least, ~0u, number.text);
    return tokens_.fail();
  }
  if (tokens_.peek().kind == TokenKind::String) {
    line_file_ = unit_.file_number(string_value(tokens_.take()));
  }
  made.given.file = line_file_;
  given_ = made;
  unit_.lines.add(begin_.file, made);
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
      sources_.open(string_value(text), text.where, reporter_);
  unit_.incomplete |= !file.has_value();
  if (!file) return;
  if (sources_.is_repeated(*file)) return sources_.close();
  const std::uint32_t origin =
      reporter_.add_origin(Remark::IncludedHere, text.where, sources_[*file].name);
  Parser inner(sources_, {.file = *file, .line = 1, .origin = origin}, unit_, reporter_);
  inner.program_ = program_;
  inner.in_loop_ = in_loop();
  const bool has_blocks = !open_blocks_.empty();
  const std::ptrdiff_t number = has_blocks ? program_ - unit_.programs.data() : 0;
  inner.parse_source();
  // The file may have ended the program, and further ones have moved it.
  if (has_blocks) program_ = unit_.programs.data() + number;
  if (has_blocks && program_ != inner.program_) {
    close_all_blocks();
    stray_ = true;  // their ends follow
  }
  program_ = inner.program_;
  sources_.close();
}

// `.macro NAME(parameter, ...)`, then lines up to `.end`.
void Parser::macro() {
  MacroSyntax made;
  made.name = tokens_.expect_name("the name of the macro");
  if (tokens_.accept("(") && !tokens_.accept(")")) {
    do made.parameters.push_back(tokens_.expect_name("the name of a parameter"));
    while (tokens_.accept(","));
    tokens_.expect(")");
  }
  tokens_.expect_end();
  made.broken = tokens_.failed();
  unit_.macros.push_back(std::move(made));  // even if broken: what follows belongs to it
  macro_ = &unit_.macros.back();
  macro_end_lost_ = false;
}

// Of a block, else of a macro.
void Parser::end() {
  if (!open_blocks_.empty()) return close_block();
  if (macro_ == nullptr) return refuse_end(Problem::EndOfNothing);
  macro_ = nullptr;
}

// Without `.end`.
void Parser::close_macro() {
  if (macro_ == nullptr) return;
  macro_end_lost_ |= !open_blocks_.empty();
  close_all_blocks();
  const Named& name = macro_->name;
  if (!macro_->broken && !macro_end_lost_)
    reporter_.report(Problem::OpenMacro, name.where, name.text);
  macro_ = nullptr;
}

}  // namespace wse::assembler
