// Everything that is written from a Manual. All of it ends in a newline.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "vm/cli/manual/manual.h"

namespace wse::cli {

// For a terminal of 80 columns; `command` is one of the manual's, or its program.
std::string help_page(const Manual& manual, const Command& command);

// wsevm(1), for the man macros of troff.
std::string man_page(const Manual& manual);

std::string bash_completion(const Manual& manual);
std::string fish_completion(const Manual& manual);
std::string zsh_completion(const Manual& manual);

struct ShellCompletion {
  std::string_view shell;
  std::string (*text)(const Manual&);
};
constexpr std::array<ShellCompletion, 3> kShellCompletions = {{
    {"bash", bash_completion},
    {"fish", fish_completion},
    {"zsh", zsh_completion},
}};

}  // namespace wse::cli
