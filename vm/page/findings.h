// Sentences about a profile: what holds the run back, where, and how much it costs.
//
// Each rule has a bound and looks at numbers of the profile alone; it never guesses a cause that
// no array shows. Causes come first, then what they lead to, each by the share that it takes. A run
// in which no rule finds a cause gets a sentence that says so.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vm/profile/profile.h"

namespace wse::vm {

struct Finding {
  std::string rule;                      // its name in README.md
  std::string text;                      // one or two sentences
  double share = 0;                      // of the run, 0..1, by which findings are ordered
  std::string map = {};                  // the array that shows it; empty: none
  std::optional<std::size_t> pe = {};    // where
  std::optional<std::size_t> line = {};  // index of Profile::lines
};

// Returns at least two: how the run ended and where its cycles went, then what the rules find.
std::vector<Finding> find_findings(const Profile& profile);

}  // namespace wse::vm
