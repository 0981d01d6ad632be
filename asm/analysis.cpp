// Parses, and throws away what the parser reports: assemble() reports it too.
#include "asm/analysis.h"

#include <algorithm>

#include "asm/names/names.h"
#include "asm/syntax/parser.h"
#include "asm/text/library_texts.h"
#include "isa/instruction/instruction.h"

namespace wse::assembler {

Analysis analyse(isa::SourceFile source, const Options& options) {
  Analysis analysis;
  const bool fits = source.text.size() <= kMaxSourceBytes;
  Sources sources(std::move(source), options);
  Reporter reporter;
  Unit unit;
  if (fits) {
    Parser(sources, {.file = 0, .line = 1}, unit, reporter).parse_source();
    analysis.names = index_names(unit, sources);
  }
  analysis.paths = sources.paths();
  analysis.files = sources.take();
  return analysis;
}

isa::Result<std::vector<TextPlace>> places_to_rename(const Analysis& analysis, std::uint32_t group,
                                                     std::string_view name) {
  if (!analysis.names.is_complete()) {
    return isa::fail("too many names: not all of their meanings are known");
  }
  Scanner scanner(name, {.line = 1});
  const Token word = scanner.next();
  if (word.kind != TokenKind::Name || word.text != name) {
    return isa::fail(
        fmt::format("'{}' is not a name: letters, digits and _ are", shortened(std::string(name))));
  }
  const bool is_word =
      is_reserved(name, NameKind::Other) || isa::type_named(name) ||
      std::ranges::find(kHeaderWords, name) != std::end(kHeaderWords) || name == kMapWord ||
      std::ranges::any_of(isa::kInstructions,
                          [name](const auto& row) { return row.mnemonic == name; });
  if (is_word) return isa::fail(fmt::format("'{}' has a meaning in the language", name));
  const std::vector<IndexedSymbol>& symbols = analysis.names.symbols();
  if (std::ranges::find(symbols, name, &IndexedSymbol::name) != symbols.end()) {
    return isa::fail(fmt::format("'{}' is a name already", name));
  }
  std::vector<TextPlace> places;
  bool is_defined = false;
  for (const Mention& mention : analysis.names.of_group(group)) {
    const std::string& path = analysis.paths[mention.where.file];
    if (path.starts_with(kLibraryFolder)) {
      return isa::fail(fmt::format("{} comes with wsevm and is never changed", path));
    }
    const IndexedSymbol& symbol = symbols[mention.symbol];
    if (symbol.kind == SymbolKind::Task && symbol.name == "main") {
      return isa::fail("every PE begins with the task 'main'");
    }
    is_defined |= mention.defines;
    places.push_back(mention.where);
  }
  if (!is_defined) return isa::fail("no line of these sources defines this name");
  return places;
}

}  // namespace wse::assembler
