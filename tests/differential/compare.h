// One random program on the machine and on the oracle, and every difference between the two.
#pragma once

#include <cstdint>
#include <string>

#include "tests/differential/generator.h"
#include "tests/oracle/outcome.h"

namespace wse::differential {

struct Comparison {
  std::string difference;  // empty: both agree
  bool refused = false;    // the machine cannot have the program, and may say so: nothing ran
  oracle::Outcome outcome;
};

Comparison compare(const Generated& program);

}  // namespace wse::differential
