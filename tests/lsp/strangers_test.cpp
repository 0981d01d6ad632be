// Messages of strangers: nothing that a client sends may end the server, and each request has one
// answer.
#include <gtest/gtest.h>

#include "tests/lsp/client.h"
#include "tests/support/random.h"

namespace wse::lsp {
namespace {

using test_support::Random;

const std::string kStrange = "file:///p/a.wsa";
const std::string kProgram =
    ".grid 1, 1\n.program p\n  .reg a\n  task main:\n    mov32 a, 1\n"
    "    halt\n.place p at (0, 0)\n";

constexpr std::string_view kMethods[] = {"initialize",
                                         "initialized",
                                         "shutdown",
                                         "textDocument/didOpen",
                                         "textDocument/didChange",
                                         "textDocument/didClose",
                                         "textDocument/didSave",
                                         "textDocument/hover",
                                         "textDocument/completion",
                                         "textDocument/definition",
                                         "textDocument/references",
                                         "textDocument/documentHighlight",
                                         "textDocument/prepareRename",
                                         "textDocument/rename",
                                         "textDocument/codeAction",
                                         "textDocument/documentSymbol",
                                         "textDocument/foldingRange",
                                         "textDocument/semanticTokens/full",
                                         "textDocument/semanticTokens/full/delta",
                                         "textDocument/semanticTokens/range",
                                         "textDocument/inlayHint",
                                         "textDocument/codeLens",
                                         "workspace/didChangeConfiguration",
                                         "$/cancelRequest",
                                         "no/such"};

// Some value, often of the wrong type.
Json any_value(Random& random, int depth = 0) {
  switch (random.below(depth > 2 ? 8 : 10)) {
    case 0: return nullptr;
    case 1: return true;
    case 2: return -5;
    case 3: return random.word();
    case 4: return 1e300;
    case 5: return kStrange;
    case 6: return kProgram;
    case 7: return "utf-8";
    case 8: return Json::array({any_value(random, depth + 1), any_value(random, depth + 1)});
    default:
      return {{"line", any_value(random, depth + 1)}, {"text", any_value(random, depth + 1)}};
  }
}

// Parameters as they should be, with members that are replaced or missing.
Json any_params(Random& random) {
  const auto place = [&random] {
    return Json{{"line", random.below(9)}, {"character", random.below(30)}};
  };
  Json params = {{"textDocument", {{"uri", kStrange}, {"version", 3}, {"text", kProgram}}},
                 {"position", place()},
                 {"range", {{"start", place()}, {"end", place()}}},
                 {"newName", "b"},
                 {"previousResultId", "1"},
                 {"context", {{"includeDeclaration", true}}},
                 {"settings", {{"wsevm", {{"machine", "model"}, {"values", {{"P", 3}}}}}}},
                 {"contentChanges",
                  {{{"range", {{"start", place()}, {"end", place()}}}, {"text", "mov32 x, y\n"}}}}};
  for (std::uint32_t changes = random.below(3); changes > 0; --changes) {
    Json* inner = &params;
    while (inner->is_object() && !inner->empty() && random.below(3) > 0) {
      auto member = inner->begin();
      std::advance(member, random.below(static_cast<std::uint32_t>(inner->size())));
      inner = &*member;
    }
    *inner = any_value(random);
  }
  return params;
}

TEST(Strangers, AnyOrderAndAnyMembers) {
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    Client client;
    if (random.below(8) > 0) client.begin();
    for (int k = 0; k < 60; ++k) {
      const std::string method(kMethods[random.below(std::size(kMethods))]);
      if (method == "shutdown" && random.below(4) > 0) continue;
      const Json id = random.below(3) == 0 ? any_value(random) : Json(k);
      Json message = {{"jsonrpc", "2.0"}, {"method", method}, {"params", any_params(random)}};
      const bool is_request = random.below(4) > 0;
      if (is_request) message["id"] = id;
      client.received().clear();
      client.take(json_text(message));
      const auto answers = std::ranges::count_if(
          client.received(), [](const Json& one) { return one.contains("id"); });
      EXPECT_EQ(answers, is_request ? 1 : 0) << message;
      if (random.below(4) == 0) client.wait();
    }
  }
}

TEST(Strangers, BytesThatAreNoMessage) {
  Client client;
  for (const std::string_view text :
       {"", "{", "null", "[]", "3", "\"x\"", "{}", "{\"id\":1}", "{\"method\":3}",
        "{\"method\":\"x\",\"id\":null}", "{\"method\":\"x\",\"id\":{}}", "\xff\xfe",
        "{\"a\":\"\xff\"}"}) {
    client.take(text);
  }
  client.take(std::string(1'000'000, '['));
  client.take("{\"a\":" + std::string(1'000'000, '{'));
  client.take("\"" + std::string(1'000'000, '[') + "\"");
  EXPECT_GE(client.received().size(), 10u);
  EXPECT_EQ(client.begin()["serverInfo"]["name"], "wsevm") << "and serves on";
}

TEST(Strangers, BytesOfMessagesAreChanged) {
  Random random(7);
  Client client;
  client.begin();
  client.open(kStrange, kProgram);
  const std::string message = json_text({{"jsonrpc", "2.0"},
                                         {"id", 1},
                                         {"method", "textDocument/hover"},
                                         {"params", any_params(random)}});
  for (int k = 0; k < 3000; ++k) {
    std::string damaged = message;
    for (int n = 0; n < 3; ++n) {
      damaged[random.below(static_cast<std::uint32_t>(damaged.size()))] =
          static_cast<char>(random.below(256));
    }
    client.take(damaged);
    client.received().clear();
  }
}

TEST(Strangers, TooMuchIsRefused) {
  Client client;
  client.begin();
  client.open(kStrange, std::string(kMostDocumentBytes + 1, 'x'));
  EXPECT_EQ(client.received().back()["method"], "window/showMessage");
  client.open(kStrange, std::string(std::size_t{1} << 20, '\n'));
  Json changes = Json::array();
  for (int k = 0; k < 300; ++k) {
    changes.push_back(
        {{"range", {{"start", position_json({})}, {"end", position_json({})}}}, {"text", "x"}});
  }
  client.tell("textDocument/didChange",
              {{"textDocument", {{"uri", kStrange}}}, {"contentChanges", changes}});
  EXPECT_EQ(client.received().back()["method"], "window/showMessage");
  EXPECT_TRUE(client.at("hover", kStrange, {}).contains("error")) << "its text is not known";
  for (std::size_t k = 0; k <= kMostDocuments; ++k)
    client.open("untitled:" + std::to_string(k), "");
  EXPECT_EQ(client.received().back()["method"], "window/showMessage");
}

TEST(Strangers, OneLineOfAMegabyte) {
  std::string text = ".const A = 1";
  while (text.size() < 1'000'000) text += " + A";
  Client client;
  client.begin();
  client.open(kStrange, text + " ; \xc3\xa9\n");
  EXPECT_GT(client.whole("semanticTokens/full", kStrange)["data"].size(), 1'000'000u);
  client.wait();
  EXPECT_FALSE(client.published(kStrange).empty());
}

}  // namespace
}  // namespace wse::lsp
