// The command line of acoustic-reference: Minimod's options, and what a comparison needs.
#pragma once

#include <string>

#include "tests/reference/acoustic.h"

namespace wse::reference {

struct AcousticCommand {
  AcousticOptions options{};
  std::string precision = "double";  // or float
  bool quick = false;                // the optimised steps, in float
  bool verbose = false;
  bool force = false;
  std::string in{};       // .npy file of the field at the beginning
  std::string before{};   // and of that before it
  std::string out{};      // file for the last field
  std::string compare{};  // file whose field is compared with the last one
  double tolerance = 0;   // of its largest absolute value
};

// Reads the command line, or tells what is wrong with it and exits with 2.
AcousticCommand read_arguments(int count, char** arguments);

}  // namespace wse::reference
