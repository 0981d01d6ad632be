// "Did you mean": the nearest of the words that would have been right.
//
// Work is bounded: words of another length are not compared, and after many errors none is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "asm/text/report.h"

namespace wse::assembler {

// "a, b and c"; "none" for an empty list.
std::string list_of(const std::vector<std::string>& words);

// The nearest one, by its part before `=`; empty if none is near.
std::string nearest_of(std::string_view word, const std::vector<std::string>& words,
                       const Reporter& reporter);

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

// Reports that `word` is not one of the words that can be used there. Arguments of the row: the
// word, the nearest one, all of them in a list, and `more`.
template <class... More>
void report_choice(Reporter& reporter, Problem problem, const isa::SourceRange& where,
                   std::string_view word, const std::vector<std::string>& words,
                   const More&... more) {
  reporter.report(problem, where, word, nearest_of(word, words, reporter), list_of(words), more...);
}

// An unknown type: of memory, or also of a parameter.
void report_unknown_type(Reporter& reporter, std::string_view word, const isa::SourceRange& where,
                         bool of_parameter = false);

}  // namespace wse::assembler
