// wsevm lsp: the language server on stdin and stdout. Waits for bytes, or for the time at which
// diagnostics are due.
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>

#include "vm/cli/commands.h"
#include "vm/cli/interrupt.h"
#include "vm/cli/lsp/frames.h"
#include "vm/cli/lsp/server.h"
#include "vm/cli/machine_option.h"
#include "vm/cli/memory_limit.h"
#include "vm/cli/run_profiles.h"
#include "vm/cli/standard_streams.h"
#include "vm/front/source_loader.h"

namespace wse::cli {
namespace {

using lsp::Clock;

constexpr std::size_t kPieceBytes = std::size_t{1} << 16;

lsp::Host host_for(const std::string& version) {
  const auto profiles = std::make_shared<RunProfiles>();
  return {.load =
              [](const std::string& path) {
                isa::InputList inputs;
                return front::load_source(path, inputs);
              },
          .run_profile = [profiles](const std::string& path) { return profiles->read(path); },
          .profile = [](const std::string& name) -> isa::Result<isa::Profile> {
            isa::InputList inputs;
            const Outcome<isa::MeasuredProfile> found = find_machine(name, inputs);
            if (!found) return isa::fail(found.error().message);
            return found->profile;
          },
          .version = version};
}

Outcome<void> send(const std::vector<std::string>& messages) {
  for (const std::string& message : messages) {
    if (const Outcome<void> sent = print_data(lsp::framed(message)); !sent) return sent;
  }
  return {};
}

// Milliseconds until then, rounded up; -1: forever.
int wait_until(const std::optional<Clock::time_point>& due) {
  if (!due) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*due - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
}

Outcome<ExitCode> serve(const std::string& version) {
  lsp::Server server(host_for(version));
  lsp::FrameReader frames;
  std::array<char, kPieceBytes> piece{};
  for (;;) {
    pollfd in{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
    const int ready = ::poll(&in, 1, wait_until(server.due()));
    if (ready < 0 && errno != EINTR) return failure("stdin cannot be waited for");
    if (ready > 0) {
      const ssize_t count = ::read(STDIN_FILENO, piece.data(), piece.size());
      if (count < 0 && errno != EINTR) return failure("stdin cannot be read");
      if (count == 0) return ExitCode::EndedBadly;  // an editor says so before it goes
      if (count > 0) frames.add({piece.data(), static_cast<std::size_t>(count)});
    }
    for (;;) {
      isa::Result<std::optional<std::string>> message = frames.next();
      if (!message) return failure("stdin: " + message.error());
      if (!*message) break;
      if (const auto sent = send(server.take(**message, Clock::now())); !sent) {
        return std::unexpected(sent.error());
      }
      if (const auto code = server.exit_code()) {
        return *code == 0 ? ExitCode::Fine : ExitCode::EndedBadly;
      }
    }
    if (const auto sent = send(server.wake(Clock::now())); !sent) {
      return std::unexpected(sent.error());
    }
  }
}

}  // namespace

ExitCode lsp_command(const std::string& version) {
  Interrupts interrupts;
  const Outcome<ExitCode> code = guarded([&] { return serve(version); });
  return code ? *code : report(code.error());
}

}  // namespace wse::cli
