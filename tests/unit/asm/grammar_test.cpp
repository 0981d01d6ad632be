// asm/GRAMMAR.md names every directive of the parser and no other; so does the page of the
// language.
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "tests/support/files.h"
#include "tests/unit/asm/support.h"

namespace wse::assembler {
namespace {

std::set<std::string> matches(const std::string& file, const std::string& pattern) {
  const std::string text =
      test_support::read_text(std::filesystem::path(WSE_SOURCE_DIR) / "asm" / file);
  EXPECT_FALSE(text.empty()) << file;
  const std::regex regex(pattern);
  std::set<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), regex); at != std::sregex_iterator();
       ++at) {
    found.insert((*at)[1]);
  }
  return found;
}

TEST(Grammar, NamesTheDirectivesOfTheParser) {
  const std::set<std::string> known =
      matches("syntax/directives.def", "\n[A-Z]+_DIRECTIVE\\(\"(\\.[a-z]+)\"");
  EXPECT_GE(known.size(), 15u);
  EXPECT_EQ(matches("GRAMMAR.md", "\"(\\.[a-z]+)\""), known);
}

TEST(Grammar, ThePageOfTheLanguageShowsAllDirectives) {
  const std::set<std::string> shown = matches("LANGUAGE.md", "(?:^|\n) *(\\.[a-z]+) ");
  for (const std::string& word : matches("GRAMMAR.md", "\"(\\.[a-z]+)\"")) {
    EXPECT_TRUE(shown.contains(word) || word == ".end") << word;
  }
}

}  // namespace
}  // namespace wse::assembler
