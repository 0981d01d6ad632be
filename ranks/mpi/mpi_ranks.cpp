// Ranks by MPI: the one place that names it. The thread that joined calls MPI, and one that beats,
// each while it holds the lock.
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <condition_variable>
#include <list>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "ranks/module.h"

namespace wse::ranks {
namespace {

constexpr std::chrono::microseconds kStep{200};  // of waiting
constexpr Patience kLastWords{2000};             // for messages that are on their way at the end
constexpr Patience kForLauncher{10'000};         // to find out that a host is gone
constexpr Patience kBeat{2000};                  // from one sign of life to the next
constexpr int kBeatTag = 1000;                   // beside the channels

using Clock = std::chrono::steady_clock;

std::string text_of(int error) {
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(error, text, &length);
  return text;
}

std::unexpected<std::string> failed(const char* what, int error) {
  return isa::fail(fmt::format("{}: {}", what, text_of(error)));
}

MPI_Op operation_of(Reduction how) {
  switch (how) {
    case Reduction::Sum: return MPI_SUM;
    case Reduction::Least: return MPI_MIN;
    case Reduction::Most: return MPI_MAX;
  }
  return MPI_SUM;
}

class MpiRanks final : public Ranks {
 public:
  // Errors: text_of an MPI function that failed.
  isa::Status join() {
    int error = MPI_Comm_dup(MPI_COMM_WORLD, &world_);
    if (error != MPI_SUCCESS) return failed("MPI_Comm_dup", error);
    MPI_Comm_set_errhandler(world_, MPI_ERRORS_RETURN);
    MPI_Comm_rank(world_, &rank_);
    MPI_Comm_size(world_, &size_);
    MPI_Comm host = MPI_COMM_NULL;
    error = MPI_Comm_split_type(world_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host);
    if (error != MPI_SUCCESS) return failed("MPI_Comm_split_type", error);
    MPI_Comm_size(host, &on_host_);
    MPI_Comm_free(&host);
    return share_hosts();
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int on_host() const override { return on_host_; }
  const std::string& host(int rank) const override {
    return hosts_.at(static_cast<std::size_t>(rank));
  }

  isa::Status send(int to, Channel channel, std::string bytes) override {
    if (bytes.size() > INT_MAX) {
      return isa::fail(fmt::format("a message of {} bytes; at most {} are sent", bytes.size(),
                                   static_cast<int>(INT_MAX)));
    }
    const std::lock_guard lock(mutex_);
    drop_sent();
    const int error = start_sending(to, static_cast<int>(channel), std::move(bytes));
    if (error == MPI_SUCCESS) return {};
    return failed("MPI_Isend", error);
  }

  isa::Result<std::optional<Message>> receive(Channel channel) override {
    const std::lock_guard lock(mutex_);
    drop_sent();
    return take(static_cast<int>(channel));
  }

  isa::Status barrier(Patience patience) override {
    MPI_Request request = MPI_REQUEST_NULL;
    const int error = locked([&] { return MPI_Ibarrier(world_, &request); });
    if (error != MPI_SUCCESS) return failed("MPI_Ibarrier", error);
    return wait_for(request, patience, "a barrier");
  }

  isa::Result<std::uint64_t> reduce(Reduction how, std::uint64_t value,
                                    Patience patience) override {
    // They outlive the call if it fails while MPI still writes.
    Reduced& reduced = reduced_.emplace_back(value, std::uint64_t{0});
    MPI_Request request = MPI_REQUEST_NULL;
    const int error = locked([&] {
      return MPI_Iallreduce(&reduced.mine, &reduced.all, 1, MPI_UINT64_T, operation_of(how), world_,
                            &request);
    });
    if (error != MPI_SUCCESS) return failed("MPI_Iallreduce", error);
    const isa::Status done = wait_for(request, patience, "a reduction");
    if (!done) return isa::fail(done.error());
    const std::uint64_t all = reduced.all;
    reduced_.pop_back();
    return all;
  }

  void beat() override {
    if (beating_.joinable()) return;
    heard_.assign(static_cast<std::size_t>(size_), Clock::now());
    beating_ = std::jthread([this](const std::stop_token& stop) {
      std::unique_lock lock(mutex_);
      while (!ended_.wait_for(lock, stop, kBeat, [&] { return stop.stop_requested(); })) {
        for (int rank = 0; rank < size_; ++rank) {
          if (rank != rank_) static_cast<void>(start_sending(rank, kBeatTag, {}));
        }
        take_beats();
      }
    });
  }

  std::optional<Patience> silence(int rank) override {
    if (!beating_.joinable()) return std::nullopt;
    const std::lock_guard lock(mutex_);
    take_beats();
    return std::chrono::duration_cast<Patience>(Clock::now() -
                                                heard_.at(static_cast<std::size_t>(rank)));
  }

  void leave() override {
    if (beating_.joinable()) {
      beating_.request_stop();
      beating_.join();
    }
    const auto until = Clock::now() + kLastWords;
    while (!sent_.empty() && Clock::now() < until) {
      std::this_thread::sleep_for(kStep);
      drop_sent();
    }
    take_beats();
    MPI_Comm_free(&world_);
    MPI_Finalize();
  }

  [[noreturn]] void abort(int code) override {
    bool is_silent = false;
    for (int rank = 0; rank < size_; ++rank) {
      is_silent |= rank != rank_ && silence(rank).value_or(Patience(0)) >= kMostSilence;
    }
    if (is_silent) std::this_thread::sleep_for(kForLauncher);
    const std::lock_guard lock(mutex_);
    MPI_Abort(MPI_COMM_WORLD, code);
    std::_Exit(code);
  }

 private:
  struct Sent {
    std::string bytes;
    MPI_Request request = MPI_REQUEST_NULL;

    explicit Sent(std::string text) : bytes(std::move(text)) {}
  };
  struct Reduced {
    std::uint64_t mine;
    std::uint64_t all;
  };

  isa::Status share_hosts() {
    std::vector<char> own(MPI_MAX_PROCESSOR_NAME, '\0');
    int length = 0;
    MPI_Get_processor_name(own.data(), &length);
    std::vector<char> all(own.size() * static_cast<std::size_t>(size_), '\0');
    const int error = MPI_Allgather(own.data(), MPI_MAX_PROCESSOR_NAME, MPI_CHAR, all.data(),
                                    MPI_MAX_PROCESSOR_NAME, MPI_CHAR, world_);
    if (error != MPI_SUCCESS) return failed("MPI_Allgather", error);
    for (std::size_t rank = 0; rank < static_cast<std::size_t>(size_); ++rank) {
      const auto name = all.begin() + static_cast<std::ptrdiff_t>(rank * own.size());
      hosts_.emplace_back(name, std::find(name, name + MPI_MAX_PROCESSOR_NAME, '\0'));
    }
    return {};
  }

  template <class Call>
  int locked(const Call& call) {
    const std::lock_guard lock(mutex_);
    return call();
  }

  // The functions from here to wait_for() are for who holds the lock.
  int start_sending(int to, int tag, std::string bytes) {
    Sent& sent = sent_.emplace_back(std::move(bytes));
    const int error = MPI_Isend(sent.bytes.data(), static_cast<int>(sent.bytes.size()), MPI_BYTE,
                                to, tag, world_, &sent.request);
    if (error != MPI_SUCCESS) sent_.pop_back();
    return error;
  }

  isa::Result<std::optional<Message>> take(int tag) {
    int there = 0;
    MPI_Message handle = MPI_MESSAGE_NULL;
    MPI_Status status{};
    int error = MPI_Improbe(MPI_ANY_SOURCE, tag, world_, &there, &handle, &status);
    if (error != MPI_SUCCESS) return failed("MPI_Improbe", error);
    if (there == 0) return std::nullopt;
    int count = 0;
    MPI_Get_count(&status, MPI_BYTE, &count);
    Message message{status.MPI_SOURCE, std::string(static_cast<std::size_t>(count), '\0')};
    error = MPI_Mrecv(message.bytes.data(), count, MPI_BYTE, &handle, MPI_STATUS_IGNORE);
    if (error != MPI_SUCCESS) return failed("MPI_Mrecv", error);
    if (!heard_.empty()) heard_.at(static_cast<std::size_t>(message.from)) = Clock::now();
    return message;
  }

  void take_beats() {
    while (true) {
      const auto beat = take(kBeatTag);
      if (!beat || !*beat) return;
    }
  }

  // Forgets messages that are on their way no more.
  void drop_sent() {
    std::erase_if(sent_, [](Sent& sent) {
      int done = 0;
      MPI_Test(&sent.request, &done, MPI_STATUS_IGNORE);
      return done != 0;
    });
  }

  isa::Status wait_for(MPI_Request& request, Patience patience, const char* what) {
    const auto until = Clock::now() + patience;
    while (true) {
      int done = 0;
      const int error = locked([&] { return MPI_Test(&request, &done, MPI_STATUS_IGNORE); });
      if (error != MPI_SUCCESS) return failed("MPI_Test", error);
      if (done != 0) return {};
      if (Clock::now() >= until) {
        return isa::fail(fmt::format("not all ranks came to {} in {} ms", what, patience.count()));
      }
      std::this_thread::sleep_for(kStep);
    }
  }

  MPI_Comm world_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
  int on_host_ = 1;
  std::vector<std::string> hosts_;
  std::list<Sent> sent_;        // addresses stay while MPI reads
  std::list<Reduced> reduced_;  // the same
  std::mutex mutex_;            // of MPI
  std::condition_variable_any ended_;
  std::vector<Clock::time_point> heard_;  // by rank, if ranks beat
  std::jthread beating_;
};

Ranks* join(std::string& error) {
  int level = MPI_THREAD_SINGLE;
  if (const int code = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level);
      code != MPI_SUCCESS) {
    error = "MPI_Init_thread: " + text_of(code);
    return nullptr;
  }
  if (level < MPI_THREAD_SERIALIZED) {
    error = "this MPI has no processes with several threads";
    return nullptr;
  }
  auto ranks = std::make_unique<MpiRanks>();
  if (const isa::Status joined = ranks->join(); !joined) {
    error = joined.error();
    return nullptr;
  }
  return ranks.release();
}

}  // namespace
}  // namespace wse::ranks

extern "C" __attribute__((visibility("default")))
const wse::ranks::RanksModule wse_ranks_module = {wse::ranks::kInterface, &wse::ranks::join};
