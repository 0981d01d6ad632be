// The parts of a Markdown document that can go stale: shown commands, generated parts, programs,
// links.
//
//   ```console            one shown part per command: from the line after `$ ` to the next `$ ` or
//   the end $ wsevm --version     (a command that ends with a backslash continues on the next line)
//   wsevm 0.1.0
//   ```
//   <!-- generated: wsevm isa --markdown -->     one generated part: everything up to the end mark
//   <!-- end -->
//   ```wsa                a complete program: it assembles, runs and meets its expectations
//   ```
//   ```lua                a complete script: it ends well
//   ```
//   ```lua a/row.lua      that file as it is (also wsa)
//   ```
//
// Must never look into other fences: what is there is an example.
#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace wse::docs {

// A command and the lines of the document that must equal its output: [first, last), counted from
// 0.
struct OutputPart {
  std::string command;
  size_t first = 0;
  size_t last = 0;
};

// A program or script: the lines [first, last), counted from 0; the ending of its file.
struct Snippet {
  size_t first = 0;
  size_t last = 0;
  std::string ending;
};

struct Link {
  std::string target;  // without anchor and title
  size_t line = 0;     // counted from 0
};

struct Document {
  std::vector<std::string> lines;
  std::vector<OutputPart> parts;  // in order, not overlapping
  std::vector<Snippet> snippets;
  std::vector<Link> links;  // to files only, not to the web or within the page
};

// Errors say "line N: what" (N counted from 1).
std::expected<Document, std::string> parse_document(std::string_view text);

}  // namespace wse::docs
