// Findings: each rule speaks where its bound is passed, names the place, and is silent below it.
#include "vm/page/findings.h"

#include <gtest/gtest.h>

#include <cstring>

namespace {

using namespace wse;

using Values = std::vector<std::uint32_t>;

// A profile of 4 x 1 PEs in a run of 1000 cycles, all of them idle until something else is set.
class Made {
 public:
  Made() {
    profile_.width = 4;
    profile_.height = 1;
    profile_.ports = {"east", "west", "north", "south"};
    profile_.programs = {"left", "right"};
    profile_.status = "halted";
    profile_.cycles = 1000;
    set("idle", {1000, 1000, 1000, 1000});
    set("program", {0, 0, 1, 1});
  }

  Made& set(const std::string& name, const Values& values) {
    numpy::NpyArray array{"<u4", {values.size()}, {}};
    array.data.resize(values.size() * sizeof values[0]);
    std::memcpy(array.data.data(), values.data(), array.data.size());
    const auto had = std::ranges::find(profile_.arrays, name, &numpy::PackedArray::name);
    if (had != profile_.arrays.end()) profile_.arrays.erase(had);
    profile_.arrays.push_back(*numpy::packed({name, std::move(array)}));
    return *this;
  }

  // Sets how many cycles each PE is busy; it is idle in the others.
  Made& busy(const Values& cycles) {
    Values idle;
    for (const std::uint32_t of : cycles) idle.push_back(1000 - of);
    return set("busy", cycles).set("idle", idle);
  }

  Made& line(std::uint32_t number, std::string text, std::uint32_t cycles) {
    profile_.lines.push_back({.program = "left",
                              .kind = "line",
                              .file = "a.wsa",
                              .line = number,
                              .text = std::move(text)});
    line_cycles_.push_back(cycles);
    return set("line_cycles", line_cycles_);
  }

  // Sets the cycles of each line by cause.
  Made& causes(const std::vector<std::string>& names, const Values& cycles) {
    profile_.causes = names;
    return set("line_cause", cycles);
  }

  Made& task_start(std::uint64_t cycles) {
    profile_.task_start_cycles = cycles;
    return *this;
  }

  std::vector<vm::Finding> findings() const { return vm::find_findings(profile_); }

  std::string rules() const {
    std::string rules;
    for (const vm::Finding& finding : findings()) {
      rules += (rules.empty() ? "" : ", ") + finding.rule;
    }
    return rules;
  }

  vm::Finding second() const { return findings()[1]; }

