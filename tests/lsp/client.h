// A client of the language server for tests: sends messages, keeps what comes back, moves the time.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/files.h"
#include "vm/cli/lsp/server.h"

namespace wse::lsp {

inline Host test_host() {
  return {.load = [](const std::string& path) -> isa::Result<std::optional<std::string>> {
            if (!std::filesystem::is_regular_file(path)) return std::nullopt;
            return test_support::read_text(path);
          },
          .profile = [](const std::string& name) -> isa::Result<isa::Profile> {
            const auto found = isa::find_profile(name);
            if (!found) return isa::fail("no such profile");
            return *found;
          },
          .version = "0"};
}

inline const std::filesystem::path kTree = WSE_SOURCE_DIR;

class Client {
 public:
  explicit Client(Host host = test_host()) : server_(std::move(host)) {}

  // The answer to a request: its result, or its error in "error".
  Json ask(const std::string& method, Json params) {
    const int id = ++id_;
    take(json_text({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}}));
    for (const Json& message : received_) {
      if (member(message, {"id"}) == nullptr || message["id"] != id) continue;
      Json answer = message.contains("result") ? message["result"] : Json(message);
      received_.clear();
      return answer;
    }
    ADD_FAILURE() << method << " has no answer";
    return nullptr;
  }
  void tell(const std::string& method, Json params) {
    take(json_text({{"jsonrpc", "2.0"}, {"method", method}, {"params", params}}));
  }
  void take(std::string_view message) {
    for (const std::string& sent : server_.take(message, now_)) keep(sent);
  }
  // So much time goes by.
  void wait(std::chrono::milliseconds time = kQuiet) {
    now_ += time;
    for (const std::string& sent : server_.wake(now_)) keep(sent);
  }

  Json begin(Json options = nullptr) {
    Json answer = ask("initialize", {{"capabilities", Json::object()},
                                     {"initializationOptions", std::move(options)}});
    tell("initialized", Json::object());
    return answer;
  }
  void open(const std::string& uri, const std::string& text) {
    tell("textDocument/didOpen",
         {{"textDocument", {{"uri", uri}, {"languageId", "wsa"}, {"version", 1}, {"text", text}}}});
  }
  void change(const std::string& uri, const std::string& text) {
    tell("textDocument/didChange", {{"textDocument", {{"uri", uri}, {"version", 2}}},
                                    {"contentChanges", Json::array({{{"text", text}}})}});
  }
  Json at(const std::string& method, const std::string& uri, Position place, Json more = {}) {
    Json params = {{"textDocument", {{"uri", uri}}}, {"position", position_json(place)}};
    if (more.is_object()) params.update(more);
    return ask("textDocument/" + method, params);
  }
  Json whole(const std::string& method, const std::string& uri) {
    return ask("textDocument/" + method,
               {{"textDocument", {{"uri", uri}}},
                {"range", {{"start", position_json({})}, {"end", position_json({1'000'000, 0})}}},
                {"context", {{"diagnostics", Json::array()}}}});
  }
  // The diagnostics of the file that were published last; null: none were.
  Json published(const std::string& uri) {
    Json last;
    for (const Json& message : received_) {
      const bool is_published = message.value("method", "") == "textDocument/publishDiagnostics";
      if (is_published && message["params"]["uri"] == uri) last = message["params"]["diagnostics"];
    }
    received_.clear();
    return last;
  }

  Server& server() { return server_; }
  std::vector<Json>& received() { return received_; }

 private:
  void keep(const std::string& sent) {
    const std::optional<Json> json = parse_json(sent);
    ASSERT_TRUE(json) << sent;
    received_.push_back(*json);
  }

  Server server_;
  Clock::time_point now_{};
  int id_ = 0;
  std::vector<Json> received_;
};

// The place of the `number`-th time that the words are in the text, counted from 1.
inline Position place_of(const std::string& text, std::string_view words, int number = 1) {
  std::size_t at = text.find(words);
  while (--number > 0 && at != std::string::npos) at = text.find(words, at + 1);
  EXPECT_NE(at, std::string::npos) << words;
  return LineTable(text).position(static_cast<std::uint32_t>(at));
}

inline std::string tutorial(const std::string& name) {
  return (kTree / "asm/tutorial" / name).string();
}

inline const std::string kTasks = R"(; A stream of values.
.const N = 10
.grid 2, 1
.colour red
.entry stop
.program sender
  .i32 v[N] = i * i
  task main:
    mov32 fabout(red), v
    mov32 fabout(red, control), control(stop, nop)
.program receiver
  .i32 count
  .reg sum, value
  task main:
    mov32 sum, 0
  task take on red (value):
    add32 sum, sum, value
    add32 count, count, 1
  task finish control stop:
    print "{count} values, together {sum}"
    halt
.place sender   at (0, 0)
.place receiver at (1, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp
.expect count at (1, 0) == N
)";
inline const std::string kUri = "file:///p/tasks.wsa";

// A client with the document open and checked.
struct Opened {
  explicit Opened(const std::string& text = kTasks, const std::string& uri = kUri) {
    client.begin();
    client.open(uri, text);
  }
  Client client;
};

}  // namespace wse::lsp
