// Messages of an editor, a line each, to a server that has a document open; and the same bytes as a
// stream.
#include <algorithm>

#include "tests/fuzz/checks.h"
#include "tests/fuzz/harness.h"
#include "vm/cli/lsp/frames.h"
#include "vm/cli/lsp/server.h"

namespace wse::fuzz {
namespace {

constexpr std::size_t kMostMessages = 64;

constexpr std::string_view kFirst[] = {
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{}}})",
    R"({"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///a.wsa",)"
    R"("text":".grid 2, 1\n.colour red\n.program p\n  .reg a\n  task main:\n    mov32 a, 1\n"}}})"};

lsp::Host host() {
  return {.load = [](const std::string&) -> isa::Result<std::optional<std::string>> {
            return std::nullopt;
          },
          .profile = [](const std::string& name) -> isa::Result<isa::Profile> {
            const auto found = isa::find_profile(name);
            if (!found) return isa::fail("no such profile");
            return *found;
          },
          .version = ""};
}

void take(lsp::Server& server, std::string_view message) {
  const auto asked = lsp::parse_json(message);
  std::size_t answers = 0;
  for (const std::string& sent : server.take(message, {})) {
    const auto json = lsp::parse_json(sent);
    require(json.has_value(), "what the server sends is JSON", sent);
    answers += json->contains("id") ? 1 : 0;
  }
  require(answers <= 1, "a message has one answer at most", message);
  const bool is_request = asked && asked->is_object() && asked->contains("id") &&
                          asked->contains("method") && asked->at("method").is_string();
  require(!is_request || answers == 1, "a request has an answer", message);
}

}  // namespace

void check_messages(std::string_view lines) {
  lsp::FrameReader frames;
  frames.add(lines);
  while (true) {
    const auto message = frames.next();
    if (!message || !*message) break;
  }
  lsp::Server server(host());
  for (const std::string_view message : kFirst) take(server, message);
  for (std::size_t k = 0; k < kMostMessages && !lines.empty(); ++k) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    take(server, lines.substr(0, end));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  for (const std::string& sent : server.wake(lsp::Clock::time_point::max())) {
    require(lsp::parse_json(sent).has_value(), "what the server publishes is JSON", sent);
  }
}

}  // namespace wse::fuzz
