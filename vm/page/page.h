// One HTML page that shows the profiles of one run or of several: without network, with all of its
// data inside.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "isa/support/result.h"
#include "vm/profile/profile.h"

namespace wse::vm {

inline constexpr std::uint64_t kPageBytes = std::uint64_t{5} << 20;

struct PageRun {
  std::string name;  // on the page
  const Profile* profile;
};

// Numbers that a theory gives a run, by the names of their terms, such as "C" and "E".
using ModelTerms = std::map<std::string, double>;

struct PageOptions {
  std::string title;
  std::uint64_t most_bytes = kPageBytes;    // of the page
  std::map<std::string, ModelTerms> model;  // by the name of the run
};

// Returns the text of the page, ASCII, the same for the same runs. Where full maps would make it
// larger than most_bytes it shows tiles of k x k PEs, with mean and largest value. Errors: it is
// larger even with one tile for all PEs.
isa::Result<std::string> report_page(std::span<const PageRun> runs, const PageOptions& options);

}  // namespace wse::vm
