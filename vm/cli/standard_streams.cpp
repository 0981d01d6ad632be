// Unbuffered writes: what was printed is out, or its failure is known.
#include "vm/cli/standard_streams.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <span>

#include "isa/support/open_file.h"
#include "isa/support/visible.h"

namespace wse::cli {
namespace {

constexpr int kPipePatienceMs = 100;  // with the reader of a pipe

Outcome<void> to_stdout(std::string_view text) {
  return outcome(isa::write_to(STDOUT_FILENO, "stdout", std::as_bytes(std::span(text))));
}

void to_stderr(const std::string& text) {
  isa::write_all(STDERR_FILENO, std::as_bytes(std::span(text)));
}

}  // namespace

void prepare_standard_streams() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    // In ascending order, each gets the lowest free number: its own. Open the wrong way round.
    ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

Outcome<void> print_text(std::string_view text) { return to_stdout(isa::visible(text)); }

Outcome<void> print_data(std::string_view text) {
  return ::isatty(STDOUT_FILENO) == 1 ? print_text(text) : to_stdout(text);
}

Outcome<void> print_drawing(std::string_view text) { return to_stdout(text); }

void complain(std::string_view text) { to_stderr(isa::visible(text)); }

void complain_if_ready(std::string_view text) {
  pollfd ready{.fd = STDERR_FILENO, .events = POLLOUT, .revents = 0};
  if (::poll(&ready, 1, kPipePatienceMs) > 0) complain(text);
}

void redraw_line(std::string_view text) { to_stderr("\r" + isa::visible_line(text)); }

void complain_of_error(std::string_view message) {
  std::string text = "wsevm: error: ";
  for (const char c : message) {
    text += c;
    if (c == '\n') text += "  ";
  }
  complain(text + "\n");
}

ExitCode report(const Failure& failure) {
  const std::string& message = failure.message;
  if (message.empty() || message.ends_with('\n')) {  // diagnostics of the assembler
    complain(message);
  } else {
    complain_of_error(message);
  }
  return failure.code;
}

}  // namespace wse::cli
