// The document checker on small documents: right ones pass, stale outputs and dead links are
// reported. Must never need wsevm: a script stands in for it.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/docs/check.h"
#include "tests/docs/markdown.h"
#include "tests/support/files.h"

namespace wse::docs {
namespace {

TEST(Markdown, FindsCommandsAndTheirOutputs) {
  const auto document = parse_document(
      "Text.\n```console\n$ a one\nout 1\n\nout 2\n$ b \\\n    two\n$ c\nlast\n```\n"
      "```sh\n$ not this\n```\n````\n```console\n$ nor this\n```\n````\n");
  ASSERT_TRUE(document) << document.error();
  ASSERT_EQ(document->parts.size(), 3U);
  EXPECT_EQ(document->parts[0].command, "a one");
  EXPECT_EQ(document->parts[0].first, 3U);
  EXPECT_EQ(document->parts[0].last, 6U);
  EXPECT_EQ(document->parts[1].command, "b \\\n    two");
  EXPECT_EQ(document->parts[1].first, document->parts[1].last);
  EXPECT_EQ(document->parts[2].last, 10U);
}

TEST(Markdown, FindsGeneratedParts) {
  const auto document = parse_document("<!-- generated: wsevm isa -->\n| a |\n<!-- end -->\n");
  ASSERT_TRUE(document) << document.error();
  ASSERT_EQ(document->parts.size(), 1U);
  EXPECT_EQ(document->parts[0].command, "wsevm isa");
  EXPECT_EQ(document->parts[0].first, 1U);
  EXPECT_EQ(document->parts[0].last, 2U);
}

TEST(Markdown, FindsPrograms) {
  const auto document = parse_document("```wsa\n.grid 1, 1\n```\n```text\n.grid\n```\n");
  ASSERT_TRUE(document) << document.error();
  ASSERT_EQ(document->snippets.size(), 1U);
  EXPECT_EQ(document->snippets[0].first, 1U);
  EXPECT_EQ(document->snippets[0].last, 2U);
}

TEST(Markdown, AFileInAFenceIsShownAsItIs) {
  const auto document = parse_document("```lua a/row.lua\nprint(1)\n```\n");
  ASSERT_TRUE(document) << document.error();
  EXPECT_TRUE(document->snippets.empty());
  ASSERT_EQ(document->parts.size(), 1U);
  EXPECT_EQ(document->parts[0].command, "cat a/row.lua");
  EXPECT_EQ(document->parts[0].first, 1U);
  EXPECT_EQ(document->parts[0].last, 2U);
}

TEST(Markdown, FindsLinksToFilesOnly) {
  const auto document = parse_document(
      "[a](x.md) and ![b](p/y.png \"title\")\n[w](https://x.org/) [c](#here) `[d](code.md)` "
      "[e](z.md#there)\n"
      "```\n[f](fence.md)\n```\n");
  ASSERT_TRUE(document) << document.error();
  ASSERT_EQ(document->links.size(), 3U);
  EXPECT_EQ(document->links[0].target, "x.md");
  EXPECT_EQ(document->links[1].target, "p/y.png");
  EXPECT_EQ(document->links[2].target, "z.md");
  EXPECT_EQ(document->links[2].line, 1U);
}

TEST(Markdown, ReportsWhatIsNotClosed) {
  EXPECT_EQ(parse_document("a\n```console\n$ x\n").error(), "line 2: a fence without its end");
  EXPECT_EQ(parse_document("<!-- generated: x -->\n").error(),
            "line 1: a generated part without '<!-- end -->'");
  EXPECT_EQ(parse_document("<!-- end -->\n").error(), "line 1: an end mark without its start");
  EXPECT_EQ(parse_document("```console\nout\n```\n").error(),
            "line 2: a console block starts with '$ COMMAND'");
}

class CheckTest : public testing::Test {
 protected:
  void SetUp() override {
    write("build/wsevm", "#!/bin/sh\necho \"args: $*\"\necho problem >&2\n");
    std::filesystem::permissions(root() / "build/wsevm", std::filesystem::perms::owner_all);
    write("programs/a.wsa", "; a\n");
  }

  std::filesystem::path root() const { return scratch_.path(); }

  void write(const std::string& path, std::string_view text) {
    test_support::write_text(root() / path, text);
  }

