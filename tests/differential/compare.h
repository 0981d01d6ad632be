// One random program on the machine and on the oracle, and every difference between the two.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "tests/differential/generator.h"
#include "tests/oracle/outcome.h"
#include "tests/oracle/routers.h"
#include "vm/machine.h"

namespace wse::differential {

struct Comparison {
  std::string difference;     // empty: both agree
  bool refused = false;       // the machine cannot have the program, and may say so: nothing ran
  bool crosses_rows = false;  // four rows or more, and wavelets between any two of them
  oracle::Outcome outcome;
};

// `threads`: on how many the machine runs beside.
Comparison compare(const Generated& program, std::span<const std::uint32_t> threads);

// Returns what the streams of the image bring: numbers that look alike nowhere.
oracle::StreamWords stream_words(const isa::Image& image);
// Gives these words to the streams of a machine that has not run.
void feed(vm::Machine& machine, const oracle::StreamWords& words);

}  // namespace wse::differential
