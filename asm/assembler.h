// The assembler: text in, program image or diagnostics out. Deterministic, no input can crash it.
//
//     source -> scanner -> parser -> Unit -> macros -> globals -> programs -> placing -> checks ->
//     Image
//
// It runs nothing and reads no file: what a source includes comes from Options::load.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "asm/text/options.h"
#include "asm/text/report.h"
#include "isa/image/image.h"
#include "isa/support/diagnostics.h"

namespace wse::assembler {

struct Output {
  std::optional<isa::Image> image;  // present iff there are no errors
  isa::Diagnostics diagnostics;
  std::vector<ChosenNumber>
      numbers;  // of entries, registers, tasks and microthreads, in their order
  std::vector<ChosenNumber> constants;  // the values of .const, as far as they are known
  std::vector<Remedy> remedies;         // changes of the text that helps of the diagnostics ask for
  isa::SourceFiles
      files;  // the source, the overrides, what was included; what diagnostics point into
  std::vector<std::string> paths;  // of the files, as Options::load knows them; empty: none
};

Output assemble(isa::SourceFile source, const Options& options);

}  // namespace wse::assembler
