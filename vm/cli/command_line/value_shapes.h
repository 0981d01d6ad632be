// Values that are more than a word: NAME=FILE, X,Y:SYMBOL, X0,Y0,X1,Y1, FIRST..LAST, SEED:N.
// A text of another shape is refused with the shape it should have.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "isa/support/result.h"
#include "vm/cli/commands.h"

namespace wse::cli {

// Each text cut at its first '='; both parts are there.
isa::Result<std::vector<std::pair<std::string, std::string>>> parse_pairs(
    const std::vector<std::string>& texts, std::string_view shape);

// CODE=off or CODE=error, in their order.
isa::Status parse_warnings(const std::vector<std::string>& texts,
                           std::vector<assembler::WarningChoice>& choices);

isa::Result<Dump> parse_dump(const std::string& text);

// Reads COLOUR@X,Y.
isa::Status parse_path(const std::string& text, std::optional<PathStart>& path);

// SEED or SEED:N.
isa::Status parse_jitter(const std::string& text, std::optional<vm::Jitter>& jitter);

// X,Y and X0,Y0,X1,Y1 as the value of the option. All leave the rest of the filter as it is.
isa::Status parse_pe(const std::string& option, const std::string& text, vm::TraceFilter& filter);
isa::Status parse_rect(const std::string& option, const std::string& text, vm::TraceFilter& filter);
isa::Status parse_cycles(const std::string& option, const std::string& text,
                         vm::TraceFilter& filter);

}  // namespace wse::cli
