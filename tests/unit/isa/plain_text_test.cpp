// Byte-order marks: that of UTF-8 goes, others are named.
#include "isa/support/plain_text.h"

#include <gtest/gtest.h>

namespace wse::isa {
namespace {

using namespace std::string_literals;

TEST(PlainText, AMarkOfUtf8Goes) {
  EXPECT_EQ(plain_text("\xef\xbb\xbf.grid 1, 1"), ".grid 1, 1");
  EXPECT_EQ(plain_text("\xef\xbb\xbf"), "");
  EXPECT_EQ(plain_text("\xef\xbb\xbf\xef\xbb\xbfx"), "\xef\xbb\xbfx");  // only one
}

TEST(PlainText, AllElseStays) {
  for (const std::string& text : {""s, "a"s, "\xef\xbb"s, "a\xef\xbb\xbf"s, "\0\0"s, "\xff"s}) {
    EXPECT_EQ(plain_text(text), text);
  }
}

TEST(PlainText, OtherEncodingsAreNamed) {
  EXPECT_EQ(plain_text("\xff\xfe.\0"s).error(),
            "it is UTF-16, as its byte-order mark FF FE says; save it as UTF-8");
  EXPECT_EQ(plain_text("\xfe\xff\0."s).error(),
            "it is UTF-16, as its byte-order mark FE FF says; save it as UTF-8");
  EXPECT_TRUE(plain_text("\xff\xfe\0\0.\0\0\0"s).error().starts_with("it is UTF-32"));
  EXPECT_TRUE(plain_text("\0\0\xfe\xff\0\0\0."s).error().starts_with("it is UTF-32"));
}

}  // namespace
}  // namespace wse::isa
