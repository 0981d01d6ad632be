// Does every row hold? And is rows.csv read as it is written, with nothing let through?
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/fidelity/measure.h"
#include "tests/fidelity/predictions.h"
#include "tests/support/files.h"

namespace wse::fidelity {
namespace {

constexpr std::string_view kHeader =
    "row,machine,measured,instrument,within,program,values,rule,use,explained,source\n";

std::vector<Row> rows() {
  const std::filesystem::path root = WSE_SOURCE_DIR;
  auto parsed = parse_rows(test_support::read_text(root / "tests/fidelity/rows.csv"));
  EXPECT_TRUE(parsed) << parsed.error();
  return parsed.value_or(std::vector<Row>{});
}

TEST(Fidelity, RowsHold) {
  for (const Row& row : rows()) {
    const auto cycles = simulated_cycles(row, WSE_SOURCE_DIR);
    ASSERT_TRUE(cycles) << cycles.error();
    if (row.use == Use::Context) continue;
    EXPECT_EQ(holds(row, *cycles), row.explained)
        << row.name << ": measured " << row.measured << ", simulated " << *cycles << " + "
        << row.instrument << ", error " << error_percent(row, *cycles) << " %";
  }
}

TEST(Fidelity, ErrorsAreOfTheMeasuredCycles) {
  const Row row{.name = "",
                .machine = {},
                .measured = 200,
                .instrument = 20,
                .program = "",
                .values = {},
                .source = ""};
  EXPECT_DOUBLE_EQ(error_percent(row, 190), 5);
  EXPECT_DOUBLE_EQ(error_percent(row, 170), -5);
}

TEST(Fidelity, ARowIsReadByItsColumns) {
  const auto parsed = parse_rows(std::string(kHeader) +
                                 "a b,wse2,58.4,29,rough,f.wsa,P=4 B=1,turns,held back,no,S\n");
  ASSERT_TRUE(parsed) << parsed.error();
  ASSERT_EQ(parsed->size(), 1u);
  const Row& row = parsed->front();
  EXPECT_EQ(row.name, "a b");
  EXPECT_EQ(row.machine.name, "wse2");
  EXPECT_EQ(row.measured, 58.4);
  EXPECT_EQ(row.instrument, 29);
  EXPECT_EQ(row.within, Within::Rough);
  EXPECT_EQ(row.program, "f.wsa");
  EXPECT_EQ(row.values.size(), 2u);
  EXPECT_EQ(row.values[1], std::pair(std::string("B"), std::string("1")));
  EXPECT_EQ(row.rule, Rule::Turns);
  EXPECT_EQ(row.use, Use::HeldBack);
  EXPECT_FALSE(row.explained);
  EXPECT_EQ(row.source, "S");
}

TEST(Fidelity, OtherLinesAreRefused) {
  EXPECT_FALSE(parse_rows("row,measured\n"));
  for (const std::string_view line :
       {"a,wse2,1,0,close,f.wsa,,marks,fit,yes", "a,wse9,1,0,close,f.wsa,,marks,fit,yes,S",
        "a,wse2,1,0,close,f.wsa,,marks,fit,yes,S,", "a,wse2,x,0,close,f.wsa,,marks,fit,yes,S",
        "a,wse2,0,0,close,f.wsa,,marks,fit,yes,S", "a,wse2,1,-1,close,f.wsa,,marks,fit,yes,S",
        "a,wse2,1,0,near,f.wsa,,marks,fit,yes,S", "a,wse2,1,0,close,f.wsa,P,marks,fit,yes,S",
        "a,wse2,1,0,close,f.wsa,,marsk,fit,yes,S", "a,wse2,1,0,close,f.wsa,,marks,guess,yes,S",
        "a,wse2,1,0,close,f.wsa,,marks,fit,maybe,S"}) {
    EXPECT_FALSE(parse_rows(std::string(kHeader) + std::string(line) + "\n")) << line;
  }
}

TEST(Fidelity, ASeriesIsReadByItsColumns) {
  const std::string header = "series,machine,program,values,rule,over,sizes\n";
  const auto parsed = parse_predictions(header + "a b,wse3,f.wsa,P=4,marks,N,1 2 30\n");
  ASSERT_TRUE(parsed) << parsed.error();
  ASSERT_EQ(parsed->size(), 1u);
  const Row row = row_of(parsed->front(), "30");
  EXPECT_EQ(row.name, "a b");
  EXPECT_EQ(row.machine.name, "wse3");
  EXPECT_EQ(row.program, "f.wsa");
  EXPECT_EQ(row.rule, Rule::Marks);
  EXPECT_EQ(row.values.back(), std::pair(std::string("N"), std::string("30")));
  EXPECT_EQ(parsed->front().sizes.size(), 3u);
  EXPECT_FALSE(parse_predictions("series\n"));
  for (const std::string_view line :
       {"a,wse3,f.wsa,,marks,N", "a,wse9,f.wsa,,marks,N,1", "a,wse3,f.wsa,P,marks,N,1",
        "a,wse3,f.wsa,,marsk,N,1", "a,wse3,f.wsa,,marks,,1", "a,wse3,f.wsa,,marks,N, ",
        "a,wse3,f.wsa,,marks,N,1,"}) {
    EXPECT_FALSE(parse_predictions(header + std::string(line) + "\n")) << line;
  }
}

// Every program of predictions.csv computes what it should, at the first of its sizes.
TEST(Fidelity, SeriesRun) {
  const std::filesystem::path root = WSE_SOURCE_DIR;
  const auto all =
      parse_predictions(test_support::read_text(root / "tests/fidelity/predictions.csv"));
  ASSERT_TRUE(all) << all.error();
  for (const Series& series : *all) {
    const auto cycles = simulated_cycles(row_of(series, series.sizes.front()), root);
    EXPECT_TRUE(cycles && *cycles > 0) << (cycles ? series.row.name : cycles.error());
  }
}

// What no rule can read is an error, never a number.
TEST(Fidelity, ARunWithoutWhatTheRuleWantsIsAnError) {
  Row row{.name = "hello",
          .machine = *isa::find_profile("wse2"),
          .measured = 1,
          .program = "programs/first/first.wsa",
          .values = {},
          .source = ""};
  for (const Rule rule : {Rule::Marks, Rule::Turns, Rule::Microthread, Rule::Script}) {
    row.rule = rule;
    EXPECT_FALSE(simulated_cycles(row, WSE_SOURCE_DIR));
  }
  row.program = "programs/no-such-program.wsa";
  EXPECT_FALSE(simulated_cycles(row, WSE_SOURCE_DIR));
}

}  // namespace
}  // namespace wse::fidelity
