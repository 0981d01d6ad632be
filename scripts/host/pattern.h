// Lua's patterns ("%a+", "(.-)=(%d*)", "%b()", "%f[%w]"), matched with a count of steps.
//
// The standard library's matcher can take exponential time in C, where no hook looks at it. This
// one gives the same answers (a test compares both) and charges its steps to the limits. It calls
// nothing of Lua and has no destructor, so an error may jump over it.
#pragma once

#include <cstddef>
#include <string_view>

#include "scripts/host/limits.h"

namespace wse::script {

class Pattern {
 public:
  static constexpr int kMaxCaptures = 32;
  static constexpr std::ptrdiff_t kOpen = -1;      // a capture without its end yet
  static constexpr std::ptrdiff_t kPosition = -2;  // "()": its position is the value

  struct Capture {
    const char* begin;
    std::ptrdiff_t size;  // or one of the two above
  };

  Pattern(std::string_view subject, std::string_view pattern, Limits& limits)
      : begin_(subject.data()),
        end_(subject.data() + subject.size()),
        pattern_end_(pattern.data() + pattern.size()),
        limits_(limits) {}

  // The end of the match of `pattern` (the rest of the one above) that begins at `at`; null if
  // there is none, or if failure() says why not.
  const char* match_at(const char* at, const char* pattern);

  // Counts the steps that have not been counted; match_at() does so for many at once.
  void charge();

  const char* subject_end() const { return end_; }

  // Null: none. A text for the user, or kStopped: a limit has tripped.
  const char* failure() const { return failure_; }
  static const char* const kStopped;

  int captures() const { return captures_; }
  const Capture& capture(int k) const { return capture_[k]; }

 private:
  const char* match(const char* at, const char* pattern);
  const char* match_items(const char* at, const char* pattern);
  const char* match_special(const char* at, const char*& pattern);
  const char* most(const char* at, const char* item, const char* item_end);
  const char* least(const char* at, const char* item, const char* item_end);
  const char* open_capture(const char* at, const char* pattern);
  const char* close_capture(const char* at, const char* pattern);
  const char* balance(const char* at, const char* pattern);
  const char* frontier(const char* at, const char*& pattern);
  const char* same_as_capture(const char* at, char digit);
  const char* end_of_item(const char* pattern);
  bool fits(const char* at, const char* item, const char* item_end);
  char pattern_char(const char* p) const { return p < pattern_end_ ? *p : '\0'; }
  bool step(std::size_t count = 1);
  const char* fail(const char* why);

  const char* begin_;
  const char* end_;
  const char* pattern_end_;
  Limits& limits_;
  const char* failure_ = nullptr;
  int captures_ = 0;
  int depth_ = 0;
  std::size_t steps_ = 0;
  Capture capture_[kMaxCaptures];
};

// Whether the pattern has characters that mean something.
bool has_specials(std::string_view pattern);

}  // namespace wse::script
