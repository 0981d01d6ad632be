// Diagnostics of the assembler as data: the JSON of `check --format=json`, and SARIF 2.1.0, which
// code hosts and editors read.
#pragma once

#include <string>
#include <vector>

#include "asm/remedies.h"

namespace wse::cli {

// The result of a check.
struct Findings {
  std::string file;          // as the command line names it
  std::string message;       // why the check ended early; empty: it did not
  assembler::Output output;  // without files and diagnostics where nothing was assembled
  std::vector<assembler::Change> changes;  // tried, see tried_changes()
};

// One object: "file", "errors", "warnings" (numbers), "message" (text or null) and "diagnostics",
// in the order of the text. Lines and columns count from 1, columns and lengths in bytes; "edits"
// are replacements, each of which alone mends the diagnostic.
std::string findings_json(const Findings& findings);

// A run with one result for each diagnostic; columns count characters of UTF-16. `version`: of
// wsevm.
std::string findings_sarif(const Findings& findings, std::string_view version);

}  // namespace wse::cli
