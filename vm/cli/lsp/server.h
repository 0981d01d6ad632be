// The language server: takes messages, returns messages. Knows no stream and no clock but what it
// is given, so that a test can talk to it.
//
//     bytes -> FrameReader -> Server::take -> messages out          documents, workspace
//                             Server::wake (the time has come) -> diagnostics of what has changed
//
// Messages come from strangers: any order, any member missing, any size up to kMostMessageBytes.
// Must never answer a notification, answer a request twice, or leave one without an answer.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "vm/cli/lsp/features.h"

namespace wse::lsp {

using Clock = std::chrono::steady_clock;

inline constexpr std::chrono::milliseconds kQuiet{150};  // after typing, before diagnostics

class Server {
 public:
  explicit Server(Host host) : workspace_(std::move(host)) {}

  // Messages to send for one that has come, in their order.
  std::vector<std::string> take(std::string_view message, Clock::time_point now);

  // When wake() has something to do; nothing: only after another message.
  std::optional<Clock::time_point> due() const { return due_; }
  // Publishes the diagnostics of what has changed, if its time has come.
  std::vector<std::string> wake(Clock::time_point now);

  // After the notification `exit`: the exit code, 0 if a shutdown came before it.
  std::optional<int> exit_code() const { return exit_code_; }

 private:
  enum class State : std::uint8_t { Fresh, Running, ShutDown };
  using Answer = isa::Result<Json>;

  struct Request {
    std::string method;
    const Json& params;
  };

  void request(const Json& id, const Request& asked);
  void notification(const Request& told, Clock::time_point now);
  Answer initialize(const Json& params);
  Json capabilities() const;
  Answer answer(const Request& asked);
  Answer of_place(const Request& asked, const Document& document);
  Answer of_document(const Request& asked, const Document& document);

  void opened(const Json& params, Clock::time_point now);
  void changed(const Json& params, Clock::time_point now);
  void closed(const Json& params, Clock::time_point now);
  void configured(const Json& params, Clock::time_point now);
  void wait_for_quiet(Clock::time_point now) { due_ = now + kQuiet; }
  void publish();
  std::set<std::string> included_documents();
  void publish_of(const std::string& uri, const std::map<std::string, Json>& found);
  void send_diagnostics(const std::string& uri);

  void send(const Json& message) { out_.push_back(json_text(message)); }
  void send_result(const Json& id, const Json& result);
  void send_error(const Json& id, int code, const std::string& message);
  void show(const std::string& message);

  Workspace workspace_;
  State state_ = State::Fresh;
  std::vector<std::string> out_;
  std::optional<Clock::time_point> due_;
  std::optional<int> exit_code_;
  // By address of the file, what each document finds in it.
  std::map<std::string, std::map<std::string, Json>> published_;
};

}  // namespace wse::lsp
