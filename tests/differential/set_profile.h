// What a set of random programs met, so that it cannot be blind without anyone noticing.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "isa/machine/profile.h"
#include "tests/oracle/outcome.h"

namespace wse::differential {

class SetProfile {
 public:
  void add(const isa::Profile& machine, const oracle::Outcome& outcome);
  // The forms in the text of a program that ran.
  void add_forms(const std::string& text);
  // A machine of which any number may be anything; `refused`: the program did not run on it.
  void add_machine(const isa::Profile& machine, bool refused);
  std::string text() const;
  // What the set should have met and has not, a line each; nothing for sets that are too small.
  std::string missing() const;
  // The same of a set of machines.
  std::string missing_machines() const;
  // Of programs of one profile: at least one mapped instruction for every three programs.
  std::string missing_maps() const;

 private:
  oracle::Cycle median() const;

  std::uint64_t machines_ = 0;  // of any numbers
  std::uint64_t programs_ = 0;  // that ran
  std::uint64_t blocked_ = 0;
  std::uint64_t ends_[4] = {};
  std::vector<oracle::Cycle> cycles_;
  std::map<std::string, std::uint64_t> met_;
  std::array<std::uint64_t, isa::kInstructionCount> ops_{};
  std::map<std::string, std::uint64_t> traps_;
};

}  // namespace wse::differential
