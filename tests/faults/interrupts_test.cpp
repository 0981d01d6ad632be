// SIGINT at random moments of four jobs, WSE_MOMENTS of each, and at those that random moments
// seldom meet. Whatever the moment: exit code 130, or 0 if the job was done; each file as it was or
// whole; no temporary; one message at most; soon. Moments are processor time of the job, and every
// other wait ends with what it waits for: a busy host changes nothing.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "tests/faults/faults.h"
#include "tests/support/random.h"

namespace wse::faults {
namespace {

using std::chrono::microseconds;
using test_support::Child;

constexpr int kMoments = 16;  // of each job, if nothing else is asked for
constexpr std::chrono::seconds kLongestPause(60);
constexpr int kMostMoments = 400;  // until some of them are neither too early nor too late
constexpr std::uint32_t kLongestMicroseconds = 120'000;  // to a moment, of the processor
constexpr std::uint32_t kMostMicroseconds = 20'000'000;  // where a program takes long to begin
constexpr double kSoonSeconds = 30;  // of the processor, under the sanitizers; else 2

class Interrupts : public Faults {
 protected:
  // Runs the job and interrupts it at random moments; judges what it leaves behind each time.
  template <class Judge>
  void interrupt(const std::vector<std::string>& words, std::uint32_t seed, Judge judge) {
    test_support::Random random(seed);
    const char* asked = std::getenv("WSE_MOMENTS");
    const int moments = asked != nullptr ? std::atoi(asked) : kMoments;
    int interrupted = 0;
    std::uint32_t longest = kLongestMicroseconds;
    const auto is_enough = [&](int k) { return k >= moments && interrupted > moments / 10; };
    for (int k = 0; !is_enough(k) && k < kMostMoments && !HasFailure(); ++k) {
      const microseconds moment(random.below(longest));
      SCOPED_TRACE(testing::Message() << "after " << moment.count() << " us");
      Child child(test_support::wsevm_words(words), {.folder = path(".")});
      wait_for_work(child, moment);
      child.send(SIGINT);
      const Ending ending = child.wait();
      if (ending.signal == SIGINT) {  // it had not come to main() yet
        if (interrupted == 0) longest = std::min(longest + longest / 2, kMostMicroseconds);
        continue;
      }
      if (ending.code == 0) longest = std::max(longest - longest / 8, kLongestMicroseconds / 8);
      EXPECT_TRUE(ending.code == 130 || ending.code == 0) << ending.code << ending.errors;
      EXPECT_LE(test_support::split_lines(ending.errors).size(), ending.code == 0 ? 0U : 1U)
          << ending.errors;
      EXPECT_LT(ending.processor_seconds, kSoonSeconds);
      for (const std::string& name : names()) EXPECT_FALSE(name.ends_with(".tmp")) << name;
      judge(ending);
      interrupted += ending.code == 130 ? 1 : 0;
    }
    EXPECT_GT(interrupted, moments / 10);
  }

