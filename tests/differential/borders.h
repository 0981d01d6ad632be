// Which PEs lie beside borders of the wafer's blocks and strips, and how often long messages were
// cut there.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "isa/image/image.h"
#include "isa/machine/profile.h"
#include "tests/oracle/outcome.h"

namespace wse::differential {

// Cuts of long messages, by kind.
struct CutCounts {
  std::array<std::uint64_t, oracle::kCuts> all{};
  std::array<std::uint64_t, oracle::kCuts> beside_block{};  // a neighbour lies in another block
  std::array<std::uint64_t, oracle::kCuts> beside_strip{};  // and is another thread's, of two
};

// Counts the cuts of a run. The image must be one that the wafer takes.
CutCounts count_cuts(const isa::Image& image, const isa::Profile& profile,
                     const oracle::Outcome& outcome);

// Counts of the cuts that a set of programs met.
class BorderProfile {
 public:
  // A program that ran on at most so many strips.
  void add(const CutCounts& cuts, oracle::End end, std::uint32_t strips);
  std::string text() const;
  // Returns what is rare in the set, a line each; nothing for sets that are too small.
  std::string missing() const;

 private:
  std::uint64_t programs_ = 0;
  std::uint64_t halted_ = 0;
  std::uint64_t trapped_ = 0;
  std::uint64_t deadlocked_ = 0;
  std::uint64_t shared_ = 0;  // by several strips
  // Programs with a cut of the kind.
  CutCounts cut_;
};

}  // namespace wse::differential
