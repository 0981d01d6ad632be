// Asks the system, its control groups and the limits of the process.
#include "vm/support/host_memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>

namespace wse::vm {
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

}  // namespace wse::vm
