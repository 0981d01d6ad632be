// Pages that show runs of a script. The caller of the script makes them: Options::format_report.
#pragma once

#include "scripts/host/binding.h"

namespace wse::script {

// write_report(file, title, names, records, model): the lists have a name for each record, the
// model is {NAME = {TERM = number}}
Returned write_report(lua_State* L);

}  // namespace wse::script
