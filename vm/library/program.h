// A program that callers hold: its image with all that machines and messages need of it. It never
// changes, so that several threads may use it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "asm/assembler.h"
#include "isa/image/image.h"
#include "isa/machine/interval.h"
#include "isa/support/diagnostics.h"
#include "isa/support/input_list.h"
#include "vm/library/options.h"

namespace wse::library {

// The files that calls for one program have read.
using Inputs = std::shared_ptr<isa::InputList>;
Inputs new_inputs();

// The origin of a program.
struct Origin {
  std::string file;                 // as the caller named it; empty: a text without a name
  std::optional<std::string> text;  // instead of the file's
  std::string machine = "wse2";
  Pairs values;
};

class Program {
 public:
  // Reads and assembles it. `inputs`: what was read before, of a script. Errors: diagnostics.
  static Fallible<std::shared_ptr<Program>> load(Origin origin, Inputs inputs);

  const isa::Image& image() const { return image_; }
  const isa::SourceFiles& sources() const { return sources_; }
  const isa::Profile& profile() const { return profile_; }
  const Origin& origin() const { return origin_; }
  // Returns the list of files that were read; no output of the library takes their place.
  const Inputs& inputs() const { return inputs_; }

  // Returns what messages and pages call it.
  const std::string& title() const;
  std::string symbols_json() const;
  std::string text() const;
  std::string listing() const;

 private:
  Done assemble();
  Done assemble_text();

  Origin origin_;
  Inputs inputs_;
  isa::Profile profile_;
  isa::Image image_;
  isa::SourceFiles sources_;
  std::vector<assembler::ChosenNumber> numbers_;
  std::string warnings_;
};

// Returns the profile of that name or file. Errors: there is none, the file is wrong.
Fallible<isa::Profile> find_profile(const std::string& machine, isa::InputList& inputs);

// Runs a script up to its K-th wse.run and loads the program that it makes there.
Fallible<std::shared_ptr<Program>> load_layout(const Origin& origin, std::uint64_t number,
                                               wsevm_print print, void* user);

}  // namespace wse::library