  std::string read(const std::string& path) { return test_support::read_text(root() / path); }

  Outcome check(Mode mode) { return check_documents(root(), root() / "build/wsevm", mode); }

 private:
  test_support::ScratchFolder scratch_;
};

constexpr std::string_view kTrue =
    "```console\n$ wsevm run programs/a.wsa\nargs: run programs/a.wsa\nproblem\n"
    "$ echo 1 >new.txt; pwd | grep -c wsevm\n1\n$ cat new.txt\n1\n```\n"
    "<!-- generated: printf '|a|\\n|b|\\n' -->\n|a|\n|b|\n<!-- end -->\nSee [a](programs/a.wsa).\n";

TEST_F(CheckTest, ATrueDocumentPasses) {
  write("README.md", kTrue);
  const auto outcome = check(Mode::kCheck);
  EXPECT_EQ(outcome.problems, 0U) << outcome.text;
  EXPECT_EQ(outcome.commands, 4U);
  EXPECT_FALSE(std::filesystem::exists(root() / "new.txt"));
}

TEST_F(CheckTest, AStaleOutputIsReported) {
  write("isa/README.md", "One.\n```console\n$ printf 'a\\nnew\\nz\\n'\na\nold\nz\n```\n");
  const auto outcome = check(Mode::kCheck);
  EXPECT_EQ(outcome.problems, 1U);
  EXPECT_EQ(
      outcome.text,
      "isa/README.md:5: not what the command prints: printf 'a\\nnew\\nz\\n'\n-old\n+new\n\n");
  EXPECT_NE(read("isa/README.md").find("old"), std::string::npos);
}

TEST_F(CheckTest, ACommandThatIsNotBuiltIsNamedWithTheRemedy) {
  write("README.md", "```console\n$ unbuilt\na\n```\n");
  const std::string text = check(Mode::kCheck).text;
  EXPECT_TRUE(text.contains("unbuilt: command not found\n")) << text;
  EXPECT_TRUE(text.contains("does not exist; build all: cmake --build ")) << text;
}

TEST_F(CheckTest, UpdateRewritesOnlyTheOutputs) {
  std::string stale(kTrue);
  stale.replace(stale.find("|a|\n|b|"), 7, "|c|");
  stale.replace(stale.find("\nproblem"), 8, "");
  write("README.md", stale);
  EXPECT_EQ(check(Mode::kCheck).problems, 1U);
  const auto outcome = check(Mode::kUpdate);
  EXPECT_EQ(outcome.problems, 0U) << outcome.text;
  EXPECT_EQ(outcome.text, "README.md: rewritten\n");
  EXPECT_EQ(read("README.md"), kTrue);
  EXPECT_EQ(check(Mode::kUpdate).text, "");
}

TEST_F(CheckTest, DeadLinksAreReported) {
  write("vm/README.md",
        "[a](../programs/a.wsa) [root](..) [b](missing.md)\n[c](/programs/a.wsa) "
        "[d](../build/wsevm)\n");
  EXPECT_EQ(check(Mode::kCheck).text,
            "vm/README.md:1: a link to nowhere: missing.md\n"
            "vm/README.md:2: a link to nowhere: ../build/wsevm\n");
}

TEST_F(CheckTest, AProgramThatFailsIsReported) {
  write("build/wsevm", "#!/bin/sh\necho \"$1 $3 $2\"\n! grep bad \"$2\"\n");
  write("asm/README.md", "```wsa\ngood\n```\n\n```wsa\nnow\nbad\n```\n");
  const auto outcome = check(Mode::kCheck);
  EXPECT_EQ(outcome.snippets, 2U);
  EXPECT_EQ(outcome.problems, 1U);
  EXPECT_EQ(outcome.text,
            "asm/README.md:6: the program does not do what it says:\n"
            "run --expect asm/snippet.wsa\nbad\n\n");
  EXPECT_FALSE(std::filesystem::exists(root() / "asm/snippet.wsa"));
}

TEST_F(CheckTest, ABrokenDocumentIsReported) {
  write("README.md", "```\n");
  EXPECT_EQ(check(Mode::kUpdate).text, "README.md: line 1: a fence without its end\n");
}

}  // namespace
}  // namespace wse::docs
