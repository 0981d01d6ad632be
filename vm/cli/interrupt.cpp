// The thread that waits for signals. Being a thread and no signal handler, it may write files.
#include "vm/cli/interrupt.h"

#include <pthread.h>
#include <unistd.h>

#include <system_error>

#include "isa/support/output_file.h"
#include "vm/cli/failure.h"
#include "vm/cli/standard_streams.h"

namespace wse::cli {
namespace {

constexpr timespec kOneRequest{.tv_sec = 0, .tv_nsec = 100'000'000};  // that comes as two signals
constexpr timespec kPatience{.tv_sec = 1, .tv_nsec = 0};        // with a command that sees the flag
constexpr timespec kCyclePatience{.tv_sec = 10, .tv_nsec = 0};  // and then with one cycle

bool is_ignored(int signal) {
  struct sigaction action{};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

// A script may have written files before.
const char* message_of(Interrupts::Stage stage, Interrupts::Subject subject) {
  switch (stage) {
    case Interrupts::Stage::Preparing:
    case Interrupts::Stage::GivenUp: return "interrupted: no file was written";
    case Interrupts::Stage::Running:
      return subject == Interrupts::Subject::Program
                 ? "interrupted in a cycle that takes long: no file was written"
                 : "interrupted in a step of the script that takes long; what it has written stays";
    case Interrupts::Stage::Writing:
      return "interrupted while files were written: each is whole, or as it was";
  }
  return "";
}

}  // namespace

Interrupts::Interrupts(std::function<void(const std::string&)> record, Subject subject)
    : record_(std::move(record)), subject_(subject) {
  ::sigemptyset(&signals_);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (!is_ignored(signal)) ::sigaddset(&signals_, signal);
  }
  sigset_t wake{};
  ::sigemptyset(&wake);
  ::sigaddset(&wake, SIGUSR1);
  ::sigaddset(&signals_, SIGUSR1);
  ::pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  try {
    watcher_ = std::thread([this] { watch(); });
    ::pthread_sigmask(SIG_UNBLOCK, &wake, nullptr);  // blocked in the thread alone
  } catch (const std::system_error&) {  // no thread to be had: signals end the process as always
    ::pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
  }
}

Interrupts::~Interrupts() {
  if (!watcher_.joinable()) return;
  finished_ = true;
  ::pthread_kill(watcher_.native_handle(), SIGUSR1);
  watcher_.join();
  // An interrupted command is about to end with its own exit code: the second signal of one request
  // must not kill the process first, and stays blocked.
  if (!flag_) ::pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
}

void Interrupts::enter(Stage stage) {
  Stage before = stage_;
  while (before != Stage::GivenUp && !stage_.compare_exchange_weak(before, stage)) {
  }
  while (before == Stage::GivenUp) ::pause();
}

void Interrupts::take_last_words() {
  if (command_has_them_) return;
  command_has_them_ = !last_words_.exchange(true);
  while (!command_has_them_) ::pause();
}

void Interrupts::watch() {
  int signal = 0;
  ::sigwait(&signals_, &signal);
  if (finished_) return;
  flag_ = true;
  Stage preparing = Stage::Preparing;
  if (!stage_.compare_exchange_strong(preparing, Stage::GivenUp)) wait_for_the_command();
  if (!finished_) end_process();
}

void Interrupts::wait_for_the_command() {
  ::sigtimedwait(&signals_, nullptr, &kOneRequest);
  if (finished_ || ::sigtimedwait(&signals_, nullptr, &kPatience) >= 0 || finished_) return;
  if (keeps_run_) {
    complain_if_ready(
        "wsevm: interrupted; the checkpoint is on its way, a second interrupt gives it up\n");
    ::sigwaitinfo(&signals_, nullptr);
    return;
  }
  if (subject_ == Subject::Script || stage_ != Stage::Running) return;
  complain_if_ready(
      "wsevm: interrupted in a cycle that takes long; waiting for its end, a second interrupt ends "
      "at once\n");
  ::sigtimedwait(&signals_, nullptr, &kCyclePatience);
}

void Interrupts::end_process() {
  const bool command_has_last_words = last_words_.exchange(true);
  if (command_has_last_words) ::sigtimedwait(&signals_, nullptr, &kPatience);
  if (finished_) return;
  try {
    if (!command_has_last_words) {
      const std::string message = message_of(stage_, subject_);
      complain_if_ready("wsevm: " + message + "\n");
      if (record_) record_(message);
    }
  } catch (const std::exception&) {  // no memory for last words
  }
  isa::remove_temporaries_for_good();
  ::_exit(static_cast<int>(ExitCode::Interrupted));
}

void end_for_good() {
  isa::remove_temporaries_for_good();
  ::_exit(static_cast<int>(ExitCode::BadInput));
}

}  // namespace wse::cli
