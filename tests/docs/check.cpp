// Runs each document's commands in order, and compares or replaces the lines that show their
// output; runs each program. Must never stop at the first stale document: one run shows them all.
#include "tests/docs/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "isa/support/atomic_file.h"
#include "tests/docs/markdown.h"
#include "tests/docs/runner.h"
#include "tests/support/files.h"

namespace wse::docs {
namespace fs = std::filesystem;
namespace {

using Lines = std::vector<std::string>;

// Old lines with '-', new ones with '+', without what both have in common at the ends.
std::string difference(const std::string& place, const OutputPart& part,
                       std::span<const std::string> before, std::span<const std::string> after) {
  size_t line = part.first + 1;
  while (!before.empty() && !after.empty() && before.front() == after.front()) {
    before = before.subspan(1);
    after = after.subspan(1);
    ++line;
  }
  while (!before.empty() && !after.empty() && before.back() == after.back()) {
    before = before.first(before.size() - 1);
    after = after.first(after.size() - 1);
  }
  std::string text =
      fmt::format("{}:{}: not what the command prints: {}\n", place, line, part.command);
  for (const auto& old_line : before) text += fmt::format("-{}\n", old_line);
  for (const auto& new_line : after) text += fmt::format("+{}\n", new_line);
  return text;
}

class Checker {
 public:
  Checker(const fs::path& root, const fs::path& binary, Mode mode)
      : root_(root), mode_(mode), runner_(root, binary) {}

  Outcome run() {
    for (const fs::path& file : test_support::project_files(root_)) {
      if (file.extension() == ".md") check(file);
    }
    return std::move(outcome_);
  }

 private:
  void problem(const std::string& text) {
    outcome_.text += text + '\n';
    ++outcome_.problems;
  }

  void check(const fs::path& file) {
    ++outcome_.documents;
    const std::string text = test_support::read_text(root_ / file);
    const auto document = parse_document(text);
    if (!document) return problem(fmt::format("{}: {}", file.string(), document.error()));
    for (const Link& link : document->links) check_link(file, link);
    if (!document->parts.empty()) check_outputs(file, *document);
    if (!document->snippets.empty()) check_snippets(file, *document);
  }

  void check_snippets(const fs::path& file, const Document& document) {
    runner_.refresh();
    for (const Snippet& snippet : document.snippets) {
      ++outcome_.snippets;
      const auto lines =
          std::span(document.lines).subspan(snippet.first, snippet.last - snippet.first);
      const std::string text = fmt::format("{}\n", fmt::join(lines, "\n"));
      const std::string output = runner_.run_program(file.parent_path(), snippet.ending, text);
      if (output.empty()) continue;
      problem(fmt::format("{}:{}: the program does not do what it says:\n{}", file.string(),
                          snippet.first + 1, output));
    }
  }

  void check_link(const fs::path& file, const Link& link) {
    const fs::path base = link.target.starts_with('/') ? fs::path() : file.parent_path();
    const fs::path inside = fs::path(link.target).relative_path();
    const std::string target = (base / inside).lexically_normal().generic_string();
    const std::string top = target.substr(0, target.find('/'));
    const bool ours =
        !target.starts_with("..") && (top == "." || !test_support::is_ignored_at_top(top));
    if (ours && fs::exists(root_ / target)) return;
    problem(fmt::format("{}:{}: a link to nowhere: {}", file.string(), link.line + 1, link.target));
  }

  void check_outputs(const fs::path& file, const Document& document) {
    runner_.refresh();
    Lines updated;
    size_t copied = 0;
    std::string differences;
    for (const OutputPart& part : document.parts) {
      ++outcome_.commands;
      const Lines output = test_support::split_lines(runner_.run(part.command));
      const auto shown = std::span(document.lines).subspan(part.first, part.last - part.first);
      if (!std::ranges::equal(shown, output)) {
        differences += difference(file.string(), part, shown, output);
      }
      const auto begin = document.lines.begin();
      updated.insert(updated.end(), begin + static_cast<std::ptrdiff_t>(copied),
                     begin + static_cast<std::ptrdiff_t>(part.first));
      updated.insert(updated.end(), output.begin(), output.end());
      copied = part.last;
    }
    updated.insert(updated.end(), document.lines.begin() + static_cast<std::ptrdiff_t>(copied),
                   document.lines.end());
    if (differences.empty()) return;
    if (mode_ == Mode::kCheck) {
      problem(differences);
    } else {
      rewrite(file, updated);
    }
  }

  void rewrite(const fs::path& file, const Lines& lines) {
    const std::string text = fmt::format("{}\n", fmt::join(lines, "\n"));
    isa::InputList none;
    const auto written = isa::write_whole_file(root_ / file, none, std::as_bytes(std::span(text)));
    if (!written) return problem(written.error().message);
    outcome_.text += fmt::format("{}: rewritten\n", file.string());
  }

  fs::path root_;
  Mode mode_;
  Runner runner_;
  Outcome outcome_;
};

}  // namespace

Outcome check_documents(const fs::path& root, const fs::path& binary, Mode mode) {
  return Checker(root, binary, mode).run();
}

}  // namespace wse::docs
