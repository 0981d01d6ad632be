// Statement-wise reading of tokens.
#include "asm/text/token_stream.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace wse::assembler {
namespace {

constexpr std::string_view kPragma = ";!";
constexpr std::size_t kKeptBrackets = 1000;
constexpr std::size_t kShownText = 40;  // of a token in a message

}  // namespace

std::string describe(const Token& token, std::string_view end_name) {
  switch (token.kind) {
    case TokenKind::End: return std::string(end_name);
    case TokenKind::Newline: return "the end of the line";
    default: break;
  }
  const bool whole = token.text.size() <= kShownText;
  return fmt::format("'{}{}'", token.text.substr(0, kShownText), whole ? "" : "...");
}

// Bad bytes and pragmas are between tokens and spoil none; bad numbers and strings go through to
// peek().
Token TokenStream::raw() {
  for (;;) {
    const Token token = scanner_.next();
    if (token.kind == TokenKind::BadBytes) {
      reporter_.report(Problem::BadCharacter, token.where);
    } else if (token.kind == TokenKind::Pragma) {
      read_pragma(token);
    } else {
      line_is_empty_ = token.kind == TokenKind::Newline;
      return token;
    }
  }
}

// ;! allow CODE {[","] CODE} [";" why]
void TokenStream::read_pragma(const Token& token) {
  constexpr std::string_view kBetween = " \t\r,";
  const std::string_view text = token.text.substr(0, token.text.find(';', kPragma.size()));
  std::size_t end = kPragma.size();
  std::size_t words = 0;
  for (;; ++words) {
    const std::size_t begin = text.find_first_not_of(kBetween, end);
    if (begin == std::string_view::npos) break;
    end = std::min(text.find_first_of(kBetween, begin), text.size());
    Named word{text.substr(begin, end - begin), token.where};
    word.where.column += static_cast<std::uint32_t>(begin);
    word.where.length = static_cast<std::uint32_t>(end - begin);
    if (words > 0) {
      reporter_.allow(word.text, word.where, line_is_empty_);
    } else if (word.text != "allow") {
      return reporter_.report(Problem::UnknownPragma, word.where,
                              fmt::format("'{}'", word.text.substr(0, kShownText)));
    }
  }
  if (words < 2) reporter_.report(Problem::UnknownPragma, token.where, "the end of the line");
}

void TokenStream::refuse_bad_token() {
  const Token& token = buffer_[0];
  if (failed_) return;
  if (token.kind == TokenKind::BadNumber) {
    reporter_.report(Problem::BadNumber, token.where, token.text.substr(0, kShownText));
    fail();
  } else if (token.kind == TokenKind::OpenString) {
    reporter_.report(Problem::OpenString, token.where);
    reporter_.spells(Edit{.where = token.where, .closing = "\""});
    fail();
  }
}

void TokenStream::fill(std::size_t count) {
  while (buffered_ < count) buffer_[buffered_++] = raw();
}

void TokenStream::pop() {
  std::move(buffer_ + 1, buffer_ + buffered_, buffer_);
  --buffered_;
  front_ = nullptr;
  asked_.clear();
}

const Token& TokenStream::find_front() {
  fill(1);
  const bool goes_on = depth_ > 0 || last_.is(",");
  while (goes_on && !failed_ && buffer_[0].kind == TokenKind::Newline) {
    fill(2);
    // A directive is never inside brackets: a forgotten one must not eat the rest of the file.
    if (buffer_[1].kind == TokenKind::Dotted || buffer_[1].kind == TokenKind::End) break;
    if (depth_ == 0) comma_ = last_.where;
    pop();
  }
  if (is_bad(buffer_[0].kind)) refuse_bad_token();
  if (failed_) end_.where = buffer_[0].where;
  front_ = failed_ ? &end_ : buffer_;
  return *front_;
}

const Token& TokenStream::peek_second() {
  peek();
  fill(2);
  return failed_ ? end_ : buffer_[1];
}

