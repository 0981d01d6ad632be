// The lexical rules. Longest match wins; of two equally long ones the upper.
//
// A rule that can fail late must be followed by one that takes what it has read, so that scanning
// stays linear for every input.
#include "asm/text/scanner.h"

namespace wse::assembler {
namespace {
// NOLINTBEGIN: what is generated below is not read by clang-tidy

%%{
  machine scanner;
  alphtype unsigned char;

  word     = [A-Za-z_] [A-Za-z0-9_]*;
  exponent = [eE] [+\-]? digit+;
  integer  = digit+ | '0x' xdigit+ | '0b' [01]+;
  float    = digit+ '.' digit+ exponent? | digit+ exponent;
  quoted   = '"' ([^"\\\n] | '\\' [^\n])*;

  main := |*
    [ \t\r\f\v]+;
    ';!' [^\n]*  => { kind = TokenKind::Pragma; fbreak; };
    ';' [^\n]*;
    '\n'          => { kind = TokenKind::Newline; fbreak; };
    word          => { kind = TokenKind::Name; fbreak; };
    '.' word      => { kind = TokenKind::Dotted; fbreak; };
    integer       => { kind = TokenKind::Integer; fbreak; };
    float         => { kind = TokenKind::Float; fbreak; };
    (digit+ | float) [A-Za-z0-9_]+ => { kind = TokenKind::BadNumber; fbreak; };
    quoted '"'    => { kind = TokenKind::String; fbreak; };
    quoted '\\'?  => { kind = TokenKind::OpenString; fbreak; };
    '->' | '..' | '==' | '!=' | '<=' | '>=' | '<<' | '>>' | '&&' | '||'
                  => { kind = TokenKind::Punctuation; fbreak; };
    [()\[\]{},:=<>+\-*/%&|^~!?.]
                  => { kind = TokenKind::Punctuation; fbreak; };
    (0..8 | 14..31 | [@#$'`\\] | 127..255)+
                  => { kind = TokenKind::BadBytes; fbreak; };
  *|;

  write data noerror nofinal noentry;
}%%

}  // namespace

Scanner::Scanner(std::string_view text, const isa::SourceRange& start)
    : position_(reinterpret_cast<const unsigned char*>(text.data())),
      end_(position_ + text.size()),
      line_begin_(position_),
      place_(start),
      first_column_(start.column) {}

Token Scanner::token(TokenKind kind, const unsigned char* begin, const unsigned char* end) {
  Token result{kind, {reinterpret_cast<const char*>(begin), static_cast<std::size_t>(end - begin)}, place_};
  result.where.column = first_column_ + static_cast<std::uint32_t>(begin - line_begin_);
  result.where.length = static_cast<std::uint32_t>(end - begin);
  if (kind == TokenKind::Newline) {
    ++place_.line;
    line_begin_ = end;
    first_column_ = 1;
  }
  return result;
}

Token Scanner::next() {
  TokenKind kind = TokenKind::End;
  int cs = 0;
  int act = 0;
  const unsigned char* p = position_;
  const unsigned char* const pe = end_;
  const unsigned char* const eof = end_;
  const unsigned char* ts = nullptr;
  const unsigned char* te = nullptr;
  %% write init;
  %% write exec;
  static_cast<void>(act);
  position_ = p;
  if (kind == TokenKind::End) return token(kind, end_, end_);
  return token(kind, ts, te);
}

// NOLINTEND
}  // namespace wse::assembler
