// Runs the commands of a document in a scratch copy of the checkout, with wsevm in the PATH.
// The environment is fixed (no colours, C.UTF-8, UTC, no stdin), so that outputs repeat.
// Must never run anything in the checkout itself.
#pragma once

#include <filesystem>
#include <string>

#include "tests/support/files.h"

namespace wse::docs {

class Runner {
 public:
  // Copies the checkout's files; `binary` is the wsevm to run.
  Runner(const std::filesystem::path& root, const std::filesystem::path& binary);

  // Runs a program or script ("wsa", "lua") that stands in `folder` with --expect; returns nothing
  // if all went well, else what wsevm said.
  std::string run_program(const std::filesystem::path& folder, const std::string& ending,
                          const std::string& text) const;

  // stdout and stderr as they come; the name of the scratch folder is cut out of them.
  std::string run(const std::string& command) const;

 private:
  test_support::ScratchFolder scratch_;
  std::filesystem::path binary_folder_;
};

}  // namespace wse::docs
