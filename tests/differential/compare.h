// One random program on the machine and on the oracle, and every difference between the two.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "tests/differential/generator.h"
#include "tests/oracle/outcome.h"

namespace wse::differential {

struct Comparison {
  std::string difference;     // empty: both agree
  bool refused = false;       // the machine cannot have the program, and may say so: nothing ran
  bool crosses_rows = false;  // four rows or more, and wavelets between any two of them
  oracle::Outcome outcome;
};

// `threads`: on how many the machine runs beside.
Comparison compare(const Generated& program, std::span<const std::uint32_t> threads);

}  // namespace wse::differential