 private:
  vm::Profile profile_;
  Values line_cycles_;
};

TEST(Findings, BeginWithWhereTheCyclesWent) {
  const vm::Finding first = Made().busy({500, 500, 0, 1000}).findings()[0];
  EXPECT_EQ(
      first.text,
      "The run ended (halted) after 1000 cycles on 4 x 1 PEs, 4 of which have a program: 50 % "
      "of their cycles are busy, 0 % lost to memory, 0 % wait for output, 0 % wait for input, "
      "50 % are idle.");
}

TEST(Findings, NameTheMemoryThatStalls) {
  Made made;
  made.set("memory_stall", {0, 0, 190, 0}).set("idle", {1000, 1000, 810, 1000});
  EXPECT_EQ(made.rules(), "overview, latency, idle");
  made.set("memory_stall", {0, 0, 210, 0}).set("idle", {1000, 1000, 790, 1000});
  EXPECT_EQ(made.second().rule, "memory stall");
  EXPECT_EQ(made.second().pe, 2u);
  EXPECT_EQ(made.second().map, "memory_stall");
  EXPECT_NE(made.second().text.find("PE(2, 0) (`right`) loses the most, 210 of 1000 cycles"),
            std::string::npos)
      << made.second().text;
}

TEST(Findings, NameTheLineOfACause) {
  Made made;
  made.line(3, "  mov32 r1, 2", 0).line(4, "  fmuls c, a, b", 0);
  made.causes({"setup", "bank"}, {700, 10, 101, 90});
  EXPECT_EQ(made.second().text,
            "Setting up vector instructions takes 20 % of all cycles: they are short. 87 % of it "
            "at line a.wsa:3: mov32 r1, 2");
  EXPECT_EQ(made.second().line, 0u);
  made.causes({"setup", "bank"}, {700, 10, 100, 90});
  EXPECT_EQ(made.second().rule, "latency");
  made.set("memory_stall", {0, 0, 400, 0}).set("idle", {1000, 1000, 600, 1000});
  EXPECT_EQ(made.second().rule, "memory stall");
  EXPECT_TRUE(made.second().text.ends_with(" 90 % of it at line a.wsa:4: fmuls c, a, b"));
  EXPECT_EQ(made.second().line, 1u);
}

TEST(Findings, NameFifosAndNoOps) {
  Made made;
  made.line(3, "  mov32 a, queue", 0).line(4, "  fmuls c, a, b", 0);
  made.causes({"fifo", "noop"}, {400, 0, 0, 200});
  EXPECT_EQ(made.rules(), "overview, latency, idle");
  made.causes({"fifo", "noop"}, {410, 0, 0, 201});
  EXPECT_EQ(made.rules(), "overview, FIFO, no-ops, idle");
  EXPECT_NE(made.second().text.find("in 10 % of all cycles"), std::string::npos);
  EXPECT_NE(made.second().text.find("100 % of it at line a.wsa:3: mov32 a, queue"),
            std::string::npos)
      << made.second().text;
}

TEST(Findings, NameTheFullLink) {
  Made made;
  Values link(16);
  link[4 + 3] = 800;  // west of PE 3
  EXPECT_EQ(made.set("link", link).second().rule, "latency");
  link[4 + 3] = 801;
  EXPECT_EQ(made.set("link", link).second().rule, "full link");
  EXPECT_EQ(made.second().map, "link.west");
  EXPECT_EQ(made.second().pe, 3u);
}

TEST(Findings, NameTheHotRamp) {
  Made made;
  EXPECT_EQ(made.set("ramp", {0, 900, 0, 0, 0, 0, 0, 0}).second().text,
            "PE(1, 0) (`left`) receives 900 words, one in 90 % of the cycles: its ramp is what the "
            "run waits for.");
  EXPECT_EQ(made.set("ramp", {0, 0, 0, 0, 0, 0, 900, 0}).second().map, "ramp.up");
  EXPECT_EQ(made.set("ramp", {0, 800, 0, 0, 0, 0, 0, 0}).second().rule, "latency");
}

TEST(Findings, NameTheOneThatHasMoreToDo) {
  EXPECT_EQ(Made().busy({900, 100, 100, 100}).second().rule, "uneven work");
  EXPECT_EQ(Made().busy({900, 100, 100, 100}).second().pe, 0u);
  EXPECT_EQ(Made().busy({900, 300, 300, 300}).second().rule, "work");  // exactly twice the mean
  EXPECT_EQ(Made().busy({500, 10, 10, 10}).second().rule, "latency");  // nobody waits for it
}

TEST(Findings, NameTasksThatOnlyStart) {
  Made made;
  made.busy({100, 100, 100, 100}).set("tasks", {1, 1, 5, 1});
  EXPECT_EQ(made.task_start(10).second().rule, "latency");
  EXPECT_EQ(made.task_start(11).second().rule, "task start");
  EXPECT_EQ(made.second().pe, 2u);
}

TEST(Findings, FollowBackPressureToItsSource) {
  Made made;
  made.set("wait_output", {900, 700, 0, 0}).set("idle", {100, 300, 0, 1000});
  made.set("busy", {0, 0, 1000, 0});
  Values link(16);
  link[0] = link[1] = 300;  // east of PE 0 and PE 1
  made.set("link", link).set("received", {0, 0, 300, 0});
  const std::vector<vm::Finding> findings = made.findings();
  const auto found = std::ranges::find(findings, "back-pressure", &vm::Finding::rule);
  ASSERT_NE(found, findings.end());
  EXPECT_EQ(found->pe, 2u);
  EXPECT_EQ(
      found->text,
      "PEs wait for room to send in 40 % of all cycles, PE(0, 0) (`left`) in 900 of 1000. The "
      "words go to PE(2, 0) (`right`), which took 300 and is busy in 100 % of the cycles.");
}

TEST(Findings, SayThatNobodyIsToBlame) {
  EXPECT_EQ(Made().busy({900, 900, 900, 900}).second().text,
            "Nothing holds the run back: its PEs are evenly busy, the busiest in 90 % of the "
            "cycles. Less work is the only remedy.");
  EXPECT_TRUE(Made().busy({900, 700, 700, 600}).second().text.starts_with("Nothing holds"));
  EXPECT_EQ(Made().busy({900, 500, 500, 500}).second().text,
            "The busiest PE works in 90 % of the cycles, all of them on average in 60 %: no more "
            "than the difference can be saved by sharing the work.");
  EXPECT_EQ(Made().busy({20, 20, 20, 20}).second().text,
            "No PE, link or ramp is used in more than 2 % of the cycles: the run is bound by the "
            "latency of steps that need each other, not by any part that is full.");
}

TEST(Findings, TellEffectsAfterCauses) {
  Made made;
  made.busy({900, 10, 10, 10}).line(9, "  end", 1600).line(7, "  mov32 r1, 2", 1500);
  made.line(7, "  mov32 r1, 2", 1500);  // of another program
  EXPECT_EQ(made.rules(), "overview, uneven work, idle, longest line");
  const vm::Finding last = made.findings().back();
  EXPECT_EQ(last.line, 1u);
  EXPECT_EQ(last.text,
            "PEs are at line a.wsa:7 in 75 % of all cycles, working or waiting there: mov32 r1, 2");
}

TEST(Findings, AreThereForAProfileWithoutArrays) {
  vm::Profile empty;
  empty.width = empty.height = 1;
  EXPECT_EQ(vm::find_findings(empty).size(), 2u);
}

}  // namespace
