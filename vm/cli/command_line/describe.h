// The manual of a command line, read off its CLI11 description.
#pragma once

#include <string>

#include "vm/cli/manual/manual.h"

namespace CLI {
class App;
}

namespace wse::cli {

Manual describe(const CLI::App& app, std::string version);

}  // namespace wse::cli
