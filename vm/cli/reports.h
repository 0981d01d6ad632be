// Records and tables as JSON and as text for people.
#pragma once

#include <string>

#include "isa/machine/interval.h"
#include "scripts/host/script_result.h"
#include "vm/cli/commands.h"
#include "vm/ledger/record.h"

namespace wse::cli {

// The record as JSON, indented, with a newline at the end.
std::string record_json(const vm::Record& record);

// The record of a run that did not begin or was lost: status "error" or "interrupted".
std::string unfinished_json(std::string_view status, const std::string& message,
                            const std::string& machine);

// The record of a script: that of its last run, with all of them and its `user` values.
std::string script_json(const script::ScriptResult& result, const std::string& machine);

// The cycles at the ends of intervals if somebody asked: " (1200..1290)", with ? for an end at
// which the run did not halt.
std::string interval_text(const vm::Record& record);

// The record for people: what --stats prints.
std::string record_text(const vm::Record& record);

// A sentence as a cell of a Markdown table.
std::string markdown_cell(std::string_view text);

std::string isa_json();
std::string isa_markdown();
std::string isa_text();
std::string timing_markdown();
std::string traps_markdown();
std::string profiles_json(const std::vector<isa::MeasuredProfile>& profiles);
std::string profiles_text(const std::vector<isa::MeasuredProfile>& profiles);

}  // namespace wse::cli
