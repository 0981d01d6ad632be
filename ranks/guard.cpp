// fork, waitpid, and signals that are handed on.
#include "ranks/guard.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace wse::ranks {
namespace {

// Signals that ask for the end, but for those that are ignored.
sigset_t ending_signals() {
  sigset_t signals{};
  ::sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action{};
    const bool known = ::sigaction(signal, nullptr, &action) == 0;
    if (known && action.sa_handler != SIG_IGN) ::sigaddset(&signals, signal);
  }
  return signals;
}

// Hands on these signals until the process has ended; returns its status.
int wait_for(pid_t process, const sigset_t& signals) {
  int status = 0;
  while (true) {
    int signal = 0;
    ::sigwait(&signals, &signal);
    if (signal != SIGCHLD) {
      ::kill(process, signal);
    } else if (::waitpid(process, &status, WNOHANG) == process) {
      return status;
    }
  }
}

}  // namespace

std::optional<int> guard_rank(int rank, int code,
                              const std::function<void(const std::string& message)>& complain) {
  sigset_t signals = ending_signals();
  ::sigaddset(&signals, SIGCHLD);
  sigset_t before{};
  ::sigprocmask(SIG_BLOCK, &signals, &before);
  const pid_t guard = ::getpid();
  const pid_t process = ::fork();
  if (process <= 0) ::sigprocmask(SIG_SETMASK, &before, nullptr);
  if (process < 0) return std::nullopt;
  if (process == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != guard) ::_exit(code);
    return std::nullopt;
  }
  const int status = wait_for(process, signals);
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  const int signal = WTERMSIG(status);
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  complain(fmt::format("rank {} ({}) was ended by signal {} ({}){}\n", rank, host.data(), signal,
                       ::strsignal(signal),
                       signal == SIGKILL ? ", as the system does when memory runs out" : ""));
  return code;
}

}  // namespace wse::ranks
