// The need of a machine beside what is allowed.
#include "vm/front/memory_fit.h"

#include <fmt/format.h>

#include "vm/run/memory_need.h"
#include "vm/support/host_memory.h"

namespace wse::front {

std::string size_text(std::uint64_t bytes) {
  constexpr std::string_view kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(kUnits); ++unit) value /= 1024;
  return fmt::format("{:.3g} {}", value, kUnits[unit]);
}

Outcome<void> fits_into_memory(const isa::Image& image, const isa::Profile& profile,
                               std::optional<std::uint64_t> max_memory,
                               vm::TransportChoice transport, std::uint32_t processes,
                               std::uint32_t ranks) {
  const vm::MemoryNeed need = vm::memory_need(image, profile, transport);
  const std::uint64_t bytes =
      (need.load_bytes + need.queue_bytes + (max_memory ? need.data_bytes : 0)) / ranks;
  const std::uint64_t allowed = (max_memory ? *max_memory : vm::host_memory_bytes()) / processes;
  if (bytes <= allowed) return {};
  return std::unexpected(
      Failure{fmt::format("out of memory for a machine of {} x {} PEs: it takes {}, {} {}; "
                          "make the grid, the arrays or the queues smaller{}{}",
                          image.width, image.height, size_text(bytes),
                          max_memory ? "--max-memory allows" : "this host allows",
                          size_text(allowed), max_memory ? ", or allow more" : "",
                          processes == 1 ? ""
                                         : fmt::format("; that is for one of {} processes, "
                                                       "--threads=N has fewer",
                                                       processes)),
              ExitCode::Exhausted});
}

}  // namespace wse::front
