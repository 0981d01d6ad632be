// fork, exec, wait4. Between fork and exec only what is safe there is called.
#include "tests/support/child.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <csignal>
#include <ctime>
#include <filesystem>

namespace wse::test_support {
namespace {

constexpr int kCannotStart = 99;
constexpr unsigned kLimitSeconds = 500;  // then SIGALRM ends the child: longer than any host takes
constexpr uid_t kOtherUsers = 64'000;    // the first of those whose numbers nobody has
constexpr mode_t kCaptureMode = 0600;

// The stream becomes `file`, opened with `flags`.
void redirect(int stream, const char* file, int flags) {
  const int number = ::open(file, flags, kCaptureMode);
  if (number < 0) ::_exit(kCannotStart);
  if (number == stream) return;
  ::dup2(number, stream);
  ::close(number);
}

// The writing end of a pipe whose reading end is closed.
void redirect_to_nobody(int stream) {
  int ends[2];
  if (::pipe(ends) != 0) ::_exit(kCannotStart);
  ::close(ends[0]);
  ::dup2(ends[1], stream);
  ::close(ends[1]);
}

// `given`: the end of a pipe or terminal that was made for the stream.
void prepare_stream(int stream, Stream kind, const char* capture, int given) {
  switch (kind) {
    case Stream::Captured: return redirect(stream, capture, O_CREAT | O_WRONLY | O_APPEND);
    case Stream::Closed: ::close(stream); return;
    case Stream::Full: return redirect(stream, "/dev/full", O_WRONLY);
    case Stream::NoReader: return redirect_to_nobody(stream);
    case Stream::Unread:
    case Stream::Terminal: ::dup2(given, stream); return;
  }
}

void limit_files(std::uint64_t bytes) {
  std::signal(SIGXFSZ, SIG_DFL);  // it would end the child: writing must fail, as on a full disk
  const rlimit limit{bytes, bytes};
  ::setrlimit(RLIMIT_FSIZE, &limit);
}

// No limit of tasks binds root. So the child of root becomes another user, a new one each time,
// keeps root's rights to files, and loses the two rights that lift the limit when it calls exec.
void limit_tasks(std::uint64_t most) {
  if (::getuid() == 0) {
    ::prctl(PR_CAPBSET_DROP, CAP_SYS_RESOURCE);
    ::prctl(PR_CAPBSET_DROP, CAP_SYS_ADMIN);
    if (::setresuid(kOtherUsers + ::getpid() % 1000, 0, 0) != 0) ::_exit(kCannotStart);
  }
  const rlimit limit{most, most};
  ::setrlimit(RLIMIT_NPROC, &limit);
}

// Fills the pipe until writing would wait.
void fill(int descriptor) {
  const int flags = ::fcntl(descriptor, F_GETFL);
  ::fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
  const std::string block(4096, '.');
  while (::write(descriptor, block.data(), block.size()) > 0) {
  }
  ::fcntl(descriptor, F_SETFL, flags);
}

// A terminal that changes no byte.
void open_terminal(int (&ends)[2]) {
  ends[0] = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (ends[0] < 0 || ::grantpt(ends[0]) != 0 || ::unlockpt(ends[0]) != 0) return;
  ends[1] = ::open(::ptsname(ends[0]), O_RDWR | O_NOCTTY | O_CLOEXEC);
  termios settings{};
  ::tcgetattr(ends[1], &settings);
  ::cfmakeraw(&settings);
  ::tcsetattr(ends[1], TCSANOW, &settings);
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
}

std::string shown_by(int terminal) {
  std::string text(1 << 16, '\0');
  const ssize_t count = ::read(terminal, text.data(), text.size());
  text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return text;
}

}  // namespace

Child::Child(const std::vector<std::string>& words, const ChildSetup& setup) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const std::string output = captured_.path() / "output";
  const std::string errors = captured_.path() / "errors";
  if (setup.output == Stream::Unread && ::pipe2(unread_, O_CLOEXEC) == 0) fill(unread_[1]);
  if (setup.output == Stream::Terminal) open_terminal(terminal_);
  process_ = ::fork();
  if (process_ != 0) return;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(signal, SIG_DFL);
  for (const int signal : setup.ignored_signals) std::signal(signal, SIG_IGN);
  if (!setup.folder.empty() && ::chdir(setup.folder.c_str()) != 0) ::_exit(kCannotStart);
  const int given = setup.output == Stream::Terminal ? terminal_[1] : unread_[1];
  prepare_stream(STDOUT_FILENO, setup.output, output.c_str(), given);
  prepare_stream(STDERR_FILENO, setup.errors, errors.c_str(), -1);
  if (setup.input.empty()) {
    ::close(STDIN_FILENO);
  } else {
    const bool fifo = std::filesystem::is_fifo(setup.input);  // opens without a writer
    redirect(STDIN_FILENO, setup.input.c_str(), fifo ? O_RDWR : O_RDONLY);
  }
  ::alarm(kLimitSeconds);
  if (setup.powerless) ::prctl(PR_SET_SECUREBITS, SECBIT_NOROOT);  // fails for who is not root
  if (setup.umask) ::umask(*setup.umask);
  if (setup.disk_bytes) limit_files(*setup.disk_bytes);
  if (setup.tasks) limit_tasks(*setup.tasks);
  ::execv(arguments[0], arguments.data());
  ::_exit(kCannotStart);
}

Child::~Child() {
  if (process_ > 0) {
    send(SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  for (const int end : {unread_[0], unread_[1], terminal_[0], terminal_[1]}) {
    if (end >= 0) ::close(end);
  }
}

void Child::send(int signal) const { ::kill(process_, signal); }

std::chrono::nanoseconds Child::processor_time() const {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(process_, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return {};
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

std::vector<std::string> Child::open_files() const {
  std::vector<std::string> files;
  std::error_code error;  // it may end, and close a file, in between
  const std::filesystem::path folder = "/proc/" + std::to_string(process_) + "/fd";
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code closed;
    files.push_back(std::filesystem::read_symlink(entry->path(), closed).string());
  }
  return files;
}

bool Child::has_ended() const {
  siginfo_t ended{};
  return ::waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         ended.si_pid == process_;
}

std::string Child::errors() const { return read_text(captured_.path() / "errors"); }

Ending Child::wait() {
  int status = 0;
  rusage usage{};
  ::wait4(process_, &status, 0, &usage);
  process_ = -1;
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return {
      .code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
      .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
      .output = terminal_[0] >= 0 ? shown_by(terminal_[0]) : read_text(captured_.path() / "output"),
      .errors = read_text(captured_.path() / "errors"),
      .processor_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime),
      .peak_kilobytes = usage.ru_maxrss};
}

std::vector<std::string> wsevm_words(const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {WSE_BINARY_DIR "/wsevm"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

Ending run_wsevm(const std::vector<std::string>& arguments, const ChildSetup& setup) {
  return Child(wsevm_words(arguments), setup).wait();
}

}  // namespace wse::test_support
