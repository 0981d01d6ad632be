// docs [--update] ROOT WSEVM: checks what the documents show, or rewrites it.
// Exit code: 0 everything is true, 1 something is not, 2 wrong usage.
// Must never do more than call check_documents() and print.
#include <fmt/format.h>

#include <filesystem>
#include <string_view>

#include "tests/docs/check.h"

int main(int argc, char** argv) {
  using wse::docs::Mode;
  const bool update = argc == 4 && std::string_view(argv[1]) == "--update";
  if (argc != 3 && !update) {
    fmt::print(stderr, "usage: docs [--update] ROOT WSEVM\n");
    return 2;
  }
  const std::filesystem::path root = argv[argc - 2];
  const std::filesystem::path binary = argv[argc - 1];
  if (!std::filesystem::is_directory(root) || !std::filesystem::exists(binary)) {
    fmt::print(stderr, "docs: {} and {} must exist\n", root.string(), binary.string());
    return 2;
  }
  const auto outcome =
      wse::docs::check_documents(root, binary, update ? Mode::kUpdate : Mode::kCheck);
  fmt::print("{}{} documents, {} commands, {} programs, {} problems\n", outcome.text,
             outcome.documents, outcome.commands, outcome.snippets, outcome.problems);
  if (outcome.problems != 0 && !update) fmt::print("./dev docs brings outputs up to date\n");
  return outcome.problems == 0 ? 0 : 1;
}
