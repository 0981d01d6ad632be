// Which word of the sources means which definition, for editors: made of what the parser keeps,
// before macros are expanded.
//
// A name in a macro means what the programs that use the macro define; it has a symbol of its own,
// linked with theirs. Symbols that are linked, or that one word defines, form a group: what must be
// renamed together. A line that the parser refused has no names here.
// Must never report anything, and never change what is assembled.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "asm/syntax/syntax.h"
#include "asm/text/sources.h"

namespace wse::assembler {

enum class SymbolKind : std::uint8_t {
  Constant,
  Parameter,  // .param
  Colour,
  Entry,
  Program,
  Library,
  Macro,
  Stream,
  Argument,  // of a program or macro
  Variable,  // of .for
  Data,
  Register,
  DescriptorRegister,
  Microthread,
  Queue,
  Descriptor,
  Fifo,
  Routing,
  Filter,
  Task,
  Function,
  Label,
  Mark,
  Free,  // a name that has its meaning where the text is used: in macros and .expect
};

// "constant", "descriptor register" ...
std::string_view text(SymbolKind kind);

// Bytes of a file: an index into the files of the assembly, the first byte, how many.
struct TextPlace {
  std::uint32_t file = 0;
  std::uint32_t offset = 0;
  std::uint32_t length = 0;

  auto operator<=>(const TextPlace&) const = default;
};

struct IndexedSymbol {
  SymbolKind kind = SymbolKind::Free;
  std::string name{};
  std::string owner{};      // the program, library or macro in which it has its meaning
  TextPlace where{};        // of its first definition; length 0: none
  std::uint32_t group = 0;  // symbols that are renamed together have the same
};

// A word that means a symbol.
struct Mention {
  TextPlace where{};
  std::uint32_t symbol = 0;
  bool defines = false;
};

class NameIndex {
 public:
  NameIndex() = default;
  // `mentions` in any order; `complete`: no link is missing.
  NameIndex(std::vector<IndexedSymbol> symbols, std::vector<Mention> mentions, bool complete);

  // False if names have so many meanings that some are left out: then nothing can be renamed.
  bool is_complete() const { return complete_; }

  const std::vector<IndexedSymbol>& symbols() const { return symbols_; }
  // All mentions, ordered by file and place. Several symbols may have one place.
  const std::vector<Mention>& mentions() const { return mentions_; }

  // The mentions of the word that touches byte `offset` of the file; empty: none is there.
  std::span<const Mention> at(std::uint32_t file, std::uint32_t offset) const;

  // The mentions of all symbols of the group, each place once.
  std::vector<Mention> of_group(std::uint32_t group) const;

 private:
  std::vector<IndexedSymbol> symbols_;
  std::vector<Mention> mentions_;
  bool complete_ = true;
};

// The index of a unit that was parsed and not expanded. Time and memory are linear in the text, but
// for links, of which there is a bounded number.
NameIndex index_names(const Unit& unit, const Sources& sources);

}  // namespace wse::assembler
