// Goldens compare exactly, and are rewritten only when asked for.
// Must never leave WSE_BLESS set for other tests.
#include "tests/support/golden.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include "tests/support/files.h"

namespace wse::test_support {
namespace {

class GoldenTest : public testing::Test {
 protected:
  void SetUp() override { ::unsetenv("WSE_BLESS"); }
  void TearDown() override { ::unsetenv("WSE_BLESS"); }

  ScratchFolder scratch_;
};

TEST_F(GoldenTest, ShowsTheFirstDifference) {
  const auto golden = scratch_.path() / "a.golden";
  write_text(golden, "one\ntwo\nthree\n");
  EXPECT_EQ(compare_with_golden(golden, "one\ntwo\nthree\n"), "");
  EXPECT_EQ(compare_with_golden(golden, "one\n2\nthree\n"),
            golden.string() + ":2: differs from here on\n-two\n-three\n+2\n+three\n");
  EXPECT_NE(compare_with_golden(golden, "one\ntwo\nthree"), "");
}

TEST_F(GoldenTest, BlessesOnlyWhenAsked) {
  const auto golden = scratch_.path() / "new" / "a.golden";
  EXPECT_NE(compare_with_golden(golden, "text\n"), "");
  ::setenv("WSE_BLESS", "0", 1);
  EXPECT_NE(compare_with_golden(golden, "text\n"), "");
  ::setenv("WSE_BLESS", "1", 1);
  EXPECT_EQ(compare_with_golden(golden, "text\n"), "");
  ::unsetenv("WSE_BLESS");
  EXPECT_EQ(compare_with_golden(golden, "text\n"), "");
}

}  // namespace
}  // namespace wse::test_support
