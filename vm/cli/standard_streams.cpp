// Unbuffered writes: what was printed is out, or its failure is known.
#include "vm/cli/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <span>

#include "isa/support/atomic_file.h"

namespace wse::cli {

void prepare_standard_streams() {
  std::signal(SIGPIPE, SIG_IGN);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    // In ascending order, each gets the lowest free number: its own. Open the wrong way round.
    ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

Outcome<void> print_text(std::string_view text) {
  return outcome(isa::write_whole_file("-", std::as_bytes(std::span(text))));
}

void complain(std::string_view text) {
  isa::write_all(STDERR_FILENO, std::as_bytes(std::span(text)));
}

ExitCode report(const Failure& failure) {
  const std::string& message = failure.message;
  const bool ready = message.empty() || message.ends_with('\n');  // diagnostics of the assembler
  complain(ready ? message : "wsevm: error: " + message + "\n");
  return failure.code;
}

}  // namespace wse::cli
