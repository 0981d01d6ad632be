// Threads beyond the processors only wait for each other, at every cycle.
#include "vm/cli/threads_option.h"

#include <fmt/format.h>

#include "ranks/launch.h"
#include "vm/cli/standard_streams.h"
#include "vm/support/host_threads.h"

namespace wse::cli {

void bound_threads(ProgramSource& source) {
  const std::uint32_t processors = vm::host_processors();
  const std::uint32_t wanted = source.threads.value_or(1);
  if (source.oversubscribe || wanted <= processors) return;
  source.threads = processors;
  const std::optional<ranks::Launch> launch = ranks::find_launch();
  if (launch && launch->rank > 0) return;  // the first rank says it
  complain(fmt::format(
      "wsevm: note: --threads={} takes {}, one for each processor that wsevm may use; with "
      "--oversubscribe it takes all of them\n",
      wanted, processors));
}

}  // namespace wse::cli
