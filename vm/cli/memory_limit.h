// How much memory the process may take: what --max-memory says, or what the host has.
//
// The limit holds for everything that comes from operator new, which the executable replaces
// (counted_new.cpp); beyond it is std::bad_alloc. Memory of PEs is a mapping that costs what is
// touched; it is judged before it is made, by fits_into_memory().
#pragma once

#include <atomic>
#include <cstdint>
#include <new>
#include <stdexcept>

#include "vm/cli/failure.h"
#include "vm/front/memory_fit.h"

namespace wse::cli {

// The bytes that operator new may still give. It can only reach static storage, so the budget lives
// there.
struct MemoryBudget {
  std::atomic<bool> limited = false;
  std::atomic<std::int64_t> left_bytes = 0;
};
MemoryBudget& memory_budget();

// Lets operator new give at most so many bytes more.
void limit_memory(std::uint64_t bytes);

// In one of so many processes that have just been forked: each has its share of what is left.
void share_memory_limit(std::uint32_t processes);

// Returns the bytes that the command and processes that it starts may still take: of the limit,
// else of the host.
std::uint64_t spare_memory();

// While it lives nothing is counted. For the record: destructors of the JSON library allocate, and
// a failure there would end the process; it takes some kilobytes.
class UncountedMemory {
 public:
  UncountedMemory() : was_limited_(memory_budget().limited.exchange(false)) {}
  UncountedMemory(const UncountedMemory&) = delete;
  UncountedMemory& operator=(const UncountedMemory&) = delete;
  ~UncountedMemory() { memory_budget().limited = was_limited_; }

 private:
  bool was_limited_;
};

// Returns the failure that a std::bad_alloc is to people.
Failure out_of_memory();

// Calls work(), which returns an Outcome; memory that runs out becomes a failure like any other.
template <class Work>
auto guarded(Work work) -> decltype(work()) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return std::unexpected(out_of_memory());
  } catch (const std::length_error&) {
    return std::unexpected(out_of_memory());
  }
}

}  // namespace wse::cli
