// The measured rows: what was measured elsewhere, and which program, run how, says the same here.
// Must never hold a simulated number.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/machine/profile.h"
#include "isa/support/result.h"

namespace wse::fidelity {

// How the cycles of a run are read.
enum class Rule {
  Marks,        // last `end` less first `begin`
  Turns,        // mean distance of the marks `turn`
  Issues,       // first element issued anywhere to the last one, plus 1
  Microthread,  // start to end of the one asynchronous instruction
  Script,       // the number `cycles` that the program, a script, notes
};

// What a row may be off; the values are in tests/support/tolerances.h.
enum class Within { Exact, Close, Short, Rough };

// What a row is for.
enum class Use {
  Fit,       // constants of the profile may be chosen with it
  HeldBack,  // never: does the profile predict it?
  Compare,   // never: its code is not known to the instruction
  Bound,     // its program has less than the measured one, so it takes at most what was measured
  Shape,     // never: details of its program are not known
  Context,   // never, and nothing is claimed
};

struct Row {
  std::string name;
  isa::Profile machine;   // on which it was measured
  double measured = 0;    // cycles
  double instrument = 0;  // cycles of time stamps that the measured number contains
  Within within = Within::Exact;
  std::string program;  // .wsa or .lua, from the root of the checkout
  std::vector<std::pair<std::string, std::string>> values;
  Rule rule = Rule::Marks;
  Use use = Use::Fit;
  bool explained = true;  // the machine takes what was measured; else no constant is chosen with it
  std::string source;
};

// Finds the rule of that name.
std::optional<Rule> rule_of(std::string_view word);

// Reads values as a cell has them, `P=4 B=16`; nothing if one has another form.
std::optional<std::vector<std::pair<std::string, std::string>>> values_of(std::string_view cell);

// The parts of the text between separators.
std::vector<std::string> split(std::string_view text, char separator);

// The rows of rows.csv: a header, then a line each. Errors name the line.
isa::Result<std::vector<Row>> parse_rows(std::string_view text);

}  // namespace wse::fidelity
