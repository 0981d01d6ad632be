// Ctrl-C as a flag that the run loop looks at.
#pragma once

#include <atomic>

namespace wse::cli {

// From the first call on, SIGINT and SIGTERM set the flag instead of ending the process; a second
// signal ends it at once.
const std::atomic<bool>& interrupt_flag();

}  // namespace wse::cli
