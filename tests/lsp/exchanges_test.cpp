// Exchanges of an editor with the server, one test for each feature.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "tests/golden/wrong_programs.h"
#include "tests/lsp/client.h"
#include "tests/support/child.h"
#include "vm/cli/diagnostics_json.h"
#include "vm/cli/lsp/frames.h"
#include "vm/cli/lsp/uri.h"

namespace wse::lsp {
namespace {

std::vector<std::string> labels(const Json& completion) {
  std::vector<std::string> found;
  for (const Json& item : completion["items"]) found.push_back(item["label"]);
  return found;
}

bool has(const std::vector<std::string>& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

TEST(Exchanges, InitializeTellsWhatThereIs) {
  Client client;
  const Json answer = client.begin();
  EXPECT_EQ(answer["serverInfo"]["name"], "wsevm");
  EXPECT_EQ(answer["capabilities"]["positionEncoding"], "utf-16");
  EXPECT_EQ(answer["capabilities"]["textDocumentSync"]["change"], 2);
  EXPECT_TRUE(answer["capabilities"]["hoverProvider"]);
}

TEST(Exchanges, ShutdownThenExitIsWell) {
  Client client;
  client.begin();
  EXPECT_EQ(client.ask("shutdown", nullptr), nullptr);
  EXPECT_TRUE(client.ask("textDocument/hover", Json::object()).contains("error"));
  client.tell("exit", nullptr);
  EXPECT_EQ(client.server().exit_code(), 0);
  Client hasty;
  hasty.tell("exit", nullptr);
  EXPECT_EQ(hasty.server().exit_code(), 1);
}

TEST(Exchanges, DiagnosticsComeWhenItIsQuiet) {
  Opened opened(".grid 1, 1\n.program p\n  task main:\n    hault\n.place p at (0, 0)\n");
  opened.client.wait(kQuiet / 2);
  EXPECT_EQ(opened.client.published(kUri), nullptr);
  opened.client.wait(kQuiet / 2);
  const Json found = opened.client.published(kUri);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0]["code"], "E012");
  EXPECT_EQ(found[0]["severity"], 1);
  EXPECT_EQ(found[0]["range"]["start"], position_json({3, 4}));
  EXPECT_EQ(found[0]["range"]["end"], position_json({3, 9}));
  EXPECT_EQ(found[0]["message"], "unknown instruction 'hault'\nhelp: did you mean 'halt'?");
  opened.client.change(kUri, kTasks);
  opened.client.wait();
  EXPECT_EQ(opened.client.published(kUri), Json::array());
}

TEST(Exchanges, NotesAreRelatedPlaces) {
  Opened opened(".const N = 1\n.const N = 2\n.grid N, 1\n");
  opened.client.wait();
  const Json found = opened.client.published(kUri);
  ASSERT_EQ(found.size(), 1u);
  const Json& related = found[0]["relatedInformation"][0];
  EXPECT_EQ(related["location"]["uri"], kUri);
  EXPECT_EQ(related["location"]["range"]["start"], position_json({0, 7}));
}

TEST(Exchanges, ClosedDocumentsHaveNoDiagnostics) {
  Opened opened(".grid 0, 0\n");
  opened.client.wait();
  EXPECT_FALSE(opened.client.published(kUri).empty());
  opened.client.tell("textDocument/didClose", {{"textDocument", {{"uri", kUri}}}});
  opened.client.wait();
  EXPECT_EQ(opened.client.published(kUri), Json::array());
}

TEST(Exchanges, IncludesAreCheckedWhereTheyAreUsed) {
  Client client;
  client.begin();
  const std::string lib = uri_of(tutorial("lib/shift.wsa"));
  const std::string main = uri_of(tutorial("10-include.wsa"));
  const std::string text = test_support::read_text(tutorial("lib/shift.wsa"));
  client.open(lib, text);
  client.wait();
  EXPECT_FALSE(client.published(lib).empty()) << "alone it is no program";
  client.open(main, test_support::read_text(tutorial("10-include.wsa")));
  client.wait();
  EXPECT_EQ(client.published(lib), Json::array());
  client.change(lib, text + ".colour even\n");
  client.wait();
  const Json found = client.published(lib);
  ASSERT_EQ(found.size(), 1u) << found;
  EXPECT_EQ(found[0]["code"], "E021");
}

TEST(Exchanges, CodeActionsMendWhatTheyAreFor) {
  const std::string text = ".grid 1, 1\n.program p\n  task main:\n    hault\n.place p at (0, 0)\n";
  Opened opened(text);
  const Json actions = opened.client.whole("codeAction", kUri);
  ASSERT_EQ(actions.size(), 1u);
  EXPECT_EQ(actions[0]["kind"], "quickfix");
  const Json& edit = actions[0]["edit"]["changes"][kUri][0];
  opened.client.tell("textDocument/didChange",
                     {{"textDocument", {{"uri", kUri}, {"version", 2}}},
                      {"contentChanges", {{{"range", edit["range"]}, {"text", edit["newText"]}}}}});
  opened.client.wait();
  EXPECT_EQ(opened.client.published(kUri), Json::array());
}

TEST(Exchanges, HoverTellsWhatANameBecame) {
  Opened opened;
  const auto hover = [&](std::string_view words, int number = 1) {
    return opened.client.at("hover", kUri, place_of(kTasks, words, number))["contents"]["value"]
        .get<std::string>();
  };
  EXPECT_NE(hover("v[N]").find("40 bytes at address 0, in 8 of 8 banks, from bank 0 on"),
            std::string::npos);
  EXPECT_NE(hover("v[N]").find(".i32 v[N] = i * i"), std::string::npos);
  EXPECT_NE(hover("red").find("colour 0, routed at 2 PEs: 1 can send, 1 can receive"),
            std::string::npos);
  EXPECT_NE(hover("sum,").find("\nr0\n"), std::string::npos);
  EXPECT_NE(hover("receiver").find("at 1 PE; "), std::string::npos);
  EXPECT_NE(hover("add32").find("d = a + S, wrapping"), std::string::npos);
  EXPECT_NE(hover("add32").find("on wse2"), std::string::npos);
  EXPECT_NE(hover("add32", 2).find("st32 count"), std::string::npos) << "what was added";
  EXPECT_NE(hover(".place").find("the PEs that run a program"), std::string::npos);
  EXPECT_EQ(opened.client.at("hover", kUri, {0, 3}), nullptr);
}

TEST(Exchanges, HoverOfAMacroShowsItsCode) {
  const std::string text = test_support::read_text(tutorial("10-include.wsa"));
  const std::string uri = uri_of(tutorial("10-include.wsa"));
  Opened opened(text, uri);
  const Json hover = opened.client.at("hover", uri, place_of(text, "shift_east"));
  const std::string value = hover["contents"]["value"];
  EXPECT_NE(value.find(".macro shift_east(from, into, thread)"), std::string::npos);
  EXPECT_NE(value.find("in `row`, slots and cycles:"), std::string::npos);
}

TEST(Exchanges, CompletionFitsThePlace) {
  const auto completed = [](const std::string& line) {
    std::string text = kTasks;
    const std::size_t at = text.find("    halt\n");
    text.insert(at, line + "\n");
    Opened opened(text);
    const Position behind{place_of(text, line).line, static_cast<std::uint32_t>(line.size())};
    return labels(opened.client.at("completion", kUri, behind));
  };
  const auto statement = completed("    ");
  EXPECT_TRUE(has(statement, "fmacs") && has(statement, ".reg") && has(statement, "task"));
  const auto colours = completed("    mov32 fabout(");
  EXPECT_TRUE(has(colours, "red"));
  EXPECT_FALSE(has(colours, "sum"));
  const auto operand = completed("    add32 sum, ");
  EXPECT_TRUE(has(operand, "sum") && has(operand, "count") && has(operand, "N"));
  EXPECT_FALSE(has(operand, "v")) << "of another program";
  EXPECT_TRUE(has(completed("    jmp "), "") == false);
  EXPECT_TRUE(has(completed("    activate "), "take"));
  EXPECT_TRUE(has(completed("    mov32 sum, fabin(red, "), "queue"));
  EXPECT_TRUE(has(completed("    halt ;! allow "), "E229"));
  EXPECT_TRUE(completed("    ; no words here ").empty());
}

TEST(Exchanges, CompletionOfDirectives) {
  const auto completed = [](const std::string& line) {
    const std::string text = kTasks + line;
    Opened opened(text);
    return labels(opened.client.at(
        "completion", kUri, LineTable(text).position(static_cast<std::uint32_t>(text.size()))));
  };
  EXPECT_TRUE(has(completed(".place "), "receiver"));
  EXPECT_TRUE(has(completed(".route red at (0, 0): "), "ramp"));
  EXPECT_TRUE(has(completed(".route red at (0, 0): ramp -> "), "east"));
  EXPECT_TRUE(has(completed(".route red at (0, 0): [ramp -> east] pop="), "on_advance"));
  EXPECT_TRUE(has(completed(".expect "), "count"));
  EXPECT_TRUE(has(completed(".expect cycles == 3 on "), "model"));
  EXPECT_TRUE(has(completed(".include "), "math.wsa"));
  EXPECT_FALSE(has(completed(""), "fmacs")) << "no program is open";
}

TEST(Exchanges, InlayHintsTellPrices) {
  Opened opened;
  const Json hints = opened.client.whole("inlayHint", kUri);
  const std::uint32_t line = place_of(kTasks, "add32 count").line;
  const auto hint = std::ranges::find(
      hints, line, [](const Json& one) { return one["position"]["line"].get<std::uint32_t>(); });
  ASSERT_NE(hint, hints.end());
  EXPECT_NE((*hint)["label"].get<std::string>().find("(+ ld32, st32"), std::string::npos)
      << (*hint)["label"];
}

TEST(Exchanges, SemanticTokensLieInTheText) {
  Opened opened;
  const Json legend = semantic_legend()["tokenTypes"];
  const Json data = opened.client.whole("semanticTokens/full", kUri)["data"];
  ASSERT_EQ(data.size() % 5, 0u);
  ASSERT_GT(data.size(), 5u * 80);
  EXPECT_EQ(legend[data[3].get<std::size_t>()], "comment");
  const LineTable table(kTasks);
  Position at;
  std::map<std::string, std::string> types;
  for (std::size_t k = 0; k < data.size(); k += 5) {
    const auto line = data[k].get<std::uint32_t>();
    at.character = line == 0 ? at.character + data[k + 1].get<std::uint32_t>()
                             : data[k + 1].get<std::uint32_t>();
    at.line += line;
    const std::uint32_t begin = table.offset(at);
    types[kTasks.substr(begin, data[k + 2])] = legend[data[k + 3].get<std::size_t>()];
  }
  EXPECT_EQ(types["add32"], "keyword");
  EXPECT_EQ(types["receiver"], "class");
  EXPECT_EQ(types["red"], "enumMember");
  EXPECT_EQ(types["fabout"], "function");
  EXPECT_EQ(types["10"], "number");
  EXPECT_EQ(types[".route"], "keyword");
  EXPECT_EQ(types["->"], "operator");
}

// The numbers of tokens as the client has them after an edit of its last answer.
std::vector<std::uint32_t> edited(std::vector<std::uint32_t> numbers, const Json& edits) {
  for (const Json& edit : edits) {
    const auto begin = numbers.begin() + edit["start"].get<std::ptrdiff_t>();
    const auto at = numbers.erase(begin, begin + edit["deleteCount"].get<std::ptrdiff_t>());
    const auto data = edit["data"].get<std::vector<std::uint32_t>>();
    numbers.insert(at, data.begin(), data.end());
  }
  return numbers;
}

TEST(Exchanges, SemanticTokensChangeByEdits) {
  Opened opened;
  Json last = opened.client.whole("semanticTokens/full", kUri);
  auto numbers = last["data"].get<std::vector<std::uint32_t>>();
  const auto since = [&](const Json& id) {
    return opened.client.ask("textDocument/semanticTokens/full/delta",
                             {{"textDocument", {{"uri", kUri}}}, {"previousResultId", id}});
  };
  std::string text = kTasks;
  for (const std::string_view line : {"; new\n", "    add32 sum, sum, 1\n", "", "\n\n"}) {
    text.insert(text.find("    halt"), line);
    opened.client.change(kUri, text);
    const Json answer = since(last["resultId"]);
    ASSERT_TRUE(answer.contains("edits")) << answer;
    EXPECT_EQ(answer["edits"].empty(), line.empty());
    numbers = edited(numbers, answer["edits"]);
    Opened fresh(text);
    EXPECT_EQ(Json(numbers), fresh.client.whole("semanticTokens/full", kUri)["data"]);
    last = answer;
  }
  opened.client.change(kUri, "");
  last = since(last["resultId"]);
  EXPECT_TRUE(edited(numbers, last["edits"]).empty());
  EXPECT_TRUE(since("another").contains("data")) << "an answer that is not the last";
}

TEST(Exchanges, SemanticTokensOfSomeLines) {
  Opened opened;
  const Json all = opened.client.whole("semanticTokens/full", kUri)["data"];
  const auto part = [&](std::uint32_t first, std::uint32_t last) {
    return opened.client.ask(
        "textDocument/semanticTokens/range",
        {{"textDocument", {{"uri", kUri}}},
         {"range",
          {{"start", position_json({first, 0})}, {"end", position_json({last, 0})}}}})["data"];
  };
  EXPECT_EQ(part(0, 1000), all);
  const Json const_line = part(1, 1);  // .const N = 10
  ASSERT_EQ(const_line.size(), 4u * 5);
  EXPECT_EQ(const_line[0], 1);
  EXPECT_EQ(const_line[1], 0);
  EXPECT_EQ(const_line[5], 0);
  EXPECT_TRUE(part(900, 1000).empty());
}

TEST(Exchanges, SettingsChooseTheMachineAndValues) {
  Client client;
  client.begin({{"machine", "wse3"}, {"values", {{"N", 20}}}});
  client.open(kUri, kTasks);
  const Json hover = client.at("hover", kUri, place_of(kTasks, "v[N]"));
  EXPECT_NE(hover["contents"]["value"].get<std::string>().find("80 bytes"), std::string::npos);
  client.tell("workspace/didChangeConfiguration",
              {{"settings", {{"wsevm", {{"values", {{"N", 30}}}}}}}});
  const Json again = client.at("hover", kUri, place_of(kTasks, "v[N]"));
  EXPECT_NE(again["contents"]["value"].get<std::string>().find("120 bytes"), std::string::npos);
}

TEST(Exchanges, AFileBesideTheProgramHasSettings) {
  const test_support::ScratchFolder folder;
  test_support::write_text(folder.path() / "wsevm.json", R"({"values": {"N": 7}})");
  const std::string uri = uri_of((folder.path() / "tasks.wsa").string());
  Opened opened(kTasks, uri);
  const Json hover = opened.client.at("hover", uri, place_of(kTasks, "v[N]"));
  EXPECT_NE(hover["contents"]["value"].get<std::string>().find("28 bytes"), std::string::npos);
}

// Diagnostics of the server are those that `check --format=json` prints, place by place.
TEST(Exchanges, DiagnosticsAreThoseOfCheck) {
  std::size_t compared = 0;
  for (const auto& golden : assembler::wrong_programs()) {
    if (!golden.files.empty() || !golden.profile.empty() || !golden.values.empty()) continue;
    if (golden.source.find('\r') != std::string::npos) continue;
    const std::string uri = uri_of(golden.path.string());
    Host host = test_host();
    host.load = {};
    Client client(std::move(host));
    client.begin();
    client.open(uri, golden.source);
    client.wait();
    const Json published = client.published(uri);
    const assembler::Options options{
        .overrides = {}, .profile = *isa::find_profile("wse2"), .path = golden.path.string()};
    cli::Findings findings{.file = golden.name(), .message = "", .output = {}, .changes = {}};
    findings.output = assembler::assemble({golden.name(), golden.source}, options);
    const auto json = parse_json(cli::findings_json(findings));
    ASSERT_TRUE(json);
    const LineTable table(golden.source);
    std::vector<std::string> told;
    std::vector<std::string> checked;
    for (const Json& one : published) {
      told.push_back(one.value("code", "") + " " + json_text(one["range"]) + " " +
                     one["message"].get<std::string>().substr(0, 60));
    }
    for (const Json& one : (*json)["diagnostics"]) {
      isa::SourceRange where{.line = 0};
      if (one.contains("line")) {
        where = {.line = one["line"], .column = one["column"], .length = one["length"]};
      }
      const Json range = where.line == 0 || one["file"] != golden.name()
                             ? range_json(table, 0, 0)
                             : range_json(table, table.begin(where), table.end(where));
      const Json help = one["help"];
      const Json from = one["from"];
      std::string message = one["message"];
      if (help.is_string()) message += "\nhelp: " + help.get<std::string>();
      if (from.is_string()) message += "\nfrom: " + from.get<std::string>();
      const std::string code = one["code"].is_string() ? one["code"].get<std::string>() : "";
      checked.push_back(code + " " + json_text(range) + " " + message.substr(0, 60));
    }
    EXPECT_EQ(told, checked) << golden.name();
    compared += checked.size();
  }
  EXPECT_GE(compared, 400u);
}

TEST(Exchanges, TheProcessServesStdin) {
  const test_support::ScratchFolder folder;
  std::string input;
  int id = 0;
  const auto ask = [&](const std::string& method, const Json& params) {
    input += framed(
        json_text({{"jsonrpc", "2.0"}, {"id", ++id}, {"method", method}, {"params", params}}));
  };
  const auto tell = [&](const std::string& method, const Json& params) {
    input += framed(json_text({{"jsonrpc", "2.0"}, {"method", method}, {"params", params}}));
  };
  ask("initialize", {{"capabilities", Json::object()}});
  tell("textDocument/didOpen", {{"textDocument", {{"uri", kUri}, {"text", kTasks}}}});
  ask("textDocument/documentSymbol", {{"textDocument", {{"uri", kUri}}}});
  ask("shutdown", nullptr);
  tell("exit", nullptr);
  const std::filesystem::path file = folder.path() / "input";
  test_support::write_text(file, input);
  const test_support::Ending ending = test_support::run_wsevm(
      {"lsp", "--stdio"}, {.folder = folder.path(), .input = file.string()});
  EXPECT_EQ(ending.code, 0) << ending.errors;
  EXPECT_EQ(ending.errors, "");
  FrameReader frames;
  frames.add(ending.output);
  std::vector<int> answered;
  for (auto message = frames.next(); message && *message; message = frames.next()) {
    const auto json = parse_json(**message);
    ASSERT_TRUE(json);
    if (json->contains("id")) answered.push_back((*json)["id"]);
  }
  EXPECT_EQ(answered, (std::vector{1, 2, 3}));
}

}  // namespace
}  // namespace wse::lsp
