// Frames over sockets that never block: who waits for one process reads what all others send.
#include "tests/support/processes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <utility>

namespace wse::test_support {
namespace {

constexpr std::size_t kPiece = 1 << 16;
constexpr unsigned kMostSeconds = 60;

void add(std::vector<std::byte>& bytes, std::span<const std::byte> more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

}  // namespace

SocketChannel::SocketChannel(std::uint32_t process, const std::vector<int>& sockets)
    : process_(process), peers_(sockets.size()) {
  for (std::size_t k = 0; k < sockets.size(); ++k) peers_[k].socket = sockets[k];
}

// Processes that wait for this one see that it has ended.
SocketChannel::~SocketChannel() {
  for (const Peer& peer : peers_) {
    if (peer.socket >= 0) ::close(peer.socket);
  }
}

void SocketChannel::send(std::uint32_t process, vm::MessageBytes frame) {
  if (frames_left_ && (*frames_left_)-- == 0) ::raise(SIGKILL);
  vm::append(peers_[process].outgoing, std::uint64_t{frame.size()});
  add(peers_[process].outgoing, frame);
  write_to(peers_[process]);
}

bool SocketChannel::receive(vm::Frame& frame, bool waits) {
  if (frames_.empty()) move_bytes(waits ? 1 : 0);
  if (frames_.empty()) return false;
  frame = std::move(frames_.front());
  frames_.pop_front();
  return true;
}

bool SocketChannel::is_drained() {
  return std::ranges::all_of(
      peers_, [](const Peer& peer) { return peer.outgoing.empty() || peer.has_ended; });
}

std::string SocketChannel::loss(std::uint32_t process) {
  if (!peers_[process].has_ended) return {};
  return fmt::format("process {} has ended", process);
}

void SocketChannel::move_bytes(int milliseconds) {
  std::vector<pollfd> polled;
  std::vector<std::uint32_t> processes;
  for (std::uint32_t process = 0; process < peers_.size(); ++process) {
    const Peer& peer = peers_[process];
    if (peer.socket < 0 || peer.has_ended) continue;
    const short events = peer.outgoing.empty() ? POLLIN : POLLIN | POLLOUT;
    polled.push_back({.fd = peer.socket, .events = events, .revents = 0});
    processes.push_back(process);
  }
  ::poll(polled.data(), polled.size(), milliseconds);
  for (std::size_t k = 0; k < polled.size(); ++k) {
    if ((polled[k].revents & POLLOUT) != 0) write_to(peers_[processes[k]]);
    if ((polled[k].revents & (POLLIN | POLLHUP | POLLERR)) != 0) read_from(processes[k]);
  }
}

// read_from() notes that the other process has ended.
void SocketChannel::write_to(Peer& peer) {
  const ssize_t count =
      ::send(peer.socket, peer.outgoing.data(), peer.outgoing.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (count > 0) peer.outgoing.erase(peer.outgoing.begin(), peer.outgoing.begin() + count);
  if (count < 0 && errno != EAGAIN && errno != EINTR) peer.outgoing.clear();
}

void SocketChannel::read_from(std::uint32_t process) {
  Peer& peer = peers_[process];
  std::array<std::byte, kPiece> piece;
  const ssize_t count = ::recv(peer.socket, piece.data(), piece.size(), MSG_DONTWAIT);
  if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) peer.has_ended = true;
  if (count <= 0) return;
  add(peer.incoming, std::span(piece).first(static_cast<std::size_t>(count)));
  std::span<const std::byte> left(peer.incoming);
  std::uint64_t size = 0;
  while (left.size() >= sizeof size) {
    std::memcpy(&size, left.data(), sizeof size);
    if (left.size() - sizeof size < size) break;
    const std::span<const std::byte> bytes = left.subspan(sizeof size, size);
    frames_.push_back({process, {bytes.begin(), bytes.end()}});
    left = left.subspan(sizeof size + size);
  }
  peer.incoming.erase(peer.incoming.begin(),
                      peer.incoming.end() - static_cast<std::ptrdiff_t>(left.size()));
}

// ---- processes

namespace {

// The first byte says whether bytes follow, or the text of an error.
void write_all(int pipe, bool is_good, std::span<const std::byte> bytes) {
  const std::byte first{static_cast<unsigned char>(is_good ? 1 : 0)};
  if (::write(pipe, &first, 1) != 1) return;
  while (!bytes.empty()) {
    const ssize_t count = ::write(pipe, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) return;
    if (count > 0) bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

Processes::Result read_all(int pipe) {
  std::vector<std::byte> bytes;
  std::array<std::byte, kPiece> piece;
  for (;;) {
    const ssize_t count = ::read(pipe, piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    add(bytes, std::span(piece).first(static_cast<std::size_t>(count)));
  }
  if (bytes.empty()) return {.bytes = {}, .error = "its process has ended without a word"};
  const bool is_good = bytes[0] == std::byte{1};
  bytes.erase(bytes.begin());
  if (is_good) return {.bytes = std::move(bytes), .error = {}};
  return {.bytes = {}, .error = {reinterpret_cast<const char*>(bytes.data()), bytes.size()}};
}

// Returns the sockets between all of them, by process.
std::vector<std::vector<int>> sockets_between(std::uint32_t processes) {
  std::vector<std::vector<int>> sockets(processes, std::vector<int>(processes, -1));
  for (std::uint32_t a = 0; a < processes; ++a) {
    for (std::uint32_t b = a + 1; b < processes; ++b) {
      int pair[2];
      if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        throw std::runtime_error(fmt::format("no sockets: {}", std::strerror(errno)));
      }
      sockets[a][b] = pair[0];
      sockets[b][a] = pair[1];
    }
  }
  return sockets;
}

void close_all(const std::vector<int>& sockets) {
  for (const int socket : sockets) {
    if (socket >= 0) ::close(socket);
  }
}

}  // namespace

std::vector<Processes::Result> Processes::fork(std::uint32_t processes, const Work& work) const {
  const std::vector<std::vector<int>> sockets = sockets_between(processes);
  std::vector<std::pair<pid_t, int>> children;  // and the pipe from each
  for (std::uint32_t process = 0; process < processes; ++process) {
    int pipe[2];
    if (::pipe2(pipe, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(kMostSeconds);
      for (std::uint32_t other = 0; other < processes; ++other) {
        if (other != process) close_all(sockets[other]);
      }
      SocketChannel channel(process, sockets[process]);
      if (process == lost_.process) channel.die_after(lost_.frames);
      vm::ProcessMedium medium(channel);
      try {
        write_all(pipe[1], true, work(medium, process));
      } catch (const std::exception& error) {
        write_all(pipe[1], false, std::as_bytes(std::span(std::string_view(error.what()))));
      }
      ::_exit(0);
    }
    ::close(pipe[1]);
    children.emplace_back(child, pipe[0]);
  }
  for (const std::vector<int>& own : sockets) close_all(own);
  std::vector<Result> results;
  for (const auto& [child, pipe] : children) {
    results.push_back(child > 0 ? read_all(pipe) : Result{.bytes = {}, .error = "no process"});
    ::close(pipe);
    int status = 0;
    if (child > 0) ::waitpid(child, &status, 0);
    if (child > 0 && WIFSIGNALED(status)) {
      results.back().error = fmt::format("its process was ended by signal {}", WTERMSIG(status));
    }
  }
  return results;
}

}  // namespace wse::test_support
