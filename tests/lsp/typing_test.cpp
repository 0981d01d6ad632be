// Typing: programs of the checkout, letter by letter, as an editor sends them. The server's text is
// that of the editor after every letter, and an answer takes no longer than assembling the text.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/lsp/client.h"
#include "vm/cli/lsp/uri.h"

namespace wse::lsp {
namespace {

constexpr std::size_t kFiles = 12;
constexpr std::size_t kMostLetters = 700;  // of a file: the first ones, then a piece at a time
constexpr std::size_t kPiece = 97;

std::vector<std::filesystem::path> some_programs() {
  std::vector<std::filesystem::path> found;
  for (const auto& file : test_support::project_files(WSE_SOURCE_DIR)) {
    const bool is_program = file.extension() == ".wsa" && file.string().starts_with("programs/");
    if (is_program) found.push_back(std::filesystem::path(WSE_SOURCE_DIR) / file);
  }
  std::vector<std::filesystem::path> chosen;
  for (std::size_t k = 0; k < kFiles; ++k) chosen.push_back(found[k * found.size() / kFiles]);
  return chosen;
}

void type(Client& client, const std::string& uri, const std::string& text) {
  client.open(uri, "");
  std::string typed;
  std::size_t step = 0;
  while (typed.size() < text.size()) {
    const std::size_t size = typed.size() < kMostLetters ? 1 : kPiece;
    const std::string piece = text.substr(typed.size(), size);
    const Position end = LineTable(typed).position(static_cast<std::uint32_t>(typed.size()));
    client.tell("textDocument/didChange",
                {{"textDocument", {{"uri", uri}, {"version", step}}},
                 {"contentChanges",
                  {{{"range", {{"start", position_json(end)}, {"end", position_json(end)}}},
                    {"text", piece}}}}});
    typed += piece;
    const Position here = LineTable(typed).position(static_cast<std::uint32_t>(typed.size()));
    switch (step++ % 8) {
      case 0: client.at("completion", uri, here); break;
      case 2: client.whole("semanticTokens/full", uri); break;
      case 4: client.at("hover", uri, here); break;
      case 6: client.wait(); break;
      default: break;
    }
  }
  client.received().clear();
}

TEST(Typing, EndsWithTheDiagnosticsOfTheText) {
  for (const std::filesystem::path& file : some_programs()) {
    const std::string uri = uri_of(file.string());
    const std::string text = test_support::read_text(file);
    Client typing;
    typing.begin();
    type(typing, uri, text);
    typing.change(uri, text + "\n");
    typing.wait();
    Client opening;
    opening.begin();
    opening.open(uri, text + "\n");
    opening.wait();
    EXPECT_EQ(typing.published(uri), opening.published(uri)) << file;
  }
}

}  // namespace
}  // namespace wse::lsp
