// Exchanges of an editor with the server about names: where they are, and their renaming.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/lsp/client.h"
#include "vm/cli/lsp/uri.h"

namespace wse::lsp {
namespace {

TEST(Navigation, DefinitionAndReferences) {
  Opened opened;
  const Json definition = opened.client.at("definition", kUri, place_of(kTasks, "count", 3));
  ASSERT_EQ(definition.size(), 1u);
  EXPECT_EQ(definition[0]["range"]["start"], position_json(place_of(kTasks, "count")));
  const auto uses = [&](bool with_definition) {
    return opened.client
        .at("references", kUri, place_of(kTasks, "count"),
            {{"context", {{"includeDeclaration", with_definition}}}})
        .size();
  };
  EXPECT_EQ(uses(true), 5u);
  EXPECT_EQ(uses(false), 4u);
  EXPECT_EQ(opened.client.at("documentHighlight", kUri, place_of(kTasks, "count")).size(), 5u);
  EXPECT_EQ(opened.client.at("definition", kUri, {0, 0}), Json::array());
}

TEST(Navigation, DefinitionsLieInIncludes) {
  const std::string text = test_support::read_text(tutorial("10-include.wsa"));
  const std::string uri = uri_of(tutorial("10-include.wsa"));
  Opened opened(text, uri);
  const Json found = opened.client.at("definition", uri, place_of(text, "shift_east"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0]["uri"], uri_of(tutorial("lib/shift.wsa")));
}

TEST(Navigation, RenameReachesIncludes) {
  const std::string text = test_support::read_text(tutorial("10-include.wsa"));
  const std::string uri = uri_of(tutorial("10-include.wsa"));
  Opened opened(text, uri);
  const Position place = place_of(text, "B = 4");
  EXPECT_EQ(opened.client.at("prepareRename", uri, place)["placeholder"], "B");
  const Json answer = opened.client.at("rename", uri, place, {{"newName", "per_pe"}});
  ASSERT_TRUE(answer.contains("changes")) << answer;
  const Json& edits = answer["changes"];
  EXPECT_EQ(edits[uri].size(), 4u);
  EXPECT_EQ(edits[uri_of(tutorial("lib/shift.wsa"))].size(), 2u);
}

TEST(Navigation, RenameRefusesWhatWouldBreak) {
  Opened opened;
  const auto refused = [&](std::string_view words, const std::string& name) {
    const Json answer =
        opened.client.at("rename", kUri, place_of(kTasks, words), {{"newName", name}});
    return answer.contains("error") ? answer["error"]["message"].get<std::string>() : "";
  };
  EXPECT_NE(refused("count", "sum").find("is a name already"), std::string::npos);
  EXPECT_NE(refused("count", "add32").find("has a meaning"), std::string::npos);
  EXPECT_NE(refused("count", "2count").find("is not a name"), std::string::npos);
  EXPECT_NE(refused("main", "other").find("begins with the task"), std::string::npos);
  EXPECT_NE(refused("add32", "other").find("no name here"), std::string::npos);
  EXPECT_EQ(refused("count", "how_many"), "");
  EXPECT_EQ(opened.client.at("prepareRename", kUri, place_of(kTasks, "add32")), nullptr);
}

TEST(Navigation, SymbolsFoldsAndLenses) {
  Opened opened;
  const Json symbols = opened.client.whole("documentSymbol", kUri);
  const auto receiver = std::ranges::find(
      symbols, "receiver", [](const Json& symbol) { return symbol["name"].get<std::string>(); });
  ASSERT_NE(receiver, symbols.end());
  EXPECT_EQ((*receiver)["children"].size(), 6u);
  const Json folds = opened.client.whole("foldingRange", kUri);
  EXPECT_NE(std::ranges::find(folds, Json{{"startLine", 10}, {"endLine", 20}}), folds.end());
  EXPECT_NE(std::ranges::find(folds, Json{{"startLine", 15}, {"endLine", 17}}), folds.end());
  const Json lenses = opened.client.whole("codeLens", kUri);
  ASSERT_EQ(lenses.size(), 2u);
  EXPECT_EQ(lenses[0]["command"]["title"], "1 PE");
}

}  // namespace
}  // namespace wse::lsp