const Token& TokenStream::take() {
  const Token& front = peek();
  if (failed_ || front.kind == TokenKind::End) return front;
  last_ = front;
  pop();
  if (last_.is("(") || last_.is("[")) {
    if (depth_++ < kKeptBrackets) open_.push_back({last_.text, last_.where});
  } else if ((last_.is(")") || last_.is("]")) && depth_ > 0) {
    if (--depth_ < open_.size()) open_.pop_back();
  }
  return last_;
}

bool TokenStream::at_word(std::string_view word) {
  if (peek().is_word(word)) return true;
  asked_.push_back(word);
  return false;
}

bool TokenStream::accept_word(std::string_view word) {
  if (!at_word(word)) return false;
  take();
  return true;
}

Token TokenStream::expect(std::string_view punctuation) {
  if (!peek().is(punctuation)) fail_expected(fmt::format("'{}'", punctuation));
  return take();
}

void TokenStream::expect_word(std::string_view word) {
  if (!accept_word(word)) fail_expected("");
}

Named TokenStream::expect_name(std::string_view what) {
  if (peek().kind != TokenKind::Name) fail_expected(what);
  const Token& token = take();
  return {token.text, token.where};
}

void TokenStream::expect_end(std::string_view what) {
  if (!peek().ends_statement()) fail_expected(what);
}

// "'ring', 'pop' or the end of the line". The words only where one is, or where nothing else
// can.
std::string TokenStream::expected_text(std::string_view what, const Token& found) const {
  if (found.kind != TokenKind::Name && !what.empty()) return std::string(what);
  std::vector<std::string> all;
  for (const std::string_view word : asked_) {
    std::string text = fmt::format("'{}'", word);
    if (std::ranges::find(all, text) == all.end()) all.push_back(std::move(text));
  }
  if (!what.empty()) all.emplace_back(what);
  const std::string last = std::move(all.back());
  all.pop_back();
  return all.empty() ? last : fmt::format("{} or {}", fmt::join(all, ", "), last);
}

void TokenStream::fail_expected(std::string_view what) {
  const Token found = peek();
  if (failed_) return;
  const std::string expected = expected_text(what, found);
  const std::vector<std::string> words(asked_.begin(), asked_.end());
  const std::string text = describe(found, end_name_);
  isa::SourceRange where = found.where;
  if (found.ends_statement() && last_.where.line != 0) {  // point after the last word instead
    where = last_.where;
    where.column += where.length;
    where.length = 1;
  }
  if (depth_ > 0 && depth_ <= open_.size() && found.where.line != open_.back().where.line) {
    const Bracket& bracket = open_.back();
    reporter_.report(Problem::OpenBracket, where, expected, text, bracket.text,
                     bracket.text == "(" ? ")" : "]");
    reporter_.note(Remark::BracketHere, bracket.where, bracket.text);
  } else {
    reporter_.report(Problem::Expected, where, expected, text, isa::nearest(found.text, words));
    if (comma_.line != 0) reporter_.note(Remark::GoesOn, comma_);
  }
  fail();
}

std::string_view TokenStream::statement_text() const {
  const std::size_t begin = static_cast<std::size_t>(begin_.text.data() - text_.data());
  const std::size_t here = static_cast<std::size_t>(buffer_[0].text.data() - text_.data());
  return text_.substr(begin, text_.find('\n', here) - begin);
}

bool TokenStream::next_statement() {
  fill(1);
  while (started_ && !buffer_[0].ends_statement()) {
    pop();
    fill(1);
  }
  while (buffer_[0].kind == TokenKind::Newline) {
    pop();
    fill(1);
  }
  started_ = true;
  failed_ = false;
  front_ = nullptr;
  asked_.clear();
  depth_ = 0;
  open_.clear();
  last_ = Token{};
  comma_ = isa::SourceRange{};
  begin_ = buffer_[0];
  return buffer_[0].kind != TokenKind::End;
}

}  // namespace wse::assembler
