// The tokens of the scanner, for scripts that compare grammars with them: print_tokens FILE...
// prints a line for each file, then one for each token: LINE COLUMN LENGTH KIND, comments too.
#include <cstdio>
#include <string>
#include <string_view>

#include "asm/text/scanner.h"
#include "tests/support/files.h"

namespace {

using wse::assembler::Token;
using wse::assembler::TokenKind;

const char* text_of(TokenKind kind) {
  switch (kind) {
    case TokenKind::Name: return "name";
    case TokenKind::Dotted: return "directive";
    case TokenKind::Integer: return "integer";
    case TokenKind::Float: return "float";
    case TokenKind::String: return "string";
    case TokenKind::Punctuation: return "punctuation";
    case TokenKind::Pragma: return "pragma";
    default: return "error";
  }
}

void print(std::uint32_t line, std::size_t column, std::size_t length, const char* kind) {
  std::printf("%u %zu %zu %s\n", line, column, length, kind);
}

// The scanner leaves comments out: they are between the last token of a line and its end.
void print_tokens(std::string_view text) {
  wse::assembler::Scanner scanner(text, {.line = 1});
  std::size_t behind = 0;
  std::size_t line_begin = 0;
  std::uint32_t line = 1;
  for (;;) {
    const Token token = scanner.next();
    const bool is_end = token.kind == TokenKind::End;
    const std::size_t begin =
        is_end ? text.size() : static_cast<std::size_t>(token.text.data() - text.data());
    const std::size_t comment = text.substr(0, begin).find(';', behind);
    if (comment != std::string_view::npos) {
      print(line, comment - line_begin + 1, begin - comment, "comment");
    }
    if (is_end) return;
    behind = begin + token.text.size();
    if (token.kind == TokenKind::Newline) {
      ++line;
      line_begin = behind;
    } else {
      print(line, begin - line_begin + 1, token.text.size(), text_of(token.kind));
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (int k = 1; k < argc; ++k) {
    std::printf("%s\n", argv[k]);
    print_tokens(wse::test_support::read_text(argv[k]));
  }
}