  void expect_absent_or_whole(const std::string& name, const OutputKind& kind) {
    EXPECT_TRUE(!fs::exists(path(name)) || kind.is_whole(read(name))) << name;
  }
  // The same once, when it has had time to come to where it waits for others.
  Ending interrupt_while_it_waits(const std::vector<std::string>& words,
                                  test_support::ChildSetup setup) const {
    setup.folder = path(".");
    for (std::chrono::milliseconds pause(300);; pause *= 2) {
      Child child(test_support::wsevm_words(words), setup);
      std::this_thread::sleep_for(pause);
      child.send(SIGINT);
      Ending ending = child.wait();
      const bool is_too_early = ending.signal == SIGINT && pause < kLongestPause;
      if (!is_too_early) return ending;
    }
  }
  // The job has taken so much processor time, or does no more work.
  static void wait_for_work(const Child& child, std::chrono::nanoseconds moment) {
    while (child.processor_time() < moment && !child.has_ended()) pause();
  }
  // Looks every millisecond whether it has happened; fails if the job has ended without it.
  template <class Happened>
  static void wait_until(const Child& child, Happened happened) {
    for (bool is_last = false; !happened(); pause()) {
      ASSERT_FALSE(is_last) << "the job has ended before what the test waits for: "
                            << child.errors();
      is_last = child.has_ended();
    }
  }
  static void pause() { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }
  // The run is about to begin when its trace has a temporary.
  void wait_for_temporary(const Child& child) {
    const std::string folder = fs::canonical(path(".")).string();
    const auto is_temporary = [&folder](const std::string& name) {
      return name.starts_with(folder) && (name.ends_with(".tmp") || name.ends_with(" (deleted)"));
    };
    wait_until(child, [&] { return std::ranges::any_of(child.open_files(), is_temporary); });
  }
  // kTalking runs and has printed so many lines more than there were.
  static void wait_for_lines(const Child& child, std::size_t more = 1) {
    const auto lines = [&child] { return std::ranges::count(child.errors(), '\n'); };
    const auto wanted = lines() + static_cast<std::ptrdiff_t>(more);
    wait_until(child, [&] { return lines() >= wanted; });
  }
  static void wait_for_words(const Child& child, std::string_view words) {
    wait_until(child, [&] { return child.errors().contains(words); });
  }
};

// Never ends, and says on stderr that it still runs, some hundred times a second.
const std::string kTalking = R"(.grid 1, 1
.program p
  .i32 y[600] exported = i
  task main:
  again:
    print "here"
    mov32 r1, 0
  next:
    add32 r1, r1, 1
    bltu r1, 100000, next
    jmp again
.place p at (0, 0)
)";

const OutputKind& kind_of(const std::string& name) {
  for (const OutputKind& kind : output_kinds()) {
    if (kind.name == name) return kind;
  }
  throw std::invalid_argument(name);
}

TEST_F(Interrupts, OfARunWithOutputs) {
  write("endless.wsa", kEndless);
  const std::vector<std::string> words = {
      "run",          "endless.wsa", "--out",           "y=y.npy",
      "--picture",    "y=y.png",     "--trace=t.jsonl", "--trace-cycles=0..3000",
      "--json=r.json"};
  interrupt(words, 1, [&](const Ending& ending) {
    EXPECT_EQ(ending.code, 130);
    EXPECT_EQ(record_member(read("r.json"), "status"), "interrupted");
    expect_absent_or_whole("y.npy", kind_of("out"));
    expect_absent_or_whole("y.png", kind_of("picture"));
    expect_absent_or_whole("t.jsonl", kind_of("trace"));
    fs::remove(path("r.json"));
  });
}

// Takes some tenths of a second to assemble.
std::string long_text() {
  std::string text = ".grid 20, 1\n";
  for (int program = 0; program < 20; ++program) {
    text += fmt::format(".place p{0} at ({0}, 0)\n.program p{0}\n  task main:\n", program);
    for (int k = 0; k < 8'000; ++k) text += "    add32 r1, r1, 2\n";
  }
  return text;
}

TEST_F(Interrupts, OfAnAssembly) {
  write("long.wsa", long_text());
  write("long.wsb", "old");
  interrupt({"asm", "long.wsa", "-o", "long.wsb"}, 2, [&](const Ending& ending) {
    const bool whole = kind_of("image").is_whole(read("long.wsb"));
    EXPECT_TRUE(whole || (ending.code == 130 && read("long.wsb") == "old"));
    write("long.wsb", "old");
  });
}

TEST_F(Interrupts, OfADisassembly) {
  write("long.wsa", long_text());
  ASSERT_EQ(wsevm({"asm", "long.wsa", "-o", "long.wsb"}).code, 0);
  const std::string whole = wsevm({"dis", "long.wsb"}).output;
  interrupt({"dis", "long.wsb"}, 3, [&](const Ending& ending) {
    EXPECT_TRUE(ending.code == 130 || ending.output == whole);
  });
}

TEST_F(Interrupts, OfALoad) {
  write("wafer.wsa",
        ".grid 755, 994\n.program p\n  .i32 v[4] = x\n  task main:\n    halt\n"
        ".place p at (0..754, 0..993)\n");
  interrupt({"run", "wafer.wsa", "--json=r.json"}, 4, [&](const Ending& ending) {
    const std::string status = ending.code == 0 ? "halted" : "interrupted";
    EXPECT_EQ(record_member(read("r.json"), "status"), status);
    fs::remove(path("r.json"));
  });
}

TEST_F(Interrupts, ByEverySignalThatAsksForTheEnd) {
  write("endless.wsa", kEndless);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    Child child(test_support::wsevm_words(
                    {"run", "endless.wsa", "--trace=t.jsonl", "--trace-cycles=0..3000", "--json"}),
                {.folder = path(".")});
    wait_for_temporary(child);
    child.send(signal);
    const Ending ending = child.wait();
    EXPECT_EQ(ending.code, 130);
    EXPECT_EQ(record_member(ending.output, "status"), "interrupted");
    EXPECT_TRUE(is_trace(read("t.jsonl")));
    expect_message(ending, "interrupted");
  }
}

TEST_F(Interrupts, ASecondSignalEndsAtOnce) {
  write("endless.wsa", kTalking);
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  // The run ends with the first signal; the array then waits for a reader that never comes.
  Child child(test_support::wsevm_words({"run", "endless.wsa", "--out", "y=pipe"}),
              {.folder = path(".")});
  wait_for_lines(child);
  child.send(SIGINT);
  wait_for_words(child, "interrupted");
  child.send(SIGTERM);
  EXPECT_EQ(child.wait().code, 130);
  EXPECT_EQ(names(), (std::vector<std::string>{"endless.wsa", "pipe"}));
}

// As `timeout` asks, which signals the process and then its group.
TEST_F(Interrupts, TheSameRequestTwiceAtOnce) {
  write("endless.wsa", kTalking);
  for (int k = 0; k < 20; ++k) {
    Child child(test_support::wsevm_words({"run", "endless.wsa", "--json=r.json"}),
                {.folder = path(".")});
    wait_for_lines(child);
    child.send(SIGINT);
    std::this_thread::sleep_for(microseconds(50 * k));
    child.send(SIGINT);
    const Ending ending = child.wait();
    EXPECT_EQ(ending.code, 130);
    EXPECT_EQ(record_member(read("r.json"), "status"), "interrupted") << k;
    fs::remove(path("r.json"));
  }
}

TEST_F(Interrupts, OneSignalIsEnoughWhereNobodyReads) {
  write("endless.wsa", kTalking);
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  Child child(test_support::wsevm_words({"run", "endless.wsa", "--out", "y=pipe", "--json=r.json"}),
              {.folder = path(".")});
  wait_for_lines(child);
  child.send(SIGINT);
  const Ending ending = child.wait();
  EXPECT_EQ(ending.code, 130);
  EXPECT_LT(ending.processor_seconds, kSoonSeconds);
  EXPECT_EQ(record_member(read("r.json"), "status"), "interrupted");
}

// Minutes pass until a large machine is written.
TEST_F(Interrupts, ACheckpointGetsTheTimeItTakes) {
  write("endless.wsa", kTalking);
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  Child child(test_support::wsevm_words({"run", "endless.wsa", "--checkpoint=pipe"}),
              {.folder = path(".")});
  wait_for_lines(child);
  child.send(SIGINT);
  wait_for_words(child, "on its way");
  EXPECT_TRUE(read("pipe").starts_with("wsevm checkpoint"));
  EXPECT_EQ(child.wait().code, 130);
}

TEST_F(Interrupts, WhereStdoutIsFull) {
  write("program.wsa", kProgram);
  EXPECT_EQ(
      interrupt_while_it_waits({"run", "program.wsa", "--json"}, {.output = Stream::Unread}).code,
      130);
}

TEST_F(Interrupts, WhileStdinIsAwaited) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  for (const char* command : {"run", "asm", "dis", "check"}) {
    const Ending ending = interrupt_while_it_waits({command, "-"}, {.input = path("pipe")});
    EXPECT_EQ(ending.code, 130);
    expect_message(ending, "interrupted: no file was written");
  }
}

