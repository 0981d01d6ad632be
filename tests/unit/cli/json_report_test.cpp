// The JSON record: what it says of traps and switches, and that a long script does not make it
// huge.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "vm/cli/reports.h"
#include "vm/front/json_record.h"

namespace wse::cli {
namespace {

using Json = nlohmann::json;

vm::Record moved_record(std::size_t positions) {
  vm::Record record;
  record.positions_total = positions;
  record.positions.assign(positions, {.x = 3, .y = 4, .colour = "red", .position = 2});
  return record;
}

TEST(JsonReport, NullWithoutATrapAndWithoutItsLine) {
  vm::Record record = moved_record(1);
  EXPECT_EQ(Json::parse(front::record_json(record))["trap"], nullptr);
  record.trap = {isa::Trap::UnboundTask, 7, 1, 2, "", "a control wavelet asks for entry 3"};
  const Json expected = {{"kind", "unbound_task"},
                         {"cycle", 7},
                         {"pe", {1, 2}},
                         {"line", nullptr},
                         {"detail", "a control wavelet asks for entry 3"}};
  EXPECT_EQ(Json::parse(front::record_json(record))["trap"], expected);
  record.trap->line = "a.wsa:9";
  EXPECT_EQ(Json::parse(front::record_json(record))["trap"]["line"], "a.wsa:9");
}

TEST(JsonReport, SaysTheCyclesAtTheEndsOfIntervals) {
  vm::Record record;
  record.cycles = 12;
  EXPECT_EQ(Json::parse(front::record_json(record))["cycles_low"], nullptr);
  EXPECT_EQ(interval_text(record), "");
  record.cycles_high = 15;
  EXPECT_EQ(Json::parse(front::record_json(record))["cycles_low"], nullptr);
  EXPECT_EQ(Json::parse(front::record_json(record))["cycles_high"], 15);
  EXPECT_EQ(interval_text(record), " (?..15)");
  record.cycles_low = 10;
  EXPECT_EQ(Json::parse(front::record_json(record))["cycles_low"], 10);
  EXPECT_EQ(interval_text(record), " (10..15)");
  EXPECT_TRUE(record_text(record).contains("\ncycles        12 (10..15)\n"));
}

TEST(JsonReport, ListsSwitches) {
  const Json json = Json::parse(front::record_json(moved_record(2)));
  const Json one = {{"pe", {3, 4}}, {"colour", "red"}, {"position", 2}};
  EXPECT_EQ(json["positions"], Json::array({one, one}));
  EXPECT_EQ(json["positions_total"], 2);
}

TEST(JsonReport, RunsOfAScriptListSoManySwitchesInAll) {
  constexpr std::size_t kRuns = 300;
  script::ScriptResult result;
  for (std::size_t k = 0; k < kRuns; ++k) {
    result.runs.push_back(moved_record(vm::kMostPositions));
  }
  const Json json = Json::parse(front::script_json(result, "wse2"));
  std::size_t listed = 0;
  for (const Json& run : json["runs"]) {
    listed += run["positions"].size();
    EXPECT_EQ(run["positions_total"], vm::kMostPositions);
  }
  EXPECT_EQ(listed, 65'536u);
  EXPECT_EQ(json["positions"].size(), vm::kMostPositions);  // of the last run
}

}  // namespace
}  // namespace wse::cli
