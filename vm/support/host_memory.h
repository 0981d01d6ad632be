// How much memory there is.
#pragma once

#include <cstdint>

namespace wse::vm {

// Returns the least of what the host, the group of the process and its limits have.
std::uint64_t host_memory_bytes();

}  // namespace wse::vm
