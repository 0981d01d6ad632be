// The scanner: kinds, places and the edges between tokens.
#include "asm/text/scanner.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace wse::assembler {
namespace {

std::vector<Token> scan(std::string_view text) {
  Scanner scanner(text, {.file = 0, .line = 1});
  std::vector<Token> tokens;
  for (Token token = scanner.next(); token.kind != TokenKind::End; token = scanner.next()) {
    tokens.push_back(token);
  }
  return tokens;
}

// "Kind:text" of each, with one letter per kind.
std::string shape(std::string_view text) {
  constexpr std::string_view kLetters = "EnNDIFSP!bob";
  std::string out;
  for (const Token& token : scan(text)) {
    out += kLetters[static_cast<std::size_t>(token.kind)];
    if (token.kind != TokenKind::Newline) out += ":" + std::string(token.text);
    out += ' ';
  }
  return out;
}

TEST(Scanner, TellsTheKinds) {
  EXPECT_EQ(shape("add32 .f32 42 0x2A 0b101 1.5 1e-3 2.5e+7 \"a\\\"b\""),
            "N:add32 D:.f32 I:42 I:0x2A I:0b101 F:1.5 F:1e-3 F:2.5e+7 S:\"a\\\"b\" ");
}

TEST(Scanner, TakesTheLongestPunctuation) {
  EXPECT_EQ(shape("a->b..c <<>> <= >= == != && || = ! < >"),
            "N:a P:-> N:b P:.. N:c P:<< P:>> P:<= P:>= P:== P:!= P:&& P:|| P:= P:! P:< P:> ");
}

TEST(Scanner, TellsRangesFromFloats) {
  EXPECT_EQ(shape("1..5"), "I:1 P:.. I:5 ");
  EXPECT_EQ(shape("1.5..P"), "F:1.5 P:.. N:P ");
  EXPECT_EQ(shape("1..P-1"), "I:1 P:.. N:P P:- I:1 ");
  EXPECT_EQ(shape("0..width"), "I:0 P:.. N:width ");
}

TEST(Scanner, RefusesWordsThatBeginWithDigits) {
  EXPECT_EQ(shape("12ab 0x 0b2 1.5x 1e"), "b:12ab b:0x b:0b2 b:1.5x b:1e ");
}

TEST(Scanner, EndsStringsAtTheLine) {
  EXPECT_EQ(shape("\"abc\nx"), "o:\"abc n N:x ");
  EXPECT_EQ(shape("\"abc\\"), "o:\"abc\\ ");
}

TEST(Scanner, SkipsCommentsAndCarriageReturns) {
  EXPECT_EQ(shape("a ; \xc3\xa4 \"\r\nb\r\n"), "N:a n N:b n ");
}

TEST(Scanner, TellsPragmasFromComments) {
  EXPECT_EQ(shape("a ;! allow E229\nb ; c ;! d"), "N:a !:;! allow E229 n N:b ");
  EXPECT_EQ(shape("\";!\""), "S:\";!\" ");
}

TEST(Scanner, CollectsBadBytes) { EXPECT_EQ(shape("a\xc3\xa4\x01@b"), "N:a b:\xc3\xa4\x01@ N:b "); }

TEST(Scanner, KnowsPlaces) {
  const std::vector<Token> tokens = scan("ab  cd\n  \"x\"");
  ASSERT_EQ(tokens.size(), 4u);
  EXPECT_EQ(tokens[1].where, (isa::SourceRange{0, 1, 5, 2}));
  EXPECT_EQ(tokens[3].where, (isa::SourceRange{0, 2, 3, 3}));
}

TEST(Scanner, StaysAtTheEnd) {
  Scanner scanner("", {.line = 1});
  EXPECT_EQ(scanner.next().kind, TokenKind::End);
  EXPECT_EQ(scanner.next().kind, TokenKind::End);
}

}  // namespace
}  // namespace wse::assembler
