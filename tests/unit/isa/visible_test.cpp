// What a terminal would obey becomes visible; what people read stays as it is.
#include "isa/support/visible.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

namespace wse::isa {
namespace {

TEST(Visible, HarmlessTextStaysAsItIs) {
  for (const char* const text : {"", "plain", "two\nlines\twith a tab",
                                 "Stra\xc3\x9f"
                                 "e",
                                 "\xe2\x82\xac \xe4\xb8\xad\xe6\x96\x87", "\xf0\x9f\x98\x80",
                                 "\xd7\xa9\xd7\x9c", "\\x1b is text"}) {
    EXPECT_EQ(visible(text), text);
  }
}

TEST(Visible, EveryControlOfSevenBits) {
  for (int code = 0; code < 0x20; ++code) {
    const char c = static_cast<char>(code);
    if (c == '\n' || c == '\t') continue;
    char shown[8];
    std::snprintf(shown, sizeof shown, "a\\x%02xb", static_cast<unsigned>(code));
    EXPECT_EQ(visible(std::string("a") + c + "b"), shown);
  }
  EXPECT_EQ(visible("\x7f"), "\\x7f");
}

TEST(Visible, EveryControlOfEightBits) {
  for (unsigned code = 0x80; code < 0xa0; ++code) {
    char shown[8];
    std::snprintf(shown, sizeof shown, "\\u%04x", code);
    EXPECT_EQ(visible(std::string("\xc2") + static_cast<char>(code)), shown);
    std::snprintf(shown, sizeof shown, "\\x%02x", code);
    EXPECT_EQ(visible(std::string(1, static_cast<char>(code))), shown);  // no UTF-8
  }
  EXPECT_EQ(visible("\xc2\xa0"), "\xc2\xa0");
}

TEST(Visible, DirectionsThatTurnTextRound) {
  EXPECT_EQ(visible("\xe2\x80\xa9|\xe2\x80\xaa|\xe2\x80\xae|\xe2\x80\xaf"),
            "\xe2\x80\xa9|\\u202a|\\u202e|\xe2\x80\xaf");
  EXPECT_EQ(visible("\xe2\x81\xa5|\xe2\x81\xa6|\xe2\x81\xa9|\xe2\x81\xaa"),
            "\xe2\x81\xa5|\\u2066|\\u2069|\xe2\x81\xaa");
}

TEST(Visible, BytesThatAreNoUtf8) {
  EXPECT_EQ(visible("\xe4hm"), "\\xe4hm");
  EXPECT_EQ(visible("\xc0\x9b"), "\\xc0\\x9b");                    // longer than need be
  EXPECT_EQ(visible("\xe0\x82\x9b"), "\\xe0\\x82\\x9b");           // the same in three bytes
  EXPECT_EQ(visible("\xf0\x80\x82\x9b"), "\\xf0\\x80\\x82\\x9b");  // and in four
  EXPECT_EQ(visible("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // a surrogate
  EXPECT_EQ(visible("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // above U+10FFFF
  EXPECT_EQ(visible("\xf4\x8f\xbf\xbf"), "\xf4\x8f\xbf\xbf");      // the last one
  EXPECT_EQ(visible("\xe2\x82"), "\\xe2\\x82");                    // cut off
  EXPECT_EQ(visible("\xe2\x82z"), "\\xe2\\x82z");
}

TEST(Visible, IsItsOwnVisibleForm) {
  std::string all;
  for (int code = 0; code < 256; ++code) all += static_cast<char>(code);
  EXPECT_EQ(visible(visible(all)), visible(all));
}

TEST(Visible, ALineHasNoEnd) { EXPECT_EQ(visible_line("a\nb\tc\r"), "a\\x0ab c\\x0d"); }

}  // namespace
}  // namespace wse::isa
