// Lines, addresses and frames: what lies between texts of editors and bytes of the assembler.
#include <gtest/gtest.h>

#include "tests/lsp/client.h"
#include "vm/cli/lsp/frames.h"
#include "vm/cli/lsp/uri.h"

namespace wse::lsp {
namespace {

TEST(LineTable, CountsCharactersOfUtf16) {
  const std::string text = "a\xc3\xa9\xf0\x9f\x98\x80z\r\nb\rc\n";  // a, e acute, a face, z
  const LineTable table(text);
  EXPECT_EQ(table.lines(), 4u);
  EXPECT_EQ(table.position(3), (Position{0, 2}));
  EXPECT_EQ(table.position(7), (Position{0, 4}));
  EXPECT_EQ(table.offset({0, 4}), 7u);
  EXPECT_EQ(table.offset({0, 2}), 3u);
  EXPECT_EQ(table.offset({0, 3}), 3u) << "never inside of a character";
  EXPECT_EQ(table.offset({0, 99}), 8u) << "the end of the line";
  EXPECT_EQ(table.offset({9, 9}), text.size());
  EXPECT_EQ(table.line(1), "b");
  EXPECT_EQ(table.line(2), "c");
  EXPECT_EQ(table.line(7), "");
}

TEST(LineTable, CountsBytesIfAskedTo) {
  const std::string text = "\xc3\xa9z";
  const LineTable table(text, Encoding::Utf8);
  EXPECT_EQ(table.position(2), (Position{0, 2}));
  EXPECT_EQ(table.offset({0, 2}), 2u);
}

TEST(LineTable, TurnsEveryByteThereAndBack) {
  std::string text;
  for (int k = 0; k < 3000; ++k) text += k % 7 == 0 ? "\xe2\x82\xac" : k % 50 == 0 ? "\n" : "x";
  const LineTable table(text);
  for (std::uint32_t k = 0; k <= text.size(); ++k) {
    const bool is_inside = k < text.size() && (static_cast<unsigned char>(text[k]) & 0xc0) == 0x80;
    if (is_inside) continue;
    EXPECT_EQ(table.offset(table.position(k)), k);
  }
}

TEST(LineTable, HasTheLinesOfTheAssembler) {
  const std::string text = "a\rb\nc";
  const LineTable table(text);
  EXPECT_EQ(table.begin({.line = 2, .column = 1}), 4u);
  EXPECT_EQ(table.position(table.begin({.line = 2})), (Position{2, 0}));
  EXPECT_EQ(table.assembler_line(2), 1u);
  EXPECT_EQ(table.begin({.line = 70, .column = 1}), text.size());
  EXPECT_EQ(table.end({.line = 2, .column = 1, .length = 100}), text.size());
}

TEST(Addresses, ArePathsOfFiles) {
  EXPECT_EQ(path_of("file:///a%20b/c%C3%A9.wsa"), "/a b/c\xc3\xa9.wsa");
  EXPECT_EQ(path_of("file://localhost/a"), "/a");
  EXPECT_EQ(path_of("untitled:1"), "");
  EXPECT_EQ(path_of("file:///a%00b"), "");
  EXPECT_EQ(path_of("file:///a%2"), "/a%2");
  EXPECT_EQ(path_of("file://elsewhere/a"), "");
  for (const std::string path : {"/a b/%41", "/\xc3\xa9\n#?", "/x.wsa"}) {
    EXPECT_EQ(path_of(uri_of(path)), path);
  }
}

TEST(Frames, ComeInAnyPieces) {
  const std::string bytes = framed("{\"a\":1}") + "content-length:2\r\nX: y\r\n\r\n[]" + framed("");
  for (std::size_t piece = 1; piece < bytes.size(); ++piece) {
    FrameReader frames;
    std::vector<std::string> found;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      frames.add(std::string_view(bytes).substr(at, piece));
      for (auto message = frames.next(); message && *message; message = frames.next()) {
        found.push_back(**message);
      }
    }
    EXPECT_EQ(found, (std::vector<std::string>{"{\"a\":1}", "[]", ""}));
  }
}

TEST(Frames, RefuseBrokenHeads) {
  const auto error_of = [](std::string_view bytes) {
    FrameReader frames;
    frames.add(bytes);
    const auto message = frames.next();
    return message ? std::string("none") : message.error();
  };
  EXPECT_NE(error_of("hello\r\n\r\n").find("':'"), std::string::npos);
  EXPECT_NE(error_of("X: 3\r\n\r\n").find("no Content-Length"), std::string::npos);
  EXPECT_NE(error_of("Content-Length: -3\r\n\r\n").find("number up to"), std::string::npos);
  EXPECT_NE(error_of("Content-Length: 99999999999\r\n\r\n").find("number up to"),
            std::string::npos);
  EXPECT_NE(error_of(std::string(5000, 'x')).find("more than 4096"), std::string::npos);
  EXPECT_EQ(error_of("Content-Length: 3\r\n"), "none") << "more may come";
}

}  // namespace
}  // namespace wse::lsp
