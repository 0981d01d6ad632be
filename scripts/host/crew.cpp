// fork, pipes, poll and waitpid.
#include "scripts/host/crew.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <new>
#include <span>
#include <system_error>
#include <thread>

namespace wse::script {
namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 300ms;            // with workers that have been asked to end
constexpr auto kStep = 2ms;                  // of that waiting
constexpr std::size_t kReadBytes = 1 << 16;  // what a pipe holds

std::size_t frame_bytes(std::string_view bytes) {
  std::size_t size = 0;
  if (bytes.size() >= sizeof size) std::memcpy(&size, bytes.data(), sizeof size);
  return size;
}

int wait_for(pid_t process, int options, int& status) {
  while (true) {
    const pid_t ended = ::waitpid(process, &status, options);
    if (ended >= 0 || errno != EINTR) return ended;
  }
}

}  // namespace

void Crew::Unmap::operator()(Shared* shared) const { ::munmap(shared, sizeof(Shared)); }

void Crew::Seat::send(const std::string& frame) {
  const std::size_t size = frame.size();
  int error = isa::write_all(pipe_, std::as_bytes(std::span(&size, 1)));
  if (error == 0) error = isa::write_all(pipe_, std::as_bytes(std::span(frame)));
  if (error != 0) ::_exit(0);
}

std::uint64_t Crew::Seat::take_point() {
  if (grants_ < 0) return shared_.next_point.fetch_add(1);
  std::uint64_t point = 0;
  while (true) {  // a pipe gives what was written in one piece
    const ssize_t count = ::read(grants_, &point, sizeof point);
    if (count == sizeof point) return point;
    if (count >= 0 || errno != EINTR) return ~std::uint64_t{0};  // there will be no more
  }
}

std::expected<Crew, std::string> Crew::start(std::size_t count, std::uint64_t done,
                                             const std::function<void(Seat&)>& work,
                                             Points points) {
  void* const page =
      ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int error = page == MAP_FAILED ? errno : 0;
  if (error == 0) {
    Crew crew(new (page) Shared());
    crew.shared_->work = done;
    const bool ready = points == Points::InOrder || crew.open_grants();
    while (ready && crew.workers_.size() < count && crew.add_worker(work)) {
    }
    error = errno;
    if (!crew.empty()) return crew;
  }
  return std::unexpected("no worker process can be started: " +
                         std::system_category().message(error) + "; --threads=1 needs none");
}

// False: the system has no more descriptors; errno says so.
bool Crew::open_grants() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return false;
  granted_.take(isa::OpenFile(ends[0], true));
  grants_.take(isa::OpenFile(ends[1], true));
  return true;
}

void Crew::grant(std::uint64_t point) {
  isa::write_all(grants_.number(), std::as_bytes(std::span(&point, 1)));
}

// False: the system has no more processes or descriptors; errno says so.
bool Crew::add_worker(const std::function<void(Seat&)>& work) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return false;
  isa::OpenFile reading(ends[0], true);
  isa::OpenFile writing(ends[1], true);
  auto worker = std::make_unique<Worker>(workers_.size(), 0, std::move(reading));
  workers_.reserve(workers_.size() + 1);
  const pid_t parent = ::getpid();
  const pid_t process = ::fork();
  if (process == 0) {
    worker->pipe.close();
    be_worker(parent, writing.number(), work);
  }
  if (process < 0) return false;
  worker->process = process;
  workers_.push_back(std::move(worker));
  return true;
}

void Crew::be_worker(pid_t parent, int pipe, const std::function<void(Seat&)>& work) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(0);  // it ended before that
  std::signal(SIGPIPE, SIG_IGN);
  for (const auto& other : workers_) other->pipe.close();
  grants_.close();
  try {
    Seat seat(*shared_, pipe, granted_.number());
    work(seat);
  } catch (...) {  // no memory for a frame: the parent sees that the point is not done
    ::_exit(1);
  }
  ::_exit(0);
}

Crew::~Crew() {
  if (!shared_) return;
  shared_->stop = true;
  grants_.close();
  for (const auto& worker : workers_) worker->pipe.close();
  const auto until = std::chrono::steady_clock::now() + kPatience;
  int status = 0;
  while (!workers_.empty()) {
    const bool patient = std::chrono::steady_clock::now() < until;
    if (!patient) ::kill(workers_.back()->process, SIGKILL);
    if (wait_for(workers_.back()->process, patient ? WNOHANG : 0, status) != 0) {
      workers_.pop_back();
    } else {
      std::this_thread::sleep_for(kStep);
    }
  }
}

std::optional<Crew::Report> Crew::next(std::chrono::milliseconds look) {
  std::optional<Report> report = report_at_hand();
  if (report) return report;
  wait_for_bytes(look);
  return report_at_hand();
}

std::optional<Crew::Report> Crew::report_at_hand() {
  for (std::size_t k = 0; k < workers_.size(); ++k) {
    Worker& worker = *workers_[k];
    const std::string_view left = std::string_view(worker.bytes).substr(worker.taken);
    const std::size_t size = frame_bytes(left);
    if (left.size() >= sizeof size && left.size() - sizeof size >= size) {
      worker.taken += sizeof size + size;
      return Report{worker.number, std::string(left.substr(sizeof size, size)), std::nullopt};
    }
    if (!worker.at_end) continue;
    Report report{worker.number, {}, 0};
    wait_for(worker.process, 0, *report.ended);
    workers_.erase(workers_.begin() + static_cast<std::ptrdiff_t>(k));
    return report;
  }
  return std::nullopt;
}

void Crew::wait_for_bytes(std::chrono::milliseconds look) {
  std::vector<pollfd> pipes;
  for (const auto& worker : workers_) {
    pipes.push_back({.fd = worker->pipe.number(), .events = POLLIN, .revents = 0});
  }
  if (::poll(pipes.data(), pipes.size(), static_cast<int>(look.count())) <= 0) return;
  for (std::size_t k = 0; k < pipes.size(); ++k) {
    if (pipes[k].revents == 0) continue;
    Worker& worker = *workers_[k];
    worker.bytes.erase(0, std::exchange(worker.taken, 0));
    const std::size_t had = worker.bytes.size();
    worker.bytes.resize(had + kReadBytes);
    const ssize_t count = ::read(pipes[k].fd, worker.bytes.data() + had, kReadBytes);
    worker.bytes.resize(had + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    worker.at_end = count == 0 || (count < 0 && errno != EINTR);
  }
}

}  // namespace wse::script
