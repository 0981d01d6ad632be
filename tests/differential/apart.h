// Judges a program in a process of its own: whatever a side does with it, crash or run for ever, is
// a verdict.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "tests/differential/generator.h"

namespace wse::differential {

enum class Verdict : std::uint8_t {
  Agrees,
  Refused,  // the program does not assemble
  Differs,
  Dies,   // by a signal, a failed check or a sanitizer
  Hangs,  // more processor time or time than any program takes
};

struct Judgement {
  Verdict verdict = Verdict::Agrees;
  std::string text = {};  // what differs, or what the process wrote to stderr
};

// Says what differs; empty: all sides agree. It gets programs that assemble.
using Judge = std::function<std::string(const Generated&)>;

// The caller must have no other thread. Ends the process with 2 if the system gives no child.
Judgement judge_apart(const Generated& program, const Judge& judge);

}  // namespace wse::differential
