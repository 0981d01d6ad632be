// Hovers, lenses and hints: what they say of a program that has been assembled, or run with a
// profile.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/lsp/client.h"
#include "tests/support/child.h"
#include "vm/cli/lsp/uri.h"
#include "vm/cli/run_profiles.h"

namespace wse::lsp {
namespace {

const std::string kHeat = (kTree / "programs/heat/heat.wsa").string();

Json hints_of(Client& client, const std::string& uri) { return client.whole("inlayHint", uri); }

// The labels of the line, counted from 0, that say cycles of a run.
std::vector<std::string> shares_at(const Json& hints, std::uint32_t line) {
  std::vector<std::string> found;
  for (const Json& hint : hints) {
    const std::string label = hint["label"];
    const bool is_share = label.find(" %: ") != std::string::npos;
    if (is_share && hint["position"]["line"] == line) found.push_back(label);
  }
  return found;
}

// A profile of heat on 8 x 6 PEs, and a client that has the program open with it.
class Profiled {
 public:
  Profiled() {
    const test_support::Ending ending = test_support::run_wsevm(
        {"run", kHeat, "W=8", "H=6", "steps=4", "--quiet", "--profile=heat.npz"},
        {.folder = folder_.path()});
    EXPECT_EQ(ending.code, 0) << ending.errors;
    Host host = test_host();
    host.run_profile = [this](const std::string& path) { return profiles_.read(path); };
    client_.emplace(std::move(host));
  }
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  Client& client() { return *client_; }

