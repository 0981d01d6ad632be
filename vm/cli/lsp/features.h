// The answers of the server, one function for each request. All take a document that
// was looked at (workspace.h); places are bytes of its text.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "vm/cli/lsp/workspace.h"

namespace wse::lsp {

inline constexpr std::size_t kMostItems = 2000;  // of a list that is as long as the text

// The diagnostics of all files of the document, by address; the document itself is always there.
// Notes are related places, helps are the last lines of messages.
std::map<std::string, Json> diagnostics_of(const Checked& checked);

// Quick fixes for diagnostics that touch the bytes: changes that were tried.
Json code_actions(Workspace& workspace, const Document& document, std::uint32_t begin,
                  std::uint32_t end);

// Markdown of the word there; null if nothing is known of it.
Json hover_at(Workspace& workspace, const Document& document, std::uint32_t offset);

Json completion_at(Workspace& workspace, const Document& document, std::uint32_t offset);

Json definition_of(const Checked& checked, std::uint32_t offset);
Json references_of(const Checked& checked, std::uint32_t offset, bool with_definition);
Json highlights_of(const Checked& checked, std::uint32_t offset);
// The range of the name there; null if it cannot be renamed.
Json rename_range(const Checked& checked, std::uint32_t offset);
// The edits that rename it, in all files. Errors: those of places_to_rename(); the program would
// have more errors than before.
isa::Result<Json> rename_edits(Workspace& workspace, const Document& document, std::uint32_t offset,
                               const std::string& name);

Json document_symbols(const Checked& checked);
Json folding_ranges(const Checked& checked);

// The words and marks of the whole text, as the protocol encodes them; those of lines `first` to
// `last`, counted from 0; and the change from an answer that had the id `previous`, or the whole
// text if that is not the last one.
Json semantic_tokens(Workspace& workspace, const Document& document);
Json semantic_tokens_in(const Checked& checked, std::uint32_t first, std::uint32_t last);
Json semantic_tokens_since(Workspace& workspace, const Document& document,
                           const std::string& previous);
// The names of types and modifiers, in the order of their numbers.
Json semantic_legend();

// Slots and cycles at the end of each line from `first` to `last`, counted from 0, and what the
// assembler added to it; and where the settings name the profile of a run, the share of its cycles
// that were spent there, by cause. While the text has errors, prices are those of its last text
// without, at lines that have not changed since.
Json inlay_hints(Workspace& workspace, const Document& document, std::uint32_t first,
                 std::uint32_t last);
// Adds the hints of the profile. Lines that were moved since the run are found by their texts; one
// that was changed has none.
void add_profile_hints(const Checked& checked, const RunProfile& profile, std::uint32_t first,
                       std::uint32_t last, Json& hints);
// Counts the PEs that run each program, by its name in the source. The text has no errors.
std::map<std::string, std::uint64_t> pes_of_programs(const Checked& checked);
// Shows these counts above the programs, the last known ones while the text has errors, and "run"
// above the first one if the client has a command `wsevm.run`. Its argument is the list of wsevm's
// arguments.
Json code_lenses(Workspace& workspace, const Document& document);

}  // namespace wse::lsp
