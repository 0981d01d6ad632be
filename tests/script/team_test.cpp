// Do the ranks of a team find out what differs, write once, and end alike? Ranks are threads here,
// which hand each other bytes; ranks.sh has processes and sweeps.
#include "scripts/host/team.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>

namespace wse::script {
namespace {

// The mailboxes of all ranks.
class Post {
 public:
  explicit Post(int size) : boxes_(static_cast<std::size_t>(size)) {}

  void put(int to, ranks::Message message) {
    const std::lock_guard lock(mutex_);
    boxes_.at(static_cast<std::size_t>(to)).push_back(std::move(message));
  }

  std::optional<ranks::Message> take(int rank) {
    const std::lock_guard lock(mutex_);
    auto& box = boxes_.at(static_cast<std::size_t>(rank));
    if (box.empty()) return std::nullopt;
    ranks::Message message = std::move(box.front());
    box.pop_front();
    return message;
  }

 private:
  std::mutex mutex_;
  std::vector<std::deque<ranks::Message>> boxes_;
};

class ThreadRanks final : public ranks::Ranks {
 public:
  ThreadRanks(Post& post, int rank, int size) : post_(post), rank_(rank), size_(size) {}

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int on_host() const override { return size_; }
  const std::string& host(int) const override { return host_; }
  isa::Status send(int to, ranks::Channel, std::string bytes) override {
    post_.put(to, {rank_, std::move(bytes)});
    return {};
  }
  isa::Result<std::optional<ranks::Message>> receive(ranks::Channel) override {
    return post_.take(rank_);
  }
  isa::Status barrier(ranks::Patience) override { return {}; }
  isa::Result<std::uint64_t> reduce(ranks::Reduction, std::uint64_t value,
                                    ranks::Patience) override {
    return value;
  }
  void beat() override {}
  std::optional<ranks::Patience> silence(int) override { return std::nullopt; }
  void leave() override {}
  [[noreturn]] void abort(int code) override { std::exit(code); }

