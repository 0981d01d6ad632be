// Strips that are processes of this host: a medium whose messages and reports go over sockets. It
// shows that strips have nothing of each other but what they say.
//
//     Processes medium;
//     machine = Machine::create(image, profile, {.threads = 3, .medium = &medium});
//     medium.fork([&](std::uint32_t strip) { machine->run({}); return bytes; });
//
// A frame is a kind, a size and a turn, then bytes. Messages go from strip to strip, reports to
// strip 0, which sends back what all have joined, and to how many messages each must wait for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vm/contract/communicator.h"

namespace wse::test_support {

// The end of one strip: its link and its place in reductions.
class ProcessEnd final : public vm::Link, public vm::Reduce {
 public:
  static constexpr std::uint32_t kMostStrips = 8;

  // `sockets`: by strip, -1 for its own.
  ProcessEnd(std::uint32_t strip, std::vector<int> sockets);
  ProcessEnd(const ProcessEnd&) = delete;
  ProcessEnd& operator=(const ProcessEnd&) = delete;
  ~ProcessEnd() override { close(); }

  // ---- Link
  std::uint32_t strips() const override { return static_cast<std::uint32_t>(peers_.size()); }
  std::uint32_t strip() const override { return strip_; }
  vm::MessageBytes& to(std::uint32_t strip) override { return peers_[strip].written; }
  void turn() override;
  std::span<const std::byte> from(std::uint32_t strip) override {
    return peers_[strip].messages[(turn_ - 1) % kTurns];
  }

  void post(std::uint32_t strip, vm::MessageBytes bytes) override {
    send(strip, Kind::Mail, bytes);
  }
  bool receive(vm::Mail& mail) override;
  void wait_for_mail() override;
  void fail() override;
  void connect(vm::Server& server) override { server_ = &server; }
  // Returns what was given to connect(); null: nothing was.
  vm::Server* server() const { return server_; }

  // ---- Reduce; throws LostStrip if a process that is waited for has ended.
  vm::StripReport join(const vm::StripReport& report, vm::Server* server) override;
  void meet(vm::Server* server) override { join({}, server); }

  // Kills this process where it has sent so many frames and is to send another one.
  void die_after(std::uint32_t frames) { frames_left_ = frames; }
  // Closes its sockets: who waits for it sees that it has ended.
  void close();

 private:
  // The turn before, which is read, this one, and the next one, in which others may be already.
  static constexpr std::uint64_t kTurns = 3;

  enum class Kind : std::uint32_t { Message, Mail, Failure, Report, Joined };
  struct Header {
    Kind kind = Kind::Message;
    std::uint32_t bytes = 0;
    std::uint64_t turn = 0;
  };
  // A strip sends its report to strip 0, which sends back that of all.
  struct Report {
    vm::StripReport report;
    std::array<std::uint32_t, kMostStrips> messages = {};  // sent to each strip, so far in the turn
  };
  struct Peer {
    int socket = -1;
    bool has_ended = false;
    vm::MessageBytes written;                       // in this turn
    bool is_sent = false;                           // that
    std::array<vm::MessageBytes, kTurns> messages;  // from it, by turn
    std::vector<std::byte> outgoing;
    std::vector<std::byte> incoming;
    std::optional<Report> report;  // to strip 0
  };

  Report send_messages(const vm::StripReport& report);
  Report join_all(const Report& mine, vm::Server* server);
  void send(std::uint32_t strip, Kind kind, std::span<const std::byte> bytes);
  // Sends and receives until is_done() holds.
  template <class IsDone>
  void pump(vm::Server* server, IsDone is_done);
  void wait_for_sockets(int milliseconds);
  void write_to(Peer& peer);
  void read_from(std::uint32_t strip);
  void take_frames(std::uint32_t strip);
  bool is_drained() const;
  // Throws LostStrip if the process of the strip has ended.
  void expect_alive(std::uint32_t strip) const;

  std::uint32_t strip_;
  std::vector<Peer> peers_;
  std::uint64_t turn_ = 0;
  std::array<std::uint32_t, kTurns> received_ = {};  // messages, by turn
  std::optional<Report> joined_;                     // from strip 0
  std::deque<vm::Mail> mail_;
  std::optional<std::uint32_t> failed_;       // another strip
  std::optional<std::uint32_t> frames_left_;  // to be sent, before this process is killed
  vm::Server* server_ = nullptr;
};

class Processes final : public vm::Medium {
 public:
  std::unique_ptr<vm::Communicator> connect(std::uint32_t strips) const override;
  std::uint32_t threads(std::uint32_t /*strips*/) const override { return 1; }

  // The bytes that a strip's process returned, or why it did not.
  struct Result {
    std::vector<std::byte> bytes;
    std::string error;
  };
  // Forks a process for each strip of the machine that was made last, in which work(strip) runs,
  // and waits for all. A process that takes longer than a minute is ended.
  using Work = std::function<std::vector<std::byte>(std::uint32_t strip)>;
  std::vector<Result> fork(const Work& work) const;
  // The process of a strip will be killed once it has sent so many frames.
  void lose(std::uint32_t strip, std::uint32_t frames) { lost_ = {strip, frames}; }

 private:
  struct Lost {
    std::uint32_t strip = ~0u;
    std::uint32_t frames = 0;
  };
  class Ends;
  Lost lost_;
  mutable Ends* ends_ = nullptr;  // of the machine that was made last, which must live
};

}  // namespace wse::test_support
