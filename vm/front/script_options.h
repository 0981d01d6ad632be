// The options of a script, alike for the command line and for programs of one's own.
#pragma once

#include <string>
#include <vector>

#include "scripts/host/script.h"
#include "vm/front/failure.h"
#include "vm/front/program_source.h"

namespace wse::front {

// Returns the folders where no script writes: of the executable, its compiler, its objects and
// their secret.
std::vector<script::CodePlace> code_places_of(const EngineSource& source);

// Returns the name of a file on a page: without folder and ending.
std::string page_name(const std::string& file);

// Returns the page that a script asks for; `file` is the script.
isa::Result<std::string> script_page(const std::string& file,
                                     const std::vector<script::ReportedRun>& runs,
                                     const std::string& title, const script::ReportModel& model);

// Returns the options of a script that was found at `path`: files, values, machines, arrays and
// pages. The caller adds where its prints go, its engine and its limits.
script::Options script_options(const ProgramSource& source, const std::string& path);

}  // namespace wse::front