 private:
  Post& post_;
  int rank_;
  int size_;
  std::string host_ = "here";
};

const Team::Identity kIdentity = {{"wsevm", "1"}, {"script", "print(1)"}};

// Calls play(team, rank) for each rank; returns the ends of all.
std::vector<TeamEnd> ends_of(int size, const std::function<TeamEnd(Team&, int)>& play) {
  Post post(size);
  std::vector<TeamEnd> ends(static_cast<std::size_t>(size));
  std::vector<std::jthread> threads;
  for (int rank = 0; rank < size; ++rank) {
    threads.emplace_back([&, rank] {
      ThreadRanks ranks(post, rank, size);
      Team team(ranks);
      ends[static_cast<std::size_t>(rank)] = team.finish(play(team, rank));
      EXPECT_TRUE(team.all_left()) << rank;
    });
  }
  threads.clear();
  return ends;
}

// All end alike, and the leader alone has a message, with this text.
void expect_ends(const std::vector<TeamEnd>& ends, Ending ending, const std::string& text) {
  for (std::size_t rank = 0; rank < ends.size(); ++rank) {
    EXPECT_EQ(static_cast<int>(ends[rank].ending), static_cast<int>(ending)) << rank;
    EXPECT_TRUE(rank == 0 || ends[rank].message.empty()) << ends[rank].message;
  }
  EXPECT_TRUE(ends.front().message.contains(text)) << ends.front().message;
  EXPECT_EQ(ends.front().message.empty(), text.empty()) << ends.front().message;
}

TeamEnd end_of(const TeamResult<void>& done) { return done ? TeamEnd() : done.error(); }

TEST(Team, RanksThatAreAlikeEndWell) {
  for (const int size : {2, 3, 5}) {
    const auto ends = ends_of(size, [](Team& team, int) { return end_of(team.begin(kIdentity)); });
    expect_ends(ends, Ending::Fine, "");
  }
}

TEST(Team, AnotherScriptIsNamed) {
  const auto ends = ends_of(3, [](Team& team, int rank) {
    Team::Identity identity = kIdentity;
    if (rank == 2) identity[1].second = "print(2)";
    return end_of(team.begin(identity));
  });
  expect_ends(ends, Ending::BadInput, "rank 2 (here) has another script than rank 0 (here)");
}

TEST(Team, AnotherExecutableIsNamed) {
  const auto ends = ends_of(2, [](Team& team, int rank) {
    Team::Identity identity = kIdentity;
    if (rank == 1) identity[0].second = "2";
    return end_of(team.begin(identity));
  });
  expect_ends(ends, Ending::BadInput, "rank 1 (here) has another wsevm than rank 0");
}

TEST(Team, ARankThatCannotBeginEndsAll) {
  const auto ends = ends_of(3, [](Team& team, int rank) {
    if (rank == 1) return TeamEnd{Ending::BadInput, "no such file\n"};
    return end_of(team.begin(kIdentity));
  });
  expect_ends(ends, Ending::BadInput, "rank 1 (here): no such file");
}

TEST(Team, ALeaderThatCannotBeginEndsAll) {
  const auto ends = ends_of(3, [](Team& team, int rank) {
    if (rank == 0) return TeamEnd{Ending::Exhausted, "no memory"};
    return end_of(team.begin(kIdentity));
  });
  expect_ends(ends, Ending::Exhausted, "no memory");
}

TEST(Team, AFileIsWrittenOnceAndAllHearOfIt) {
  std::atomic<int> written = 0;
  const auto ends = ends_of(4, [&written](Team& team, int) -> TeamEnd {
    for (int k = 0; k < 20; ++k) {
      const bool fails = k == 13;
      const auto done = team.share_write("a.txt", [&]() -> FileResult<void> {
        ++written;
        if (fails) return std::unexpected(isa::FileError{"full", true});
        return {};
      });
      if (!done) return done.error();
      if (done->has_value() == fails) return {Ending::BadInput, "another outcome"};
      if (fails && !(done->error().exhausted && done->error().message == "full")) {
        return {Ending::BadInput, "another error"};
      }
    }
    return {};
  });
  expect_ends(ends, Ending::Fine, "");
  EXPECT_EQ(written, 20);
}

TEST(Team, AnotherFileIsNamed) {
  const auto ends = ends_of(3, [](Team& team, int rank) {
    const auto done = team.share_write(rank == 2 ? "b" : "a", [] { return FileResult<void>(); });
    return done ? TeamEnd() : done.error();
  });
  expect_ends(ends, Ending::BadInput, "rank 2 (here) writes b where rank 0 (here) writes a");
}

TEST(Team, ARankThatEndsEarlierIsNamed) {
  const auto ends = ends_of(2, [](Team& team, int rank) {
    if (rank == 1) return TeamEnd();
    const auto done = team.share_write("a", [] { return FileResult<void>(); });
    return done ? TeamEnd() : done.error();
  });
  expect_ends(ends, Ending::BadInput, "rank 1 (here) has ended its script");
}

TEST(Team, ARankThatDoesMoreIsNamed) {
  const auto ends = ends_of(2, [](Team& team, int rank) {
    if (rank == 0) return TeamEnd();
    const auto done = team.share_write("a", [] { return FileResult<void>(); });
    return done ? TeamEnd() : done.error();
  });
  expect_ends(ends, Ending::BadInput, "rank 1 (here) did more than rank 0");
}

TEST(Team, AnEndingOfARankIsThatOfAll) {
  for (const Ending ending : {Ending::EndedBadly, Ending::Exhausted, Ending::Interrupted}) {
    const auto ends = ends_of(3, [ending](Team&, int rank) {
      return rank == 2 ? TeamEnd{ending, "because"} : TeamEnd();
    });
    expect_ends(ends, ending, "rank 2 (here): because");
  }
}

TEST(Team, AnInterruptEndsAllWaiting) {
  const std::atomic<bool> flag = true;
  const auto ends = ends_of(2, [&flag](Team& team, int rank) {
    if (rank == 1) return end_of(team.begin(kIdentity));
    team.listen_to(&flag);
    // Nothing may have come yet: the interrupt does not wait for it.
    const auto done = team.share_write("a", [] { return FileResult<void>(); });
    return done ? TeamEnd() : done.error();
  });
  EXPECT_NE(static_cast<int>(ends[0].ending), static_cast<int>(Ending::Fine));
  EXPECT_EQ(static_cast<int>(ends[1].ending), static_cast<int>(ends[0].ending));
}

}  // namespace
}  // namespace wse::script
