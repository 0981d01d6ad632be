// How much memory there is.
#pragma once

#include <cstdint>

namespace wse::vm {

// What the host, the group of the process and its limits have at most.
std::uint64_t host_memory_bytes();

}  // namespace wse::vm
