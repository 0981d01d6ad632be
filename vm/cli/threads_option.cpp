// Threads beyond the processors only wait for each other, at every cycle.
#include "vm/cli/threads_option.h"

#include <fmt/format.h>

#include "vm/cli/standard_streams.h"
#include "vm/support/host_threads.h"

namespace wse::cli {

void bound_threads(ProgramSource& source) {
  const std::uint32_t processors = vm::host_processors();
  if (source.oversubscribe || source.threads.value_or(1) <= processors) return;
  complain(fmt::format(
      "wsevm: note: --threads={} takes {}, one for each processor that wsevm may use; with "
      "--oversubscribe it takes all of them\n",
      *source.threads, processors));
  source.threads = processors;
}

}  // namespace wse::cli
