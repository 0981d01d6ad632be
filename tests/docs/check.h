// Compares the documents of a checkout with what their commands print now, or brings them up to
// date; runs the programs in them. Must never write a document in check mode, nor one that already
// says the right thing.
#pragma once

#include <filesystem>
#include <string>

namespace wse::docs {

enum class Mode { kCheck, kUpdate };

struct Outcome {
  std::string text;      // what to print: differences, wrong programs, dead links, rewritten files
  size_t problems = 0;   // what a person has to look at
  size_t commands = 0;   // that were run
  size_t snippets = 0;   // programs in the text that were run
  size_t documents = 0;  // that were read
};

Outcome check_documents(const std::filesystem::path& root, const std::filesystem::path& binary,
                        Mode mode);

}  // namespace wse::docs
