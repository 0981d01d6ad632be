// peers [abort | alone]: one of several ranks that try the interface on each other. Prints
// what is wrong, and ends with 1 then. `abort`: the last rank ends all with 42. `alone`: the last
// rank stays away from a barrier, which the others leave after a moment.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "ranks/load_ranks.h"

namespace {

using namespace wse::ranks;
using namespace std::chrono_literals;

constexpr Patience kLong = 60s;
constexpr int kMostEmptyLooks = 30'000;  // a millisecond each
constexpr std::size_t kSizes[] = {0, 1, 7, 4096, 100'000, 5'000'000};

int wrong_count = 0;

void want(bool fine, const std::string& what) {
  if (fine) return;
  ++wrong_count;
  std::fprintf(stderr, "wrong: %s\n", what.c_str());
}

// A text that only this sender, channel and number have.
std::string text_of(int from, Channel channel, std::size_t number) {
  std::string text(kSizes[number], '\0');
  unsigned seed = static_cast<unsigned>(from) * 31 + static_cast<unsigned>(channel) * 7 +
                  static_cast<unsigned>(number) + 1;
  for (char& c : text) {
    seed = seed * 1'664'525 + 1'013'904'223;
    c = static_cast<char>(seed >> 24);
  }
  return text;
}

// Everybody sends everybody, itself too, every size on both channels, and gets it in order.
void exchange(Ranks& ranks) {
  for (std::size_t number = 0; number < std::size(kSizes); ++number) {
    for (int to = 0; to < ranks.size(); ++to) {
      for (const Channel channel : {Channel::Scripts, Channel::Machines}) {
        const auto sent = ranks.send(to, channel, text_of(ranks.rank(), channel, number));
        want(sent.has_value(), "send");
      }
    }
  }
  for (const Channel channel : {Channel::Machines, Channel::Scripts}) {
    std::map<int, std::size_t> next;
    std::size_t left = std::size(kSizes) * static_cast<std::size_t>(ranks.size());
    for (int empty = 0; left > 0 && empty < kMostEmptyLooks;) {
      const auto message = ranks.receive(channel);
      want(message.has_value(), "receive");
      if (!message || !*message) {
        ++empty;
        std::this_thread::sleep_for(1ms);
        continue;
      }
      const std::size_t number = next[(*message)->from]++;
      want((*message)->bytes == text_of((*message)->from, channel, number), "a message");
      --left;
    }
    want(left == 0, "messages are missing");
    const auto more = ranks.receive(channel);
    want(more && !*more, "a message too many");
  }
}

void reduce(Ranks& ranks) {
  const auto mine = static_cast<std::uint64_t>(ranks.rank()) + (std::uint64_t{1} << 60);
  const auto size = static_cast<std::uint64_t>(ranks.size());
  const auto sum = ranks.reduce(Reduction::Sum, static_cast<std::uint64_t>(ranks.rank()), kLong);
  want(sum && *sum == size * (size - 1) / 2, "a sum");
  const auto least = ranks.reduce(Reduction::Least, mine, kLong);
  want(least && *least == std::uint64_t{1} << 60, "the least");
  const auto most = ranks.reduce(Reduction::Most, mine, kLong);
  want(most && *most == (std::uint64_t{1} << 60) + size - 1, "the most");
}

// The last rank comes late, and leaves a file before: whoever passes the barrier sees it.
void barrier(Ranks& ranks) {
  const std::filesystem::path late = "late";
  if (ranks.rank() == ranks.size() - 1) {
    std::this_thread::sleep_for(300ms);
    std::filesystem::create_directory(late);
  }
  want(ranks.barrier(kLong).has_value(), "a barrier");
  want(std::filesystem::exists(late), "a barrier that did not wait");
}

void stay_away(Ranks& ranks) {
  if (ranks.rank() == ranks.size() - 1) {
    std::this_thread::sleep_for(1s);
  } else {
    want(!ranks.barrier(200ms).has_value(), "a barrier without all");
  }
}

// A rank that beats is heard, though its threads call nothing.
void beat(Ranks& ranks) {
  want(!ranks.silence(0), "silence of ranks that do not beat");
  ranks.beat();
  std::this_thread::sleep_for(5s);
  for (int rank = 0; rank < ranks.size(); ++rank) {
    const auto silence = ranks.silence(rank);
    want(silence && (rank == ranks.rank() || *silence < 4s), "a beat");
  }
}

}  // namespace

int main(int count, char** arguments) {
  const std::string_view what = count > 1 ? arguments[1] : "";
  const auto ranks = load_ranks();
  if (!ranks) {
    std::fprintf(stderr, "%s\n", ranks.error().c_str());
    return 1;
  }
  Ranks& all = **ranks;
  const bool is_last = all.rank() == all.size() - 1;
  if (what == "abort") {
    if (is_last) all.abort(42);
    std::this_thread::sleep_for(30s);
    return 1;
  }
  if (what == "alone") {
    stay_away(all);
    all.abort(wrong_count == 0 ? 0 : 1);  // the barrier is still open
  }
  want(!all.host(all.rank()).empty() && all.on_host() == all.size(), "hosts");
  exchange(all);
  reduce(all);
  barrier(all);
  beat(all);
  all.leave();
  return wrong_count == 0 ? 0 : 1;
}
