// The budget of operator new, and what the host has.
#include "vm/cli/memory_limit.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>

#include "vm/memory_need.h"

namespace wse::cli {
namespace {

constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

// The number in a file of the system; "max", or no file, is no limit.
std::uint64_t limit_in(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t bytes = 0;
  return file >> bytes ? bytes : kNoLimit;
}

// The limits of the control group of this process: lines "0::/PATH" of version 2, "4:memory:/PATH"
// of version 1.
std::uint64_t group_limit() {
  std::uint64_t limit = kNoLimit;
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t path = line.find('/');
    if (path == std::string::npos) continue;
    const std::string_view kind = std::string_view(line).substr(0, path);
    const bool second = kind == "0::";
    if (!second && !kind.contains("memory")) continue;
    const std::string root = second ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
    const char* const name = second ? "/memory.max" : "/memory.limit_in_bytes";
    limit = std::min({limit, limit_in(root + name), limit_in(root + line.substr(path) + name)});
  }
  return limit;
}

}  // namespace

std::uint64_t host_memory_bytes() {
  const auto pages = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES));
  const auto page_bytes = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  rlimit space{};
  const bool known = ::getrlimit(RLIMIT_AS, &space) == 0;
  const std::uint64_t space_bytes =
      known && space.rlim_cur != RLIM_INFINITY ? space.rlim_cur : kNoLimit;
  return std::min({pages * page_bytes, group_limit(), space_bytes});
}

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

Failure out_of_memory() {
  const bool limited = memory_budget().limited;
  return {limited ? "out of memory: more is needed than --max-memory allows"
                  : "out of memory: the host gives no more",
          ExitCode::Exhausted};
}

std::string size_text(std::uint64_t bytes) {
  constexpr std::string_view kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(kUnits); ++unit) value /= 1024;
  return fmt::format("{:.3g} {}", value, kUnits[unit]);
}

Outcome<void> fits_into_memory(const isa::Image& image, const isa::Profile& profile,
                               std::optional<std::uint64_t> max_memory,
                               vm::TransportChoice transport, std::uint32_t processes) {
  const vm::MemoryNeed need = vm::memory_need(image, profile, transport);
  const std::uint64_t bytes =
      need.load_bytes + need.queue_bytes + (max_memory ? need.data_bytes : 0);
  const std::uint64_t allowed = (max_memory ? *max_memory : host_memory_bytes()) / processes;
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

}  // namespace wse::cli
