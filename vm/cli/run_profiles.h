// Profiles of runs as the language server shows them: line by line, read again when a file changes.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "vm/cli/lsp/workspace.h"

namespace wse::cli {

class RunProfiles {
 public:
  // Returns what the file of `wsevm run --profile` holds now. Errors: those of
  // vm::read_profile, with the name of the file.
  isa::Result<std::shared_ptr<const lsp::RunProfile>> read(const std::string& path);

 private:
  struct Kept {
    std::filesystem::file_time_type written{};
    std::uintmax_t bytes = 0;
    isa::Result<std::shared_ptr<const lsp::RunProfile>> profile{nullptr};
  };
  std::map<std::string, Kept> kept_;  // by path; a client has few
};

}  // namespace wse::cli
