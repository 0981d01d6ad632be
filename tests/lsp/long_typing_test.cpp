// Typing for longer: fifty programs letter by letter, and how long an answer takes in a program of
// 2000 lines, in assemblies of that program, so that it does not depend on the host.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>

#include "tests/lsp/client.h"
#include "vm/cli/lsp/uri.h"

namespace wse::lsp {
namespace {

constexpr std::size_t kFiles = 50;
constexpr std::size_t kMostLetters = 600;  // of a file
constexpr double kMostAssemblies = 40;     // below 50 ms where 2000 lines assemble in 1.2 ms

std::vector<std::filesystem::path> programs() {
  std::vector<std::filesystem::path> found;
  for (const auto& file : test_support::project_files(kTree)) {
    if (file.extension() == ".wsa") found.push_back(kTree / file);
  }
  return found;
}

Json insertion(const std::string& uri, const Position& place, const std::string& text) {
  const Json at = position_json(place);
  return {{"textDocument", {{"uri", uri}, {"version", 2}}},
          {"contentChanges", {{{"range", {{"start", at}, {"end", at}}}, {"text", text}}}}};
}

TEST(LongTyping, FiftyProgramsLetterByLetter) {
  const std::vector<std::filesystem::path> files = programs();
  ASSERT_GT(files.size(), kFiles);
  for (std::size_t k = 0; k < kFiles; ++k) {
    const std::filesystem::path& file = files[k * files.size() / kFiles];
    const std::string uri = uri_of(file.string());
    const std::string text = test_support::read_text(file).substr(0, kMostLetters);
    if (std::ranges::any_of(text, [](char c) { return c < 0; })) continue;
    Client client;
    client.begin();
    client.open(uri, "");
    Position place;
    for (const char letter : text) {
      client.tell("textDocument/didChange", insertion(uri, place, std::string(1, letter)));
      place =
          letter == '\n' ? Position{place.line + 1, 0} : Position{place.line, place.character + 1};
      client.at("completion", uri, place);
      client.wait();
      client.received().clear();
    }
    client.change(uri, text);
    client.wait();
    const Json typed = client.published(uri);
    Client opened;
    opened.begin();
    opened.open(uri, text);
    opened.wait();
    EXPECT_EQ(typed, opened.published(uri)) << file;
  }
}

// Processor time, which the load of the host does not change.
template <class Work>
double seconds_of(Work work) {
  const std::clock_t begin = std::clock();
  work();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

// The value below which 99 of 100 are.
double percentile_99(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() * 99 / 100];
}

TEST(LongTyping, AnswersTakeFewAssemblies) {
  std::string text = ".grid 1, 1\n.program p\n  .f32 v[64]\n  .reg a, b, c\n  task main:\n";
  for (int k = 0; k < 1990; ++k) text += "    add32 a, b, c                 ; a line as they are\n";
  const std::string end = "    halt\n.place p at (0, 0)\n";
  std::vector<double> assemblies;
  for (int k = 0; k < 20; ++k) {
    const assembler::Options options{.overrides = {}, .profile = *isa::find_profile("wse2")};
    assemblies.push_back(seconds_of([&] { assembler::assemble({"p.wsa", text + end}, options); }));
  }
  std::ranges::sort(assemblies);
  const double one = assemblies[assemblies.size() / 2];
  const std::string uri = "file:///p.wsa";
  Client client;
  client.begin();
  client.open(uri, text + end);
  Position place = LineTable(text).position(static_cast<std::uint32_t>(text.size()));
  std::vector<double> answers;
  const auto time = [&](const Json& message) {
    const std::string text_of_it = json_text(message);
    answers.push_back(seconds_of([&] { client.server().take(text_of_it, {}); }));
  };
  const auto ask = [&](const std::string& method) {
    time({{"jsonrpc", "2.0"},
          {"id", 1},
          {"method", "textDocument/" + method},
          {"params", {{"textDocument", {{"uri", uri}}}, {"position", position_json(place)}}}});
  };
  // Other work of the host makes caches cold: the best of some turns counts.
  double slow = 1e9;
  for (int turn = 0; turn < 5 && slow > kMostAssemblies * one; ++turn) {
    answers.clear();
    for (const char letter :
         std::string("    fadds v, v, v ; more\n    add32 a, b, c ; and more\n")) {
      time({{"jsonrpc", "2.0"},
            {"method", "textDocument/didChange"},
            {"params", insertion(uri, place, std::string(1, letter))}});
      place =
          letter == '\n' ? Position{place.line + 1, 0} : Position{place.line, place.character + 1};
      for (const char* method : {"completion", "hover", "semanticTokens/full"}) ask(method);
      answers.push_back(seconds_of([&] { client.server().wake(Clock::time_point::max()); }));
    }
    slow = std::min(slow, percentile_99(answers));
  }
  RecordProperty("p99_assemblies", std::to_string(slow / one));
  EXPECT_LT(slow, kMostAssemblies * one) << slow << " s; an assembly takes " << one << " s";
}

}  // namespace
}  // namespace wse::lsp
