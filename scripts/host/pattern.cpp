// The matcher: backtracking over the items of a pattern, as the reference manual of Lua says
// (6.4.1).
#include "scripts/host/pattern.h"

#include <cctype>
#include <cstring>

namespace wse::script {
namespace {

constexpr int kMaxDepth = 200;  // of the C stack, as in Lua
constexpr std::size_t kStepsPerCharge = 4096;
constexpr std::size_t kSetBytesPerStep = 8;

unsigned char byte_of(char c) { return static_cast<unsigned char>(c); }

// %a and its like; `letter` in lower case.
bool is_in_class(int c, int letter, bool& known) {
  switch (letter) {
    case 'a': return std::isalpha(c) != 0;
    case 'c': return std::iscntrl(c) != 0;
    case 'd': return std::isdigit(c) != 0;
    case 'g': return std::isgraph(c) != 0;
    case 'l': return std::islower(c) != 0;
    case 'p': return std::ispunct(c) != 0;
    case 's': return std::isspace(c) != 0;
    case 'u': return std::isupper(c) != 0;
    case 'w': return std::isalnum(c) != 0;
    case 'x': return std::isxdigit(c) != 0;
    case 'z': return c == 0;
    default: known = false; return false;
  }
}

// `letter` is after '%': a class, its complement, or the character itself.
bool fits_class(int c, int letter) {
  bool known = true;
  const bool inside = is_in_class(c, std::tolower(letter), known);
  if (!known) return letter == c;
  return std::isupper(letter) != 0 ? !inside : inside;
}

// [...]: `set` is at '[', `last` at its ']'.
bool fits_set(int c, const char* set, const char* last) {
  const bool wanted = set[1] != '^';
  if (!wanted) ++set;
  while (++set < last) {
    if (*set == '%') {
      ++set;
      if (fits_class(c, byte_of(*set))) return wanted;
    } else if (set[1] == '-' && set + 2 < last) {
      set += 2;
      if (byte_of(set[-2]) <= c && c <= byte_of(*set)) return wanted;
    } else if (byte_of(*set) == c) {
      return wanted;
    }
  }
  return !wanted;
}

}  // namespace

const char* const Pattern::kStopped = "stopped";

bool has_specials(std::string_view pattern) {
  return pattern.find_first_of("^$*+?.([%-") != std::string_view::npos;
}

const char* Pattern::fail(const char* why) {
  if (failure_ == nullptr) failure_ = why;
  return nullptr;
}

bool Pattern::step(std::size_t count) {
  steps_ += count;
  if (steps_ >= kStepsPerCharge) charge();
  return failure_ == nullptr;
}

void Pattern::charge() {
  if (!limits_.charge(steps_)) fail(kStopped);
  steps_ = 0;
}

const char* Pattern::match_at(const char* at, const char* pattern) {
  captures_ = 0;
  depth_ = 0;
  return match(at, pattern);
}

const char* Pattern::match(const char* at, const char* pattern) {
  if (depth_ == kMaxDepth) return fail("pattern too complex");
  ++depth_;
  const char* const end = match_items(at, pattern);
  --depth_;
  return end;
}

const char* Pattern::match_items(const char* at, const char* p) {
  while (step()) {
    if (p == pattern_end_) return at;
    if (*p == '(') return open_capture(at, p + 1);
    if (*p == ')') return close_capture(at, p + 1);
    if (*p == '$' && p + 1 == pattern_end_) return at == end_ ? at : nullptr;
    if (*p == '%') {
      const char next = pattern_char(p + 1);
      if (next == 'b' || next == 'f' || std::isdigit(byte_of(next)) != 0) {
        at = match_special(at, p);
        if (at == nullptr) return nullptr;
        continue;
      }
    }
    const char* const after = end_of_item(p);
    if (after == nullptr) return nullptr;
    const bool one = fits(at, p, after);
    switch (pattern_char(after)) {
      case '*':
        if (one) return most(at, p, after);
        p = after + 1;
        break;
      case '-':
        if (one) return least(at, p, after);
        p = after + 1;
        break;
      case '+': return one ? most(at + 1, p, after) : nullptr;
      case '?':
        if (one) {
          const char* const end = match(at + 1, after + 1);
          if (end != nullptr || failure_ != nullptr) return end;
        }
        p = after + 1;
        break;
      default:
        if (!one) return nullptr;
        ++at;
        p = after;
    }
  }
  return nullptr;
}

const char* Pattern::match_special(const char* at, const char*& p) {
  const char kind = p[1];
  p += 2;
  if (kind == 'f') return frontier(at, p);
  if (kind != 'b') return same_as_capture(at, kind);
  at = balance(at, p);
  p += 2;
  return at;
}

const char* Pattern::frontier(const char* at, const char*& p) {
  if (pattern_char(p) != '[') return fail("missing '[' after '%f' in pattern");
  const char* const after = end_of_item(p);
  if (after == nullptr) return nullptr;
  const int before = at == begin_ ? 0 : byte_of(at[-1]);
  const int here = at == end_ ? 0 : byte_of(*at);
  const bool fits = !fits_set(before, p, after - 1) && fits_set(here, p, after - 1);
  p = after;
  return fits ? at : nullptr;
}

const char* Pattern::balance(const char* at, const char* p) {
  if (p + 1 >= pattern_end_) return fail("malformed pattern (missing arguments to '%b')");
  if (at == end_ || *at != *p) return nullptr;
  int open = 1;
  while (++at < end_ && step()) {
    if (*at == p[1]) {
      if (--open == 0) return at + 1;
    } else if (*at == p[0]) {
      ++open;
    }
  }
  return nullptr;
}

const char* Pattern::same_as_capture(const char* at, char digit) {
  const int k = digit - '1';
  if (k < 0 || k >= captures_ || capture_[k].size == kOpen) return fail("invalid capture index");
  if (capture_[k].size == kPosition) return nullptr;
  const auto size = static_cast<std::size_t>(capture_[k].size);
  if (static_cast<std::size_t>(end_ - at) < size || !step(size / kSetBytesPerStep)) return nullptr;
  return std::memcmp(capture_[k].begin, at, size) == 0 ? at + size : nullptr;
}

const char* Pattern::end_of_item(const char* p) {
  const char first = *p++;
  if (first == '%') {
    return p == pattern_end_ ? fail("malformed pattern (ends with '%')") : p + 1;
  }
  if (first != '[') return p;
  if (pattern_char(p) == '^') ++p;
  do {  // a ']' that comes first stands for itself
    if (p == pattern_end_) return fail("malformed pattern (missing ']')");
    const bool escapes = *p == '%';
    ++p;
    if (escapes && p < pattern_end_) ++p;
  } while (p == pattern_end_ || *p != ']');
  return p + 1;
}

bool Pattern::fits(const char* at, const char* item, const char* item_end) {
  if (at >= end_ || !step(static_cast<std::size_t>(item_end - item) / kSetBytesPerStep)) {
    return false;
  }
  switch (*item) {
    case '.': return true;
    case '%': return fits_class(byte_of(*at), byte_of(item[1]));
    case '[': return fits_set(byte_of(*at), item, item_end - 1);
    default: return *item == *at;
  }
}

const char* Pattern::most(const char* at, const char* item, const char* item_end) {
  const char* far = at;
  while (step() && fits(far, item, item_end)) ++far;
  for (; far >= at && failure_ == nullptr; --far) {
    const char* const end = match(far, item_end + 1);
    if (end != nullptr) return end;
  }
  return nullptr;
}

const char* Pattern::least(const char* at, const char* item, const char* item_end) {
  while (step()) {
    const char* const end = match(at, item_end + 1);
    if (end != nullptr) return end;
    if (failure_ != nullptr || !fits(at, item, item_end)) return nullptr;
    ++at;
  }
  return nullptr;
}

const char* Pattern::open_capture(const char* at, const char* p) {
  if (captures_ == kMaxCaptures) return fail("too many captures");
  const bool position = pattern_char(p) == ')';
  capture_[captures_] = {at, position ? kPosition : kOpen};
  ++captures_;
  const char* const end = match(at, position ? p + 1 : p);
  if (end == nullptr) --captures_;
  return end;
}

const char* Pattern::close_capture(const char* at, const char* p) {
  int k = captures_ - 1;
  while (k >= 0 && capture_[k].size != kOpen) --k;
  if (k < 0) return fail("invalid pattern capture");
  capture_[k].size = at - capture_[k].begin;
  const char* const end = match(at, p);
  if (end == nullptr) capture_[k].size = kOpen;
  return end;
}

}  // namespace wse::script