 private:
  test_support::ScratchFolder folder_;
  cli::RunProfiles profiles_;
  std::optional<Client> client_;
};

TEST(Facts, NamesOfAProgramOfManyRoles) {
  Client client;
  client.begin({{"values", {{"W", 8}, {"H", 6}}}});
  const std::string text = test_support::read_text(kHeat);
  const std::string uri = uri_of(kHeat);
  client.open(uri, text);
  const auto hover = [&](std::string_view words) {
    return client.at("hover", uri, place_of(text, words))["contents"]["value"].get<std::string>();
  };
  EXPECT_NE(hover("W = 64").find("\n= 8\n"), std::string::npos) << "the value of the settings";
  EXPECT_NE(hover("steps: i32").find("i32 = 20 unless a run says"), std::string::npos);
  EXPECT_NE(hover("heat(").find("at 48 PEs, 9 codes by role; at most "), std::string::npos);
  EXPECT_NE(hover("has_west: const").find("= 0 in `heat(has_west=0"), std::string::npos);
  EXPECT_NE(
      hover("u[N + 2]").find("f32[3], 12 bytes at address 8, in 6 of 8 banks, from bank 4 on"),
      std::string::npos);
  EXPECT_NE(hover("step\n").find("\nr0\n"), std::string::npos);
  EXPECT_NE(hover("to_east,").find("microthread 0"), std::string::npos);
  EXPECT_NE(hover("east0,").find("24 can send, 24 can receive"), std::string::npos);
  EXPECT_NE(hover("east0,").find("○→  ●   ○→  ●   "), std::string::npos) << "a drawing";
  EXPECT_NE(hover("fadds flow, u").find("in `heat(has_west="), std::string::npos);
}

TEST(Facts, EveryNameOfEveryProgramHasAHover) {
  std::size_t names = 0;
  for (const auto& file : test_support::project_files(kTree)) {
    if (file.extension() != ".wsa" || !file.string().starts_with("programs/")) continue;
    const std::string text = test_support::read_text(kTree / file);
    const std::string uri = uri_of((kTree / file).string());
    Opened opened(text, uri);
    const Json symbols = opened.client.whole("documentSymbol", uri);
    const LineTable table(text);
    std::vector<const Json*> open;
    for (const Json& symbol : symbols) open.push_back(&symbol);
    while (!open.empty()) {
      const Json& symbol = *open.back();
      open.pop_back();
      if (symbol.contains("children")) {
        for (const Json& child : symbol["children"]) open.push_back(&child);
      }
      const auto place = position_at(symbol, {"selectionRange", "start"});
      ASSERT_TRUE(place);
      const Json hover = opened.client.at("hover", uri, *place);
      EXPECT_TRUE(hover.is_object()) << file << ": " << symbol["name"];
      ++names;
    }
  }
  EXPECT_GE(names, 800u);
}

TEST(Facts, ColoursComeWithoutConstants) {
  std::string text = test_support::read_text(kHeat);
  const std::string line = "    setd west_out, fabout(";
  text.insert(text.find("    mark begin"), line + "\n");
  Opened opened(text, uri_of(kHeat));
  Position behind = place_of(text, line + "\n");
  behind.character = static_cast<std::uint32_t>(line.size());
  const Json items = opened.client.at("completion", uri_of(kHeat), behind)["items"];
  EXPECT_EQ(items.size(), 8u) << items;
}

TEST(Facts, NoHintIsEmpty) {
  const std::string text = test_support::read_text(kHeat);
  Opened opened(text, uri_of(kHeat));
  const Json hints = hints_of(opened.client, uri_of(kHeat));
  EXPECT_GE(hints.size(), 20u);
  for (const Json& hint : hints) EXPECT_NE(hint["label"], "") << hint;
}

// A line that is being written has an error most of the time: nothing around it may flicker.
TEST(Facts, HintsAndLensesStayWhileALineIsWritten) {
  Opened opened;
  const Json hints = hints_of(opened.client, kUri);
  const Json lenses = opened.client.whole("codeLens", kUri);
  std::string text = kTasks;
  text.insert(text.find("  task take"), "    hau\n");
  opened.client.change(kUri, text);
  const Json now = hints_of(opened.client, kUri);
  ASSERT_EQ(now.size(), hints.size());
  const std::uint32_t written = place_of(text, "hau").line;
  for (std::size_t k = 0; k < now.size(); ++k) {
    EXPECT_EQ(now[k]["label"], hints[k]["label"]);
    const std::uint32_t before = hints[k]["position"]["line"];
    EXPECT_EQ(now[k]["position"]["line"], before + (before >= written ? 1 : 0));
  }
  EXPECT_EQ(opened.client.whole("codeLens", kUri).size(), lenses.size());
  opened.client.tell("textDocument/didClose", {{"textDocument", {{"uri", kUri}}}});
  opened.client.open(kUri, text);
  EXPECT_TRUE(hints_of(opened.client, kUri).empty()) << "another text may have come";
}

TEST(Facts, LensesRunTheProgramWhereTheClientCan) {
  Client client;
  client.begin(
      {{"values", {{"W", 512}, {"H", 510}}}, {"machine", "wse3"}, {"commands", {"wsevm.run"}}});
  client.open(uri_of(kHeat), test_support::read_text(kHeat));
  const Json lenses = client.whole("codeLens", uri_of(kHeat));
  ASSERT_EQ(lenses.size(), 2u);
  EXPECT_EQ(lenses[0]["command"]["title"], "261 120 PEs");
  EXPECT_EQ(lenses[1]["command"]["title"], "run");
  EXPECT_EQ(lenses[1]["command"]["command"], "wsevm.run");
  const Json arguments = {"run", kHeat, "--expect", "--stats", "--machine=wse3", "H=510", "W=512"};
  EXPECT_EQ(lenses[1]["command"]["arguments"], Json::array({arguments}));
}

TEST(Facts, LinesHaveTheCyclesOfARun) {
  Profiled profiled;
  Client& client = profiled.client();
  client.begin({{"profile", profiled.path("heat.npz")}});
  const std::string uri = uri_of(kHeat);
  const std::string text = test_support::read_text(kHeat);
  client.open(uri, text);
  const std::uint32_t line = place_of(text, "fmacs flow, flow").line;
  const auto before = shares_at(hints_of(client, uri), line);
  ASSERT_EQ(before.size(), 1u);
  EXPECT_NE(before[0].find(" %: issue 67 %, setup 33 %"), std::string::npos) << before[0];
  // Lines that moved keep theirs, a line that was changed has none.
  std::string edited = text;
  edited.insert(0, "; one\n; two\n");
  edited.replace(edited.find("fadds flow, flow, west"), 5, "fsubs");
  client.change(uri, edited);
  const Json hints = hints_of(client, uri);
  EXPECT_EQ(shares_at(hints, line + 2), before);
  EXPECT_TRUE(shares_at(hints, place_of(edited, "fsubs flow, flow, west").line).empty());
  EXPECT_EQ(shares_at(hints, place_of(edited, "fadds flow, flow, east").line).size(), 1u);
}

TEST(Facts, AProfileThatCannotBeReadIsSaidOnce) {
  Profiled profiled;
  Client& client = profiled.client();
  test_support::write_text(profiled.path("broken.npz"), "no zip");
  client.begin({{"profile", profiled.path("broken.npz")}, {"machine", "wse9"}});
  client.open(uri_of(kHeat), test_support::read_text(kHeat));
  std::vector<std::string> shown;
  const auto collect = [&] {
    for (const Json& message : client.received()) {
      if (message.value("method", "") == "window/showMessage") {
        shown.push_back(message["params"]["message"]);
      }
    }
    client.received().clear();
  };
  client.wait();
  collect();
  ASSERT_EQ(shown.size(), 1u) << "the machine";
  for (int k = 0; k < 2; ++k) {
    client.tell("textDocument/didSave", {{"textDocument", {{"uri", uri_of(kHeat)}}}});
    client.take(
        json_text({{"jsonrpc", "2.0"},
                   {"id", 100 + k},
                   {"method", "textDocument/inlayHint"},
                   {"params",
                    {{"textDocument", {{"uri", uri_of(kHeat)}}},
                     {"range", {{"start", position_json({})}, {"end", position_json({9, 0})}}}}}}));
  }
  collect();
  const auto tells = [&shown](std::string_view words) {
    return std::ranges::count_if(
        shown, [words](const std::string& text) { return text.find(words) != std::string::npos; });
  };
  EXPECT_EQ(tells("broken.npz"), 1);
  EXPECT_EQ(tells("lines have no cycles of a run"), 1);
  EXPECT_EQ(tells("programs are checked for wse2"), 1);
}

}  // namespace
}  // namespace wse::lsp
