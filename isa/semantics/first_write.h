// Memory that is read and then written: where a host gives pages when they are touched, one that is
// read first costs two faults, as the read gets nothing but the page of zeros that all share.
//
// Changes no byte, and may be called only by who may write there.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wse::isa {

// Asks for the pages from `begin` up to `end`, of which there is at least one byte, as a write
// does.
[[gnu::always_inline]] inline void touch_to_write([[maybe_unused]] std::byte* begin,
                                                  [[maybe_unused]] const std::byte* end) {
#if defined(__x86_64__)
  constexpr std::uintptr_t kPage = 4096;
  do {  // one instruction that reads and writes, which no compiler takes for a load
    asm volatile("orb $0, %0" : "+m"(*begin) : : "cc");
    begin += kPage - reinterpret_cast<std::uintptr_t>(begin) % kPage;
  } while (begin < end);
#endif
}

}  // namespace wse::isa
