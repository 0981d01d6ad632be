// Diagnostics: their text to the character, carets under the right columns, and the word that a
// typo meant.
#include "isa/support/diagnostics.h"

#include <gtest/gtest.h>

namespace wse::isa {
namespace {

std::string shown(const Diagnostic& diagnostic, std::string text) {
  return to_text(diagnostic, {{"a.wsa", std::move(text)}});
}

Diagnostic at(std::uint32_t line, std::uint32_t column, std::uint32_t length) {
  return {.code = "E012", .where = {0, line, column, length}, .message = "wrong", .help = ""};
}

TEST(IsaDiagnostics, PrintsAsDrawnInTheHeader) {
  Diagnostic diagnostic = at(12, 5, 4);
  diagnostic.message = "unknown mnemonic 'fmca'";
  diagnostic.help = "did you mean 'fmac'?";
  EXPECT_EQ(shown(diagnostic, std::string(11, '\n') + "    fmca v, v, w\nnext\n"),
            "a.wsa:12:5: error[E012]: unknown mnemonic 'fmca'\n"
            "   12 |     fmca v, v, w\n"
            "      |     ^~~~\n"
            "      = help: did you mean 'fmac'?\n");
}

TEST(IsaDiagnostics, NamesTheSeverity) {
  Diagnostic diagnostic = at(1, 1, 1);
  diagnostic.severity = Severity::Warning;
  EXPECT_EQ(shown(diagnostic, "x"), "a.wsa:1:1: warning[E012]: wrong\n    1 | x\n      | ^\n");
  diagnostic.severity = Severity::Note;
  diagnostic.code = "";
  EXPECT_EQ(shown(diagnostic, "x"), "a.wsa:1:1: note: wrong\n    1 | x\n      | ^\n");
}

TEST(IsaDiagnostics, WithoutAPlaceThereIsNoExcerpt) {
  EXPECT_EQ(shown(at(0, 1, 1), "x"), "error[E012]: wrong\n");
  EXPECT_EQ(to_text(at(1, 1, 1), {}), "error[E012]: wrong\n");
}

TEST(IsaDiagnostics, PointsAtTheEndOfALineAndOfAFile) {
  EXPECT_EQ(shown(at(1, 4, 1), "abc\ndef"),
            "a.wsa:1:4: error[E012]: wrong\n    1 | abc\n      |    ^\n");
  EXPECT_EQ(shown(at(3, 1, 1), "a\nb\n"), "a.wsa:3:1: error[E012]: wrong\n    3 | \n      | ^\n");
  EXPECT_EQ(shown(at(9, 1, 1), "a\nb\n"), "a.wsa:9:1: error[E012]: wrong\n    9 | \n      | ^\n");
}

TEST(IsaDiagnostics, TheTildesEndWithTheLine) {
  EXPECT_EQ(shown(at(1, 2, 50), "abcd"),
            "a.wsa:1:2: error[E012]: wrong\n    1 | abcd\n      |  ^~~\n");
  EXPECT_EQ(shown(at(1, 2, 0), "abcd"),
            "a.wsa:1:2: error[E012]: wrong\n    1 | abcd\n      |  ^\n");
  EXPECT_EQ(shown(at(1, 99, 3), "abcd"),
            "a.wsa:1:99: error[E012]: wrong\n    1 | abcd\n      |     ^\n");
}

TEST(IsaDiagnostics, TabsTakeOneColumn) {
  EXPECT_EQ(shown(at(1, 3, 3), "\t\tbad"),
            "a.wsa:1:3: error[E012]: wrong\n    1 |   bad\n      |   ^~~\n");
}

TEST(IsaDiagnostics, ControlCharactersBecomeVisible) {
  Diagnostic diagnostic = at(1, 3, 1);
  diagnostic.message = "odd \x1b[31m";
  diagnostic.help = "drop \x7f";
  diagnostic.from = "b\nc";
  EXPECT_EQ(to_text(diagnostic, {{"a\xc2\x9b.wsa", "a\x01z"}}),
            "a\\u009b.wsa:1:3: error[E012]: odd \\x1b[31m\n    1 | a\\x01z\n"
            "      |      ^\n      = help: drop \\x7f\n      = note: from b\\x0ac\n");
}

TEST(IsaDiagnostics, TheTildesCoverWhatIsShown) {
  EXPECT_EQ(shown(at(1, 2, 3), "a\x1b\xff\x02z"),
            "a.wsa:1:2: error[E012]: wrong\n    1 | a\\x1b\\xff\\x02z\n      |  ^~~~~~~~~~~~\n");
  EXPECT_EQ(shown(at(1, 2, 1), "a\xc3\xa4z"),  // a byte of a character stands for all of it
            "a.wsa:1:2: error[E012]: wrong\n    1 | a\xc3\xa4z\n      |  ^\n");
}

TEST(IsaDiagnostics, TheEndOfALineFromWindowsIsNotShown) {
  EXPECT_EQ(shown(at(1, 2, 9), "abc\r\ndef\r\n"),
            "a.wsa:1:2: error[E012]: wrong\n    1 | abc\n      |  ^~\n");
}

TEST(IsaDiagnostics, ColumnsOfOtherAlphabetsLineUp) {
  // Columns count bytes; the caret is under the character, which may have several.
  EXPECT_EQ(shown(at(1, 8, 3), "; \xc3\xa4\xc3\xb6 bad"),
            "a.wsa:1:8: error[E012]: wrong\n    1 | ; \xc3\xa4\xc3\xb6 bad\n      |      ^~~\n");
}

// ---- long lines

std::string excerpt_of(const std::string& text, std::size_t row) {
  std::size_t begin = 0;
  for (std::size_t k = 0; k < row; ++k) begin = text.find('\n', begin) + 1;
  return text.substr(begin, text.find('\n', begin) - begin);
}

TEST(IsaDiagnostics, ALineOf100ColumnsIsShownWhole) {
  const std::string line = std::string(99, 'a') + "b";
  const std::string text = shown(at(1, 100, 1), line);
  EXPECT_EQ(excerpt_of(text, 1), "    1 | " + line);
  EXPECT_EQ(excerpt_of(text, 2), "      | " + std::string(99, ' ') + "^");
}

TEST(IsaDiagnostics, ALongLineIsCutAroundThePlace) {
  for (const std::size_t place : {0u, 10u, 50u, 51u, 150u, 280u, 299u}) {
    std::string line(300, 'a');
    line[place] = 'b';
    const std::string text = shown(at(1, static_cast<std::uint32_t>(place + 1), 1), line);
    const std::string source = excerpt_of(text, 1);
    const std::string caret = excerpt_of(text, 2);
    EXPECT_LE(source.size(), 8u + 100 + 6);
    EXPECT_EQ(source.find('b'), caret.find('^')) << place << "\n" << text;
    EXPECT_EQ(source.substr(8, 3) == "...", place > 50) << text;
    EXPECT_EQ(source.ends_with("..."), place < 250) << text;
  }
}

TEST(IsaDiagnostics, AHugeLineIsNotPrinted) {
  const std::string text = shown(at(1, 500'000, 400'000), std::string(1'000'000, 'x'));
  EXPECT_LT(text.size(), 400u);
}

TEST(IsaDiagnostics, SeveralAreJoined) {
  const SourceFiles files = {{"a.wsa", "x"}, {"b.wsa", "y"}};
  Diagnostics two = {at(1, 1, 1), at(1, 1, 1)};
  two[1].where.file = 1;
  EXPECT_EQ(to_text(two, files), to_text(two[0], files) + to_text(two[1], files));
  EXPECT_TRUE(to_text(two[1], files).starts_with("b.wsa:1:1: "));
}

TEST(IsaDiagnostics, OnlyErrorsAreErrors) {
  Diagnostics diagnostics = {at(1, 1, 1)};
  diagnostics[0].severity = Severity::Warning;
  EXPECT_FALSE(has_errors(diagnostics));
  diagnostics.push_back(at(1, 1, 1));
  EXPECT_TRUE(has_errors(diagnostics));
  EXPECT_FALSE(has_errors({}));
}

// ---- suggestions

TEST(IsaDiagnostics, FindsTheWordThatATypoMeant) {
  const std::vector<std::string> words = {"fadds", "fmacs", "mov32", "x", "add32", "sub32"};
  EXPECT_EQ(nearest("fmcas", words), "fmacs");
  EXPECT_EQ(nearest("fads", words), "fadds");
  EXPECT_EQ(nearest("mov23", words), "mov32");
  EXPECT_EQ(nearest("mvo", words), "");
  EXPECT_EQ(nearest("ad32", words), "add32");
  EXPECT_EQ(nearest("zzzzz", words), "");
}

TEST(IsaDiagnostics, DoesNotSuggestWhatIsNoTypo) {
  EXPECT_EQ(nearest("y", {"x"}), "");                // every letter differs
  EXPECT_EQ(nearest("red", {"red"}), "");            // the word itself
  EXPECT_EQ(nearest("", {"x", "yy"}), "");           // nothing was written
  EXPECT_EQ(nearest("abc", {"abcde"}), "");          // two letters of three
  EXPECT_EQ(nearest("abcd", {"abcdef"}), "abcdef");  // two of four
  EXPECT_EQ(nearest("word", {}), "");
  const std::string endless(100'000, 'a');
  EXPECT_EQ(nearest(endless, {endless + "b"}), "");
  EXPECT_EQ(nearest("aaa", {endless}), "");
}

TEST(IsaDiagnostics, TheFirstOfEquallyNearWordsWins) {
  EXPECT_EQ(nearest("rad", {"red", "rod"}), "red");
  EXPECT_EQ(nearest("rad", {"rod", "red"}), "rod");
}

}  // namespace
}  // namespace wse::isa
