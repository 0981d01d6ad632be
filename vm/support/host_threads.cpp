// Asks the scheduler; tries the memory of a stack, then reads the limits in the order in which the
// kernel checks them.
#include "vm/support/host_threads.h"

#include <fmt/format.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <thread>

namespace wse::vm {
namespace {

std::optional<std::uint64_t> soft_limit(__rlimit_resource kind) {
  rlimit limit{};
  if (::getrlimit(kind, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  return limit.rlim_cur;
}

// Whether the address space has place for the stack of one more thread.
bool has_room_for_a_stack() {
  pthread_attr_t attributes;
  std::size_t bytes = 0;
  if (::pthread_getattr_default_np(&attributes) != 0) return true;
  ::pthread_attr_getstacksize(&attributes, &bytes);
  ::pthread_attr_destroy(&attributes);
  void* const stack = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
  if (stack == MAP_FAILED) return false;
  ::munmap(stack, bytes);
  return true;
}

std::optional<std::uint64_t> number_in(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  if (file >> number) return number;
  return std::nullopt;  // no such file, or the word "max"
}

// The number of tasks that a full control group of the process allows; the group or one that holds
// it. Lines of the file: "0::/PATH" of version 2, "8:pids:/PATH" of version 1.
std::optional<std::uint64_t> full_group() {
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t slash = line.find('/');
    if (slash == std::string::npos) continue;
    const std::string kind = line.substr(0, slash);
    const bool is_second = kind == "0::";
    if (!is_second && !kind.ends_with(":pids:")) continue;
    const std::string root = is_second ? "/sys/fs/cgroup" : "/sys/fs/cgroup/pids";
    for (std::string path = line.substr(slash);; path.resize(path.rfind('/'))) {
      const auto most = number_in(root + path + "/pids.max");
      const auto tasks = number_in(root + path + "/pids.current");
      if (most && tasks && *tasks >= *most) return most;
      if (path.empty()) break;
    }
  }
  return std::nullopt;
}

}  // namespace

std::uint32_t host_processors() {
  cpu_set_t processors;
  CPU_ZERO(&processors);
  const bool is_known = ::sched_getaffinity(0, sizeof processors, &processors) == 0;
  const auto count = is_known ? static_cast<std::uint32_t>(CPU_COUNT(&processors))
                              : std::thread::hardware_concurrency();  // of more than 1024
  return std::max(1u, count);
}

std::string thread_limit() {
  if (!has_room_for_a_stack()) {
    const auto bytes = soft_limit(RLIMIT_AS);
    return bytes ? fmt::format("ulimit -v is {}", *bytes / 1024) : "no memory is left for a stack";
  }
  if (const auto tasks = full_group()) {
    return fmt::format("pids.max of the control group is {}", *tasks);
  }
  const auto tasks = soft_limit(RLIMIT_NPROC);
  if (tasks && ::getuid() != 0) return fmt::format("ulimit -u is {}", *tasks);  // binds no root
  return "the host allows no more threads";
}

}  // namespace wse::vm
