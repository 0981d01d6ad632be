// Runs the commands of a document in a scratch copy of the checkout, with wsevm in the PATH.
// The environment is fixed (no colours, C.UTF-8, UTC, no stdin), so that outputs repeat.
// Must never run anything in the checkout itself.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "tests/support/files.h"

namespace wse::docs {

class Runner {
 public:
  // Copies the checkout's files; `binary` is the wsevm to run.
  Runner(const std::filesystem::path& root, const std::filesystem::path& binary);

  // Makes the copy what it was at first, for the next document.
  void refresh();

  // Runs a program or script ("wsa", "lua") that is in `folder` with --expect; returns nothing
  // if all went well, else what wsevm said.
  std::string run_program(const std::filesystem::path& folder, const std::string& ending,
                          const std::string& text) const;

  // stdout and stderr as they come; the name of the scratch folder is cut out of them.
  std::string run(const std::string& command) const;

 private:
  // What a file was when it was copied: a write changes it.
  struct Copied {
    std::uintmax_t bytes = 0;
    std::filesystem::file_time_type written;

    bool operator==(const Copied&) const = default;
  };
  Copied look_at(const std::filesystem::path& file) const;
  void copy(const std::filesystem::path& file);

  std::filesystem::path root_;
  test_support::ScratchFolder scratch_;
  std::map<std::filesystem::path, Copied> copied_;
  std::set<std::filesystem::path> folders_;  // that they are in
  std::filesystem::path binary_folder_;
};

}  // namespace wse::docs
