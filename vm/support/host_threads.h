// How many threads the host can run, and why it may start fewer.
#pragma once

#include <cstdint>
#include <string>

namespace wse::vm {

// Returns the number of processors on which this process may run; at least 1.
std::uint32_t host_processors();

// Names the limit of the host that keeps one more thread from starting, such as "ulimit -u is 3".
// Meant for the moment in which a thread could not start; later the host may have changed.
std::string thread_limit();

}  // namespace wse::vm
