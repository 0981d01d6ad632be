// A rank that waits looks for a while, then sleeps in between: others may need its processor.
#include "vm/cli/rank_channel.h"

#include <fmt/format.h>

#include <span>
#include <thread>

namespace wse::cli {
namespace {

constexpr int kLooks = 1000;  // half a millisecond; the processor is offered to others in between
constexpr int kNaps = 20;     // in a moment
constexpr std::chrono::microseconds kNap{20};  // less than a frame takes between hosts

}  // namespace

void RankChannel::send(std::uint32_t process, vm::MessageBytes frame) {
  const isa::Status sent =
      ranks_.send(static_cast<int>(process), ranks::Channel::Machines,
                  std::string(reinterpret_cast<const char*>(frame.data()), frame.size()));
  if (!sent && problem_.empty()) problem_ = sent.error();
}

bool RankChannel::receive(vm::Frame& frame, bool waits) {
  for (int look = 0; look <= (waits ? kLooks + kNaps : 0); ++look) {
    auto message = ranks_.receive(ranks::Channel::Machines);
    if (!message) {
      if (problem_.empty()) problem_ = message.error();
      return false;
    }
    if (*message) {
      const auto bytes = std::as_bytes(std::span((*message)->bytes));
      frame.from = static_cast<std::uint32_t>((*message)->from);
      frame.bytes.assign(bytes.begin(), bytes.end());
      return true;
    }
    if (waits) look < kLooks ? std::this_thread::yield() : std::this_thread::sleep_for(kNap);
  }
  return false;
}

// A launcher stops all ranks where a process ends. Silence is of hosts that cannot be reached any
// more, and of processes that are stopped.
std::string RankChannel::loss(std::uint32_t process) {
  if (!problem_.empty()) return problem_;
  const int rank = static_cast<int>(process);
  const ranks::Patience silence = ranks_.silence(rank).value_or(ranks::Patience(0));
  if (silence < ranks::Ranks::kMostSilence) return {};
  return fmt::format(
      "rank {} ({}) has not been heard for {} s: its process or host is gone, or stopped", rank,
      ranks_.host(rank), silence.count() / 1000);
}

}  // namespace wse::cli
