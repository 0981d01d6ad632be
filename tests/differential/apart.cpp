// The child writes its verdict, as a letter after a zero byte, into a pipe that is its stderr too.
#include "tests/differential/apart.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "asm/assembler.h"

namespace wse::differential {
namespace {

constexpr rlim_t kProcessorSeconds = 20;
constexpr int kMostMilliseconds = 120'000;  // for a process that waits for ever

[[noreturn]] void give_up(const char* what) {
  fmt::print(stderr, "no {}: the system gives none\n", what);
  std::exit(2);
}

bool assembles(const Generated& program) {
  return assembler::assemble({"random.wsa", program.text},
                             {.overrides = {}, .profile = program.profile})
      .image.has_value();
}

[[noreturn]] void judge_and_end(const Generated& program, const Judge& judge, int verdict) {
  const rlimit time{kProcessorSeconds, kProcessorSeconds + 1};
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CPU, &time);
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::dup2(verdict, STDERR_FILENO);
  std::string answer(1, '\0');
  if (!assembles(program)) {
    answer += 'R';
  } else {
    const std::string difference = judge(program);
    answer += difference.empty() ? "A" : "D" + difference;
  }
  for (std::size_t done = 0; done < answer.size();) {
    const ssize_t wrote = ::write(verdict, answer.data() + done, answer.size() - done);
    if (wrote <= 0) std::_Exit(3);
    done += static_cast<std::size_t>(wrote);
  }
  std::_Exit(0);  // without the tidying of a process that shares its memory with the parent
}

// Reads to the end; false if nothing came for too long.
bool read_all(int from, std::string& text) {
  for (;;) {
    pollfd waiting{.fd = from, .events = POLLIN, .revents = 0};
    if (::poll(&waiting, 1, kMostMilliseconds) == 0) return false;
    char part[4096];
    const ssize_t got = ::read(from, part, sizeof part);
    if (got <= 0) return true;
    text.append(part, static_cast<std::size_t>(got));
  }
}

Judgement judgement_of(int status, const std::string& text) {
  const bool out_of_time = WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU;
  if (out_of_time) {
    return {Verdict::Hangs, fmt::format("  more than {} s of processor time\n", kProcessorSeconds)};
  }
  const std::size_t at = text.find('\0');
  const bool ended = WIFEXITED(status) && WEXITSTATUS(status) == 0 && at != std::string::npos;
  if (!ended) return {Verdict::Dies, "  the process died: " + text + "\n"};
  const std::string answer = text.substr(at + 1);
  if (answer[0] == 'R') return {Verdict::Refused};
  return {answer[0] == 'A' ? Verdict::Agrees : Verdict::Differs, answer.substr(1)};
}

}  // namespace

Judgement judge_apart(const Generated& program, const Judge& judge) {
  int ends[2];
  if (::pipe(ends) != 0) give_up("pipe");
  const pid_t child = ::fork();
  if (child < 0) give_up("process");
  if (child == 0) {
    ::close(ends[0]);
    judge_and_end(program, judge, ends[1]);
  }
  ::close(ends[1]);
  std::string text;
  const bool came = read_all(ends[0], text);
  ::close(ends[0]);
  if (!came) ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (!came) return {Verdict::Hangs, "  a thread waits for ever\n"};
  return judgement_of(status, text);
}

}  // namespace wse::differential
