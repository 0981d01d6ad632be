// Asks the host for memory that will be looked at soon.
//
// Inline by force, and so must be whoever calls it for nothing else: a function that only
// prefetches has no effect, and compilers drop calls of it.
#pragma once

namespace wse::vm {

[[gnu::always_inline]] inline void prefetch(const void* address) { __builtin_prefetch(address, 1); }

}  // namespace wse::vm
