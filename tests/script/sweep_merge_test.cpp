// Does the merge of shares give the bytes of one run, or say why not? shares.sh has whole sweeps.
#include "scripts/host/sweep_merge.h"

#include <gtest/gtest.h>

namespace wse::script {
namespace {

const std::string kTitles = "sweep_point,sweep_points,sweep_inputs,P,text\n";

isa::Result<std::string> merged(const std::vector<std::string>& texts) {
  std::vector<SweepPart> parts;
  for (const std::string& text : texts) {
    parts.push_back({std::string(1, static_cast<char>('a' + parts.size())) + ".csv", text});
  }
  return merged_parts(parts);
}

void expect_refused(const std::vector<std::string>& texts, const std::string& why) {
  const isa::Result<std::string> text = merged(texts);
  ASSERT_FALSE(text) << *text;
  EXPECT_TRUE(text.error().contains(why)) << text.error();
}

TEST(Merge, PutsPointsIntoTheirOrder) {
  const auto text =
      merged({kTitles + "3,4,h1,8,x\n1,4,h1,2,y\n", kTitles + "2,4,h1,4,\n4,4,h1,9,z\n"});
  ASSERT_TRUE(text) << text.error();
  EXPECT_EQ(*text, "P,text\n2,y\n4,\n8,x\n9,z\n");
}

TEST(Merge, KeepsNewlinesAndQuotesInCells) {
  const std::string cell = "\"a\n1,4,h1,\"\",\nb\"";
  const auto text = merged({kTitles + "2,2,h1,1," + cell + "\n", kTitles + "1,2,h1,2,c\n"});
  ASSERT_TRUE(text) << text.error();
  EXPECT_EQ(*text, "P,text\n2,c\n1," + cell + "\n");
}

TEST(Merge, OfOneWholePart) {
  const auto text = merged({kTitles + "1,1,h1,2,y\n"});
  ASSERT_TRUE(text) << text.error();
  EXPECT_EQ(*text, "P,text\n2,y\n");
}

TEST(Merge, RefusesGaps) {
  expect_refused({kTitles + "2,3,h1,2,y\n"}, "2 of 3 points are in no file: 1, 3;");
  expect_refused({kTitles + "5,9,h1,2,y\n"},
                 "8 of 9 points are in no file: 1, 2, 3, 4, 6 and 3 more;");
  expect_refused({kTitles + "1,1000000000,h1,2,y\n"}, "999999999 of 1000000000 points");
}

TEST(Merge, RefusesOverlaps) {
  expect_refused({kTitles + "1,2,h1,2,y\n", kTitles + "2,2,h1,2,y\n1,2,h1,2,y\n"},
                 "point 1 is in a.csv (row 2) and in b.csv (row 3)");
}

TEST(Merge, RefusesOtherColumnsAndInputs) {
  expect_refused(
      {kTitles + "1,2,h1,2,y\n", "sweep_point,sweep_points,sweep_inputs,P,name\n2,2,h1,2,y\n"},
      "b.csv has the columns P,name, a.csv has P,text");
  expect_refused({kTitles + "1,2,h1,2,y\n", kTitles + "2,2,h2,2,y\n"},
                 "b.csv: row 2: it is of other inputs than a.csv");
  expect_refused({kTitles + "1,2,h1,2,y\n", kTitles + "2,3,h1,2,y\n"},
                 "it is of other inputs than a.csv");
}

TEST(Merge, RefusesWhatIsNoPart) {
  expect_refused({}, "the files have no rows");
  expect_refused({kTitles}, "the files have no rows");
  expect_refused({""}, "a.csv is no part of a sweep");
  expect_refused({"P,text\n1,2\n"}, "a.csv is no part of a sweep");
  for (const char* const row :
       {"", "x", "0,2,h1,2,y", "3,2,h1,2,y", "1,0,h1,2,y", "-1,2,h1,2,y", "1,2,,2,y", "1,2,h1", "1",
        "1.0,2,h1,2,y", " 1,2,h1,2,y", "99999999999999999999,2,h1,2,y"}) {
    expect_refused({kTitles + row + "\n"}, "a.csv: row 2: it does not begin with the number");
  }
}

TEST(Merge, RefusesCutLines) {
  const std::string whole = kTitles + "1,2,h1,2,\"y\nz\"\n2,2,h1,4,w\n";
  ASSERT_TRUE(merged({whole}));
  for (std::size_t size = kTitles.size() + 1; size < whole.size(); ++size) {
    const auto text = merged({whole.substr(0, size)});
    EXPECT_FALSE(text) << size;
  }
}

}  // namespace
}  // namespace wse::script
