// The record of a run or of a script as JSON text.
#pragma once

#include <string>

#include "scripts/host/script_result.h"
#include "vm/ledger/record.h"

namespace wse::front {

// Returns the record as JSON, indented, with a newline at the end.
std::string record_json(const vm::Record& record);

// Returns the record of a run that did not begin or was lost: status "error" or "interrupted".
std::string unfinished_json(std::string_view status, const std::string& message,
                            const std::string& machine);

// Returns the record of a script: that of its last run, with all of them and its `user` values.
std::string script_json(const script::ScriptResult& result, const std::string& machine);

}  // namespace wse::front
