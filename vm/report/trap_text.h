// A trap in words: where the machine stopped, and why.
#pragma once

#include <string>

#include "vm/contract/trap_report.h"
#include "vm/ledger/record.h"
#include "vm/report/scene.h"

namespace wse::vm {

TrapRecord trap_record(const Scene& scene, const TrapReport& trap);

// The message of the run: the PE, the task and line or the route and its line, the cause.
std::string trap_text(const Scene& scene, const TrapReport& trap);

}  // namespace wse::vm
