// The scripts that people run, not their studies: each with sizes that are over in milliseconds,
// and with the smallest sizes that it takes. Must name every script of scripts/ that is both a
// command and a module, and every example.
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "scripts/host/script.h"

namespace wse::script {

struct MainScript {
  std::string file;                   // below scripts/
  std::string name;                   // in the names of tests
  std::string small;                  // arguments, "P=4 B=4"
  std::vector<std::string> smallest;  // arguments of a run each
};

void PrintTo(const MainScript& script, std::ostream* out);  // for GoogleTest

// The table, read once.
const std::vector<MainScript>& main_scripts();

// "P=4 B=4" as the command line has it.
std::vector<std::pair<std::string, std::string>> arguments_of(std::string_view text);

// The command `wsevm run scripts/FILE`: its text, and options with array files and with limits that
// end what runs away.
std::string text_of(const MainScript& script);
Options options_of(const MainScript& script);

}  // namespace wse::script
