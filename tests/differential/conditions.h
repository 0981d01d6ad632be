// The steps of a critical path, judged by the oracle: what an event waited for must be a condition
// that was fulfilled in the cycle of the event, and not before.
#pragma once

#include <string>

#include "tests/oracle/outcome.h"
#include "vm/path/critical_path.h"

namespace wse::differential {

struct JudgedSteps {
  std::string difference;  // of the first step that is wrong; empty: none is
  std::size_t judged = 0;  // steps that end with an issue, a move or a wavelet that is taken
};

// `outcome` is of the same run. Steps of tasks, scalar code and drains are not judged.
JudgedSteps judge_steps(const vm::CriticalPath& path, const oracle::Outcome& outcome);

}  // namespace wse::differential
