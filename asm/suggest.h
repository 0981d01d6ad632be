// "Did you mean": the nearest of the words that would have been right.
//
// Work is bounded: words of another length are not compared, and after many errors none is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "asm/report.h"

namespace wse::assembler {

class Suggestion {
 public:
  Suggestion(std::string_view word, const Reporter& reporter)
      : word_(word), active_(reporter.may_suggest()) {}

  void offer(std::string_view candidate);

  // The nearest word offered; empty if none is near.
  std::string best() const { return isa::nearest(word_, candidates_); }

 private:
  std::string_view word_;
  bool active_;
  std::vector<std::string> candidates_;
};

}  // namespace wse::assembler
