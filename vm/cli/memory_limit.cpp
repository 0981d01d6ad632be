// The budget of operator new.
#include "vm/cli/memory_limit.h"

#include <algorithm>

#include "vm/support/host_memory.h"

namespace wse::cli {

MemoryBudget& memory_budget() {
  constinit static MemoryBudget budget;
  return budget;
}

void limit_memory(std::uint64_t bytes) {
  memory_budget().left_bytes = static_cast<std::int64_t>(bytes);
  memory_budget().limited = true;
}

void share_memory_limit(std::uint32_t processes) {
  memory_budget().left_bytes = memory_budget().left_bytes / static_cast<std::int64_t>(processes);
}

std::uint64_t spare_memory() {
  if (!memory_budget().limited) return vm::host_memory_bytes();
  return static_cast<std::uint64_t>(std::max<std::int64_t>(memory_budget().left_bytes, 0));
}

Failure out_of_memory() {
  const bool limited = memory_budget().limited;
  return {limited ? "out of memory: more is needed than --max-memory allows"
                  : "out of memory: the host gives no more",
          ExitCode::Exhausted};
}

}  // namespace wse::cli
