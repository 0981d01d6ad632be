// Processes of this host that run one machine together: a channel over sockets. It shows that
// strips have nothing of each other but what they say.
//
//     Processes processes;
//     results = processes.fork(3, [&](vm::ProcessMedium& medium, std::uint32_t process) {
//       machine = Machine::create(image, profile, {.threads = 2, .medium = &medium});
//       machine->run({});
//       return bytes;
//     });
//
// On a socket a frame is its size, then bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "vm/processes/process_medium.h"

namespace wse::test_support {

class SocketChannel final : public vm::FrameChannel {
 public:
  // `sockets`: by process, -1 for its own.
  SocketChannel(std::uint32_t process, const std::vector<int>& sockets);
  SocketChannel(const SocketChannel&) = delete;
  SocketChannel& operator=(const SocketChannel&) = delete;
  ~SocketChannel() override;

  std::uint32_t processes() const override { return static_cast<std::uint32_t>(peers_.size()); }
  std::uint32_t process() const override { return process_; }
  void send(std::uint32_t process, vm::MessageBytes frame) override;
  bool receive(vm::Frame& frame, bool waits) override;
  bool is_drained() override;
  std::string loss(std::uint32_t process) override;

  // Kills this process where it has sent so many frames and is to send another one.
  void die_after(std::uint32_t frames) { frames_left_ = frames; }

 private:
  struct Peer {
    int socket = -1;
    bool has_ended = false;
    std::vector<std::byte> outgoing;
    std::vector<std::byte> incoming;
  };

  void move_bytes(int milliseconds);
  void write_to(Peer& peer);
  void read_from(std::uint32_t process);

  std::uint32_t process_;
  std::vector<Peer> peers_;
  std::deque<vm::Frame> frames_;
  std::optional<std::uint32_t> frames_left_;  // to be sent, before this process is killed
};

class Processes {
 public:
  // The bytes that a process returned, or why it did not.
  struct Result {
    std::vector<std::byte> bytes;
    std::string error;
  };
  // Forks so many processes, in which work(medium, process) runs, and waits for all. A process that
  // takes longer than a minute is ended.
  using Work =
      std::function<std::vector<std::byte>(vm::ProcessMedium& medium, std::uint32_t process)>;
  std::vector<Result> fork(std::uint32_t processes, const Work& work) const;
  // Kills that process once it has sent so many frames.
  void lose(std::uint32_t process, std::uint32_t frames) { lost_ = {process, frames}; }

 private:
  struct Lost {
    std::uint32_t process = ~0u;
    std::uint32_t frames = 0;
  };
  Lost lost_;
};

}  // namespace wse::test_support
