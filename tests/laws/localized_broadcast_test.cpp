// programs/localized-broadcast for every row of 5 to 23 PEs: all words arrive (its own
// expectations), every switch ends where it began, and two rounds take about as long in a row of
// any length.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "tests/support/simulation.h"

namespace wse::test_laws::localized_broadcast {
namespace {

using test_support::simulate_program;
using test_support::Simulation;

struct Switch {
  int first = 0;  // position after the start of the program
  int last = 0;   // position at the end
  int changes = 0;
};

// By colour and x: what the trace tells of the switches. Those it does not name stay in position 0.
std::map<std::tuple<std::string, int>, Switch> switches(const Simulation& simulation) {
  std::map<std::tuple<std::string, int>, Switch> found;
  for (const std::string& line : simulation.trace) {
    if (!line.contains(R"("position")")) continue;
    const nlohmann::json json = nlohmann::json::parse(line);
    if (json["event"] != "position") continue;
    Switch& at = found[{json["colour"], json["pe"][0]}];
    at.last = json["position"];
    if (json["cycle"] == 0) at.first = at.last;
    ++at.changes;
  }
  return found;
}

TEST(LocalizedBroadcast, EveryRowOfFiveToTwentyThree) {
  for (int p = 5; p <= 23; ++p) {
    for (const int b : {1, 2, 3, 8, 33}) {
      SCOPED_TRACE("P=" + std::to_string(p) + " B=" + std::to_string(b));
      const Simulation simulation = simulate_program(
          "localized-broadcast",
          {.values = {{"P", std::to_string(p)}, {"B", std::to_string(b)}}, .trace = true});
      EXPECT_EQ(simulation.record.status, wse::vm::RunStatus::Halted);
      EXPECT_EQ(simulation.record.message, "");
      EXPECT_EQ(simulation.record.wavelets_left, 0u);
      for (const std::string& failure : simulation.failed_expectations) ADD_FAILURE() << failure;
      EXPECT_LE(simulation.record.cycles, 21u * b + 48);

      const auto found = switches(simulation);
      EXPECT_EQ(found.size(), 2u * p);
      for (const auto& [key, at] : found) {
        EXPECT_EQ(at.last, at.first) << std::get<0>(key) << " at PE " << std::get<1>(key);
        EXPECT_GE(at.changes, 4);
      }
    }
  }
}

TEST(LocalizedBroadcast, AlsoWithSetUps) {
  for (int p = 5; p <= 23; ++p) {
    SCOPED_TRACE(p);
    const Simulation simulation = simulate_program(
        "localized-broadcast", {.values = {{"P", std::to_string(p)}}, .profile = "wse2"});
    EXPECT_EQ(simulation.record.status, wse::vm::RunStatus::Halted) << simulation.record.message;
    for (const std::string& failure : simulation.failed_expectations) ADD_FAILURE() << failure;
  }
}

}  // namespace
}  // namespace wse::test_laws::localized_broadcast
