// A machine in the hand: launches, and what is told of one launch.
#include "tests/unit/vm/session_support.h"

namespace wse::test_sessions {
namespace {

class Sessions : public testing::TestWithParam<On> {};

TEST_P(Sessions, LaunchesGiveArgumentsAndTimeGoesOn) {
  const auto session = session_of(kCells, GetParam());
  EXPECT_EQ(session->state(), State::New);
  ASSERT_TRUE(session->run()) << session->problem();
  EXPECT_EQ(session->state(), State::Quiet);
  EXPECT_EQ(calls(*session, 3), 100);
  const vm::Cycle begin = session->cycle();
  ASSERT_TRUE(session->launch("scale", kArguments));
  EXPECT_EQ(session->state(), State::Quiet);
  EXPECT_EQ(session->began(), begin + GetParam().launch_cycles);
  EXPECT_GT(session->cycle(), begin);
  EXPECT_EQ(calls(*session, 0), 105);
  EXPECT_EQ(floats(*session, "x", {.rect = vm::PeRect{2, 0, 1, 1}}),
            (std::vector<float>{10, 10.5, 11, 11.5, 12, 12.5}));
  ASSERT_TRUE(session->launch("scale", kArguments, vm::PeRect{1, 0, 2, 1}));
  EXPECT_EQ(calls(*session, 0), 105);
  EXPECT_EQ(calls(*session, 1), 110);
  EXPECT_EQ(calls(*session, 2), 110);
  ASSERT_TRUE(session->launch("halve", std::array{Number::of(-1.5)}));
  EXPECT_EQ(session->symbol(3, 0, "half")->words[0], 0xbe00u);
  ASSERT_TRUE(session->launch("pass"));
  EXPECT_EQ(floats(*session, "got", {.rect = vm::PeRect{1, 0, 1, 1}}),
            floats(*session, "x", {.rect = vm::PeRect{0, 0, 1, 1}}));
  EXPECT_EQ(floats(*session, "got", {.rect = vm::PeRect{2, 0, 1, 1}}),
            floats(*session, "x", {.rect = vm::PeRect{3, 0, 1, 1}}));
}

// The same launch twice: the same record, and counters that belong to it alone.
TEST_P(Sessions, RecordsAndProfilesAreThoseOfOneLaunch) {
  On on = GetParam();
  on.keeps_profile = true;
  const auto session = session_of(kCells, on);
  ASSERT_TRUE(session->run());
  const auto seen = [&session] {
    const vm::Record& record = session->record();
    const vm::Counters& c = record.counters;
    std::string text = fmt::format(
        "{} {}: {} instructions, {} elements, {} flops, {} wavelets, {} hops {} far, {} links, {} "
        "most, {} down, cycles {}\n",
        vm::text(record.status), record.cycles, c.instructions, c.elements, c.flops, c.wavelets,
        c.hops, c.max_distance, record.links_used, record.max_link_load, record.max_ramp_wavelets,
        fmt::join(c.pe_cycles, " "));
    for (const auto& [name, mark] : record.marks) {
      text += fmt::format("{} {}..{} {}\n", name, mark.first, mark.last, mark.count);
    }
    for (const std::string& name : session->machine().profile_arrays()) {
      const auto values = *session->machine().profile_array(name);
      text += fmt::format("{} {}\n", name, fmt::join(values, " "));
    }
    return text;
  };
  ASSERT_TRUE(session->launch("pass"));
  const std::string passed = seen();
  const vm::Record record = session->record();
  EXPECT_EQ(record.counters.wavelets, 24u);
  EXPECT_EQ(record.counters.hops, 24u);
  EXPECT_EQ(record.counters.elements, 48u);
  EXPECT_EQ(record.counters.max_distance, 1u);
  EXPECT_EQ(record.max_link_load, 6u);
  EXPECT_EQ(record.links_used, 4u);
  EXPECT_EQ(record.cycles + session->began(), session->cycle() - 1);
  std::uint64_t all = 0;
  for (const std::uint64_t cycles : record.counters.pe_cycles) all += cycles;
  EXPECT_EQ(all, record.cycles * 4);
  ASSERT_TRUE(session->launch("scale", kArguments));
  EXPECT_EQ(session->record().counters.wavelets, 0u);
  EXPECT_EQ(session->record().counters.max_distance, 0u);
  EXPECT_EQ(session->record().marks.at("scales").count, 4u);
  EXPECT_LE(session->record().marks.at("scales").last, session->record().cycles);
  ASSERT_TRUE(session->launch("pass"));
  EXPECT_EQ(seen(), passed);
  const auto sum = [&session](std::string_view name) {
    const auto values = *session->machine().profile_array(name);
    return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
  };
  EXPECT_EQ(sum("sent"), 24u);
  EXPECT_EQ(sum("received"), 24u);
  EXPECT_EQ(sum("tasks"), 4u);
  EXPECT_EQ(sum("busy"), session->record().counters.pe_cycles[0]);
}

// An `activate` in the cycle of the launch: the task begins in the next one, and its time stamp
// says so.
TEST_P(Sessions, ATaskIsPickedInTheCycleAfterItsLaunch) {
  const auto session = session_of(kCells, GetParam());
  for (int k = 0; k < 3; ++k) {
    ASSERT_TRUE(session->launch("stamp"));
    EXPECT_EQ(session->symbol(2, 0, "calls")->words[0], session->began() + 1);
  }
}

TEST_P(Sessions, StopOnTheWayAndGoOn) {
  const auto whole = session_of(kCells, GetParam());
  ASSERT_TRUE(whole->run());
  const vm::Cycle begin = whole->cycle();
  ASSERT_TRUE(whole->launch("pass"));
  const auto session = session_of(kCells, GetParam());
  ASSERT_TRUE(session->prepare("pass"));
  EXPECT_EQ(session->state(), State::Stopped);
  vm::Cycle until = begin + 1;
  for (; session->state() != State::Quiet; ++until) {
    ASSERT_TRUE(session->run(until)) << session->problem();
    ASSERT_LT(until, 1000u);
    if (session->state() == State::Quiet) break;
    EXPECT_EQ(session->cycle(), until);
    ASSERT_TRUE(session->run(until - 1));
    EXPECT_EQ(session->cycle(), until) << "a cycle that was done";
    const isa::Status early = session->launch("pass");
    ASSERT_FALSE(early);
    EXPECT_PRED_FORMAT2(testing::IsSubstring, "not quiet", early.error());
  }
  EXPECT_EQ(session->record().cycles, whole->record().cycles);
  EXPECT_EQ(session->record().counters.pe_cycles, whole->record().counters.pe_cycles);
  EXPECT_EQ(floats(*session, "got"), floats(*whole, "got"));
  ASSERT_TRUE(session->run(until + 100));
  EXPECT_EQ(session->cycle(), until + 100);
  ASSERT_TRUE(session->launch("pass"));
  EXPECT_EQ(session->began(), until + 100 + GetParam().launch_cycles);
  EXPECT_EQ(session->record().cycles, whole->record().cycles);
}

TEST_P(Sessions, TasksPreparedTogetherBeginTogether) {
  const auto apart = session_of(kCells, GetParam());
  ASSERT_TRUE(apart->launch("scale", kArguments));
  const vm::Cycle alone = apart->record().cycles;
  const auto session = session_of(kCells, GetParam());
  const std::array other = {Number::of(std::int64_t{-7}), Number::of(2.0)};
  ASSERT_TRUE(session->prepare("scale", kArguments, vm::PeRect{0, 0, 2, 1}));
  ASSERT_TRUE(session->prepare("scale", other, vm::PeRect{2, 0, 2, 1}));
  EXPECT_EQ(calls(*session, 0), 100);
  ASSERT_TRUE(session->run());
  EXPECT_EQ(session->record().cycles, alone);
  EXPECT_EQ(calls(*session, 1), 105);
  EXPECT_EQ(calls(*session, 2), 93);
}

TEST_P(Sessions, ABlockedTaskKeepsItsArguments) {
  const auto session = session_of(kCells, GetParam());
  ASSERT_TRUE(session->launch("hold"));
  ASSERT_TRUE(session->launch("scale", kArguments));
  EXPECT_EQ(calls(*session, 0), 100);
  const std::array last = {Number::of(std::int64_t{20}), Number::of(1.0)};
  ASSERT_TRUE(session->launch("scale", last));
  ASSERT_TRUE(session->launch("free"));
  EXPECT_EQ(calls(*session, 0), 120);
}

TEST_P(Sessions, WhatIsNotQuietIsAnErrorAndCanBeRead) {
  const auto lost = session_of(kCells, GetParam());
  const isa::Status lose = lost->launch("lose", {}, vm::PeRect{1, 0, 1, 1});
  ASSERT_FALSE(lose);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "1 wavelet nobody took", lose.error());
  EXPECT_EQ(lost->state(), State::Broken);
  EXPECT_EQ(calls(*lost, 2), 100);
  EXPECT_EQ(lost->launch("scale", kArguments).error(), lost->problem());
  EXPECT_EQ(lost->run().error(), lost->problem());

