// Records and tables as JSON and as text for people.
#pragma once

#include <string>

#include "isa/machine/interval.h"
#include "vm/cli/commands.h"
#include "vm/front/json_record.h"
#include "vm/ledger/record.h"

namespace wse::cli {

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
