// One random program on the machine and on the oracle, and every difference between the two.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "asm/assembler.h"
#include "tests/differential/borders.h"
#include "tests/differential/generator.h"
#include "tests/differential/replay_counts.h"
#include "tests/oracle/outcome.h"

namespace wse::differential {

struct Comparison {
  std::string difference;     // empty: both agree
  bool refused = false;       // the machine cannot have the program, and may say so: nothing ran
  bool crosses_rows = false;  // four rows or more, and wavelets between any two of them
  std::string left_to_stepper = {};  // why the wafer did not run it; empty: it did
  std::uint32_t strips = 0;          // most that the wafer had; 0: it did not run it
  CutCounts cuts = {};               // if the program is at_borders
  std::size_t judged_steps = 0;      // of its path, by the oracle
  std::uint64_t joined_visits = 0;   // of cores that joined cohorts, on all machines
  ProcessCounts processes = {};
  RestoreCounts restores = {};
  ConeCounts cones = {};
  oracle::Outcome outcome;
};

// Assembles the program. Without an image `comparison` says whether it was refused, or what is
// wrong.
assembler::Output assembled(const Generated& program, Comparison& comparison);

// Runs the program traced, untraced on each of these numbers of threads, and on the wafer, if it
// takes the program, on one to three: all must end as the oracle says.
Comparison compare(const Generated& program, std::span<const std::uint32_t> threads);

}  // namespace wse::differential
