// The tokens of a source as statements see them: newlines inside brackets and after commas do not
// count, bad characters are reported and skipped.
//
// After fail() the stream shows only an end, so that a parser unwinds without a test at every step;
// next_statement() continues after the broken line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "asm/text/report.h"
#include "asm/text/scanner.h"
#include "asm/text/token.h"

namespace wse::assembler {

class TokenStream {
 public:
  // `end_name` is what messages call the end of the text.
  TokenStream(std::string_view text, const isa::SourceRange& start, Reporter& reporter,
              std::string_view end_name = "the end of the file")
      : text_(text), end_name_(end_name), scanner_(text, start), reporter_(reporter) {}

  // Returns the next token, which is read once, however often it is looked at.
  const Token& peek() { return front_ != nullptr ? *front_ : find_front(); }
  const Token& peek_second();  // the raw token after it, newlines included
  const Token& take();         // valid until the next one is taken

  bool accept(std::string_view punctuation) {
    if (!peek().is(punctuation)) return false;
    take();
    return true;
  }
  // Whether the word is here. If another one is, a message about it will list this one: so
  // every word that is optional somewhere is asked for with this or accept_word().
  bool at_word(std::string_view word);
  bool accept_word(std::string_view word);
  Token expect(std::string_view punctuation);
  void expect_word(std::string_view word);
  Named expect_name(std::string_view what);
  void expect_end(std::string_view what = "the end of the line");

  // Reports that `what`, or one of the words that were asked for here, was expected where the
  // stream is, and fails. `what` may be empty.
  void fail_expected(std::string_view what);
  void fail() {
    failed_ = true;
    front_ = nullptr;
  }
  bool failed() const { return failed_; }

  // Skips the rest of the statement (of the line after a failure) and empty lines. False at the
  // end.
  bool next_statement();

  // From the first word of the statement to the end of the line where the stream is.
  std::string_view statement_text() const;
  // Returns the place of its first token.
  const isa::SourceRange& statement_place() const { return begin_.where; }

  const isa::SourceRange& last_place() const { return last_.where; }

 private:
  struct Bracket {
    std::string_view text;
    isa::SourceRange where;
  };

  const Token& find_front();
  std::string expected_text(std::string_view what, const Token& found) const;
  void fill(std::size_t count);
  void pop();
  Token raw();
  void read_pragma(const Token& token);
  void refuse_bad_token();

  std::string_view text_;
  std::string_view end_name_;
  Scanner scanner_;
  Reporter& reporter_;
  Token buffer_[3];
  std::vector<std::string_view> asked_;  // words that are not at the front, which were asked for
  std::size_t buffered_ = 0;
  const Token* front_ = nullptr;  // what peek() shows; none: something changed since it was found
  Token begin_;                   // the first one of the statement
  Token last_;
  Token end_;
  std::vector<Bracket> open_;
  std::size_t depth_ = 0;      // brackets open now; beyond kKeptBrackets without their places
  isa::SourceRange comma_;     // that made the statement continue on the next line
  bool line_is_empty_ = true;  // of the raw tokens so far
  bool started_ = false;
  bool failed_ = false;
};

// Returns the name of the token in messages.
std::string describe(const Token& token, std::string_view end_name);

}  // namespace wse::assembler