// On the model scalar code takes no time: a single cycle that takes a minute, if nobody compiles
// it. Before, each PE sends a word to itself, so that what the first one prints comes out; the five
// cycles until then take some milliseconds.
TEST_F(Interrupts, InACycleThatTakesLong) {
  write("long.wsa",
        ".grid 100, 100\n.colour red\n.program p\n  task main:\n"
        "    bne x, 0, after\n    bne y, 0, after\n    print \"begins\"\n"
        "  after:\n    mov32 fabout(red), 0\n    mov32 r1, fabin(red)\n"
        "  next:\n    add32 r1, r1, 1\n    bltu r1, 300000, next\n    halt\n"
        ".place p at (0..99, 0..99)\n.route red at (0..99, 0..99): ramp -> ramp\n");
  Child child(test_support::wsevm_words({"run", "long.wsa", "--machine=model", "--engine=interp",
                                         "--json=r.json", "--trace=t.jsonl"}),
              {.folder = path(".")});
  wait_for_words(child, "begins");
  wait_for_work(child, child.processor_time() + std::chrono::seconds(1));
  child.send(SIGINT);
  wait_for_words(child, "a second interrupt ends at once");
  child.send(SIGINT);
  const Ending ending = child.wait();
  EXPECT_EQ(ending.code, 130) << ending.errors;
  EXPECT_LT(ending.processor_seconds, kSoonSeconds);
  EXPECT_EQ(record_member(read("r.json"), "status"), "interrupted");
  EXPECT_EQ(names(), (std::vector<std::string>{"long.wsa", "r.json"}));
}

TEST_F(Interrupts, SignalsThatAreIgnoredStayIgnored) {
  write("endless.wsa", kTalking);
  Child child(test_support::wsevm_words({"run", "endless.wsa", "--json=r.json"}),
              {.folder = path("."), .ignored_signals = {SIGHUP}});
  wait_for_lines(child);
  child.send(SIGHUP);
  wait_for_lines(child, 20);  // it runs on
  EXPECT_FALSE(fs::exists(path("r.json")));
  child.send(SIGINT);
  EXPECT_EQ(child.wait().code, 130);
}

TEST_F(Interrupts, KilledItLeavesTheOldFile) {
  write("endless.wsa", kEndless);
  write("t.jsonl", "old");
  Child child(test_support::wsevm_words({"run", "endless.wsa", "--trace=t.jsonl"}),
              {.folder = path(".")});
  wait_for_temporary(child);
  child.send(SIGKILL);
  EXPECT_EQ(child.wait().signal, SIGKILL);
  EXPECT_EQ(read("t.jsonl"), "old");
}

}  // namespace
}  // namespace wse::faults