  const auto starved = session_of(kCells, GetParam());
  const isa::Status starve = starved->launch("starve");
  ASSERT_FALSE(starve);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "deadlock", starve.error());
  EXPECT_EQ(starved->record().status, vm::RunStatus::Deadlock);
  EXPECT_EQ(floats(*starved, "x").size(), 24u);

  const auto crashed = session_of(kCells, GetParam());
  ASSERT_TRUE(crashed->launch("crash", std::array{Number::of(std::int64_t{0})}));
  const isa::Status crash = crashed->launch("crash", std::array{Number::of(std::int64_t{1})});
  ASSERT_FALSE(crash);
  EXPECT_EQ(crashed->record().status, vm::RunStatus::Trap);
  EXPECT_EQ(crashed->state(), State::Broken);
  EXPECT_EQ(calls(*crashed, 2), 100);
}

INSTANTIATE_TEST_SUITE_P(OnAll, Sessions,
                         testing::Values(On{"model"},
                                         On{"wse2", vm::TransportChoice::Stepper, 1, false, 17},
                                         On{"wse3"}, On{"model", vm::TransportChoice::Wafer},
                                         On{"wse2", vm::TransportChoice::Wafer},
                                         On{"wse3", vm::TransportChoice::Wafer, 1, false, 3}),
                         [](const auto& info) {
                           const bool wafer = info.param.transport == vm::TransportChoice::Wafer;
                           return info.param.profile + (wafer ? "Wafer" : "Stepper");
                         });

}  // namespace
}  // namespace wse::test_sessions
