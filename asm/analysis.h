// The knowledge that an editor wants of a source beside its diagnostics: which word means what.
//
// Parses only: nothing is expanded, resolved or reported, and a source with errors has an analysis
// of its other lines.
#pragma once

#include <string>
#include <vector>

#include "asm/names/index.h"
#include "asm/text/options.h"

namespace wse::assembler {

struct Analysis {
  isa::SourceFiles files;          // the source, the overrides, what was included
  std::vector<std::string> paths;  // of the files, as Options::load knows them; empty: none
  NameIndex names;                 // places are in `files`
};

// Sources larger than kMaxSourceBytes have an empty index.
Analysis analyse(isa::SourceFile source, const Options& options);

// The places at which all words of the group are written, in the order of the files, so that
// `name` can be written there. Errors: a file that comes with wsevm has one, nothing defines the
// name, `name` is no name or has a meaning in the language or in these sources, or names have so
// many meanings that some are not known.
isa::Result<std::vector<TextPlace>> places_to_rename(const Analysis& analysis, std::uint32_t group,
                                                     std::string_view name);

}  // namespace wse::assembler
