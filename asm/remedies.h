// Tries the changes that diagnostics may offer, so that none is offered that does not help.
//
// Must never change what is assembled: a trial is an assembly of its own, of a changed text.
#pragma once

#include <functional>

#include "asm/assembler.h"

namespace wse::assembler {

// A change of one line of a file: `text` in place of `where`, which may have the length 0.
struct Change {
  std::size_t diagnostic = 0;  // the index of the one that it mends
  isa::SourceRange where{};
  std::string text{};
  std::string help{};  // the words that offer it
};

// assemble() without trials.
Output assemble_as_written(isa::SourceFile source, const Options& options);

// The text with the change in it. The place lies in the text.
std::string with_edit(std::string_view text, const Edit& edit);

// The text with the change in it. The place lies in the text.
std::string with_change(std::string_view text, const Change& change);

// The change as one replacement in the text that `edit` points into.
Change change_of(std::string_view text, const Edit& edit);

// Returns the changes that mend diagnostics which `wanted` chooses, by their indices: each was
// written into the text alone, in the source or in a file that it includes, and the diagnostic was
// gone. `options` are those of the output. Files that come with wsevm are never changed. The number
// of trials is bounded; remedies after them are left out.
std::vector<Change> tried_changes(const Output& output, const Options& options,
                                  const std::function<bool(std::size_t)>& wanted);

// Keeps of the remedies on trial those after which the program has no error and fewer warnings, one
// for each diagnostic, and gives it their help; drops the others. The number of trials is bounded.
void choose_remedies(Output& output, const Options& options);

}  // namespace wse::assembler
