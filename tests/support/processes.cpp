// Frames over sockets that never block: who waits for one strip reads what all others send.
#include "tests/support/processes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
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

template <class T>
std::span<const std::byte> bytes_of(const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  return std::as_bytes(std::span(&value, 1));
}

template <class T>
T value_of(std::span<const std::byte> bytes) {
  static_assert(std::is_trivially_copyable_v<T>);
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

void add(std::vector<std::byte>& bytes, std::span<const std::byte> more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

}  // namespace

ProcessEnd::ProcessEnd(std::uint32_t strip, std::vector<int> sockets)
    : strip_(strip), peers_(sockets.size()) {
  for (std::size_t k = 0; k < sockets.size(); ++k) peers_[k].socket = sockets[k];
}

void ProcessEnd::close() {
  for (Peer& peer : peers_) {
    if (peer.socket >= 0) ::close(std::exchange(peer.socket, -1));
  }
}

void ProcessEnd::turn() {
  ++turn_;
  received_[(turn_ + 1) % kTurns] = 0;
  for (Peer& peer : peers_) {
    peer.messages[(turn_ + 1) % kTurns].clear();
    peer.written.clear();
    peer.is_sent = false;
  }
}

void ProcessEnd::send(std::uint32_t strip, Kind kind, std::span<const std::byte> bytes) {
  if (frames_left_ && (*frames_left_)-- == 0) ::raise(SIGKILL);
  const Header header = {kind, static_cast<std::uint32_t>(bytes.size()), turn_};
  add(peers_[strip].outgoing, bytes_of(header));
  add(peers_[strip].outgoing, bytes);
}

bool ProcessEnd::receive(vm::Mail& mail) {
  if (mail_.empty()) return false;
  mail = std::move(mail_.front());
  mail_.pop_front();
  return true;
}

void ProcessEnd::wait_for_mail() {
  if (failed_) throw vm::LostStrip(fmt::format("strip {} has failed", *failed_));
  for (std::uint32_t strip = 0; strip < strips(); ++strip) expect_alive(strip);
  if (mail_.empty()) wait_for_sockets(-1);
}

void ProcessEnd::expect_alive(std::uint32_t strip) const {
  if (peers_[strip].has_ended)
    throw vm::LostStrip(fmt::format("the process of strip {} has ended", strip));
}

void ProcessEnd::fail() {
  for (std::uint32_t strip = 0; strip < strips(); ++strip) {
    if (strip != strip_) send(strip, Kind::Failure, {});
  }
}

ProcessEnd::Report ProcessEnd::send_messages(const vm::StripReport& report) {
  Report mine = {.report = report};
  for (std::uint32_t strip = 0; strip < strips(); ++strip) {
    Peer& peer = peers_[strip];
    if (strip == strip_ || peer.written.empty()) continue;
    if (!std::exchange(peer.is_sent, true)) send(strip, Kind::Message, peer.written);
    mine.messages[strip] = 1;
  }
  return mine;
}

vm::StripReport ProcessEnd::join(const vm::StripReport& report, vm::Server* server) {
  const Report mine = send_messages(report);
  joined_.reset();
  if (strip_ == 0) {
    joined_ = join_all(mine, server);
  } else {
    send(0, Kind::Report, bytes_of(mine));
    pump(server, [this] {
      if (!joined_) expect_alive(0);
      return joined_.has_value();
    });
  }
  // A strip that is ahead may have sent a message more.
  pump(server,
       [this] { return received_[turn_ % kTurns] >= joined_->messages[strip_] && is_drained(); });
  return joined_->report;
}

ProcessEnd::Report ProcessEnd::join_all(const Report& mine, vm::Server* server) {
  const auto others = std::span(peers_).subspan(1);
  pump(server, [&] {
    for (std::uint32_t strip = 1; strip < strips(); ++strip) {
      if (!peers_[strip].report) expect_alive(strip);
    }
    return std::ranges::all_of(others, [](const Peer& peer) { return peer.report.has_value(); });
  });
  Report all = mine;
  for (Peer& peer : others) {
    all.report.join(peer.report->report);
    for (std::size_t k = 0; k < kMostStrips; ++k) all.messages[k] += peer.report->messages[k];
    peer.report.reset();
  }
  for (std::uint32_t strip = 1; strip < strips(); ++strip) send(strip, Kind::Joined, bytes_of(all));
  return all;
}

bool ProcessEnd::is_drained() const {
  return std::ranges::all_of(peers_, [](const Peer& peer) { return peer.outgoing.empty(); });
}

template <class IsDone>
void ProcessEnd::pump(vm::Server* server, IsDone is_done) {
  while (!is_done()) {
    for (std::uint32_t strip = 0; strip < strips(); ++strip) {
      if (!peers_[strip].outgoing.empty()) expect_alive(strip);
    }
    const bool served = server != nullptr && server->serve();
    wait_for_sockets(served ? 0 : server != nullptr ? 1 : -1);
  }
}

void ProcessEnd::wait_for_sockets(int milliseconds) {
  std::vector<pollfd> polled;
  std::vector<std::uint32_t> strips;
  for (std::uint32_t strip = 0; strip < peers_.size(); ++strip) {
    const Peer& peer = peers_[strip];
    if (peer.socket < 0 || peer.has_ended) continue;
    const short events = peer.outgoing.empty() ? POLLIN : POLLIN | POLLOUT;
    polled.push_back({.fd = peer.socket, .events = events, .revents = 0});
    strips.push_back(strip);
  }
  if (polled.empty()) throw vm::LostStrip("the processes of all other strips have ended");
  ::poll(polled.data(), polled.size(), milliseconds);
  for (std::size_t k = 0; k < polled.size(); ++k) {
    if ((polled[k].revents & POLLOUT) != 0) write_to(peers_[strips[k]]);
    if ((polled[k].revents & (POLLIN | POLLHUP | POLLERR)) != 0) read_from(strips[k]);
  }
}

void ProcessEnd::write_to(Peer& peer) {
  const ssize_t count =
      ::send(peer.socket, peer.outgoing.data(), peer.outgoing.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (count > 0) peer.outgoing.erase(peer.outgoing.begin(), peer.outgoing.begin() + count);
  if (count < 0 && errno != EAGAIN && errno != EINTR) peer.has_ended = true;
}

void ProcessEnd::read_from(std::uint32_t strip) {
  Peer& peer = peers_[strip];
  std::array<std::byte, kPiece> piece;
  const ssize_t count = ::recv(peer.socket, piece.data(), piece.size(), MSG_DONTWAIT);
  if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) peer.has_ended = true;
  if (count <= 0) return;
  add(peer.incoming, std::span(piece).first(static_cast<std::size_t>(count)));
  take_frames(strip);
}

void ProcessEnd::take_frames(std::uint32_t strip) {
  Peer& peer = peers_[strip];
  std::span<const std::byte> left(peer.incoming);
  while (left.size() >= sizeof(Header)) {
    const Header header = value_of<Header>(left);
    if (left.size() < sizeof header + header.bytes) break;
    const std::span<const std::byte> bytes = left.subspan(sizeof header, header.bytes);
    left = left.subspan(sizeof header + header.bytes);
    switch (header.kind) {
      case Kind::Message:
        if (header.turn - turn_ > 1) throw std::runtime_error("a message of another turn");
        peer.messages[header.turn % kTurns].assign(bytes.begin(), bytes.end());
        ++received_[header.turn % kTurns];
        break;
      case Kind::Mail: mail_.push_back({strip, {bytes.begin(), bytes.end()}}); break;
      case Kind::Failure: failed_ = strip; break;
      case Kind::Report: peer.report = value_of<Report>(bytes); break;
      case Kind::Joined: joined_ = value_of<Report>(bytes); break;
    }
  }
  peer.incoming.erase(peer.incoming.begin(),
                      peer.incoming.end() - static_cast<std::ptrdiff_t>(left.size()));
}

// ---- processes

class Processes::Ends final : public vm::Communicator {
 public:
  Ends(const Processes& medium, std::uint32_t strips) : medium_(medium) {
    std::vector<std::vector<int>> sockets(strips, std::vector<int>(strips, -1));
    for (std::uint32_t a = 0; a < strips; ++a) {
      for (std::uint32_t b = a + 1; b < strips; ++b) {
        int pair[2];
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
          throw std::runtime_error(fmt::format("no sockets: {}", std::strerror(errno)));
        }
        sockets[a][b] = pair[0];
        sockets[b][a] = pair[1];
      }
    }
    for (std::uint32_t strip = 0; strip < strips; ++strip) {
      ends_.push_back(std::make_unique<ProcessEnd>(strip, std::move(sockets[strip])));
    }
    medium_.ends_ = this;
  }
  ~Ends() override {
    if (medium_.ends_ == this) medium_.ends_ = nullptr;
  }

  vm::Link& link(std::uint32_t strip) override { return *ends_[strip]; }
  vm::Reduce& reduce(std::uint32_t strip) override { return *ends_[strip]; }
  bool runs(std::uint32_t strip) const override { return strip == own_; }
  vm::StripReport join_others(const vm::StripReport& report) override {
    return own_ < strips() ? ends_[own_]->join(report, ends_[own_]->server()) : report;
  }

  std::uint32_t strips() const { return static_cast<std::uint32_t>(ends_.size()); }
  // This process runs that strip; none of them if there is none of that number.
  void become(std::uint32_t strip) {
    own_ = strip;
    if (strip == medium_.lost_.strip) ends_[strip]->die_after(medium_.lost_.frames);
    for (const auto& end : ends_) {
      if (end->strip() != strip) end->close();
    }
  }

 private:
  const Processes& medium_;
  std::vector<std::unique_ptr<ProcessEnd>> ends_;
  std::uint32_t own_ = ~0u;
};

std::unique_ptr<vm::Communicator> Processes::connect(std::uint32_t strips) const {
  if (strips > ProcessEnd::kMostStrips) throw std::runtime_error("too many strips for processes");
  return std::make_unique<Ends>(*this, strips);
}

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

}  // namespace

std::vector<Processes::Result> Processes::fork(const Work& work) const {
  const std::uint32_t strips = ends_->strips();
  std::vector<std::pair<pid_t, int>> children;  // and the pipe from each
  for (std::uint32_t strip = 0; strip < strips; ++strip) {
    int pipe[2];
    if (::pipe2(pipe, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(kMostSeconds);
      ends_->become(strip);
      try {
        const std::vector<std::byte> bytes = work(strip);
        ends_->join_others({});  // who looks at a wavelet may need a word of this strip
        write_all(pipe[1], true, bytes);
      } catch (const std::exception& error) {
        write_all(pipe[1], false, std::as_bytes(std::span(std::string_view(error.what()))));
      }
      ::_exit(0);
    }
    ::close(pipe[1]);
    children.emplace_back(child, pipe[0]);
  }
  ends_->become(strips);
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
