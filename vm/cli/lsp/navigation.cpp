// Finds where names are defined and used, and renames them.
#include <algorithm>

#include "vm/cli/lsp/features.h"

namespace wse::lsp {
namespace {

using assembler::IndexedSymbol;
using assembler::Mention;
using assembler::TextPlace;

Json range_of_name(const Checked& checked, const TextPlace& where) {
  return range_json(checked.tables[where.file], where.offset, where.offset + where.length);
}

Json location(const Checked& checked, const TextPlace& where) {
  return {{"uri", checked.uris[where.file]}, {"range", range_of_name(checked, where)}};
}

bool has_uri(const Checked& checked, const TextPlace& where) {
  return !checked.uris[where.file].empty();
}

// The group of the word at the byte.
std::optional<std::uint32_t> group_at(const Checked& checked, std::uint32_t offset) {
  const auto mentions = checked.analysis.names.at(0, offset);
  if (mentions.empty()) return std::nullopt;
  return checked.analysis.names.symbols()[mentions.front().symbol].group;
}

// A name that is free to mean anything goes to all that it means; else to the definitions of the
// symbols that are there.
bool is_definition(const Checked& checked, std::span<const Mention> at, const Mention& mention) {
  const std::vector<IndexedSymbol>& symbols = checked.analysis.names.symbols();
  const bool is_free = std::ranges::any_of(at, [&](const Mention& here) {
    return symbols[here.symbol].kind == assembler::SymbolKind::Free;
  });
  return mention.defines &&
         (is_free || std::ranges::find(at, mention.symbol, &Mention::symbol) != at.end());
}

}  // namespace

Json definition_of(const Checked& checked, std::uint32_t offset) {
  Json found = Json::array();
  const auto at = checked.analysis.names.at(0, offset);
  const auto group = group_at(checked, offset);
  if (!group) return found;
  for (const Mention& mention : checked.analysis.names.of_group(*group)) {
    if (!is_definition(checked, at, mention) || !has_uri(checked, mention.where)) continue;
    found.push_back(location(checked, mention.where));
    if (found.size() == kMostItems) break;
  }
  return found;
}

Json references_of(const Checked& checked, std::uint32_t offset, bool with_definition) {
  Json found = Json::array();
  const auto group = group_at(checked, offset);
  if (!group) return found;
  for (const Mention& mention : checked.analysis.names.of_group(*group)) {
    if (mention.defines && !with_definition) continue;
    if (has_uri(checked, mention.where)) found.push_back(location(checked, mention.where));
  }
  return found;
}

Json highlights_of(const Checked& checked, std::uint32_t offset) {
  Json found = Json::array();
  const auto group = group_at(checked, offset);
  if (!group) return found;
  for (const Mention& mention : checked.analysis.names.of_group(*group)) {
    if (mention.where.file != 0) continue;
    found.push_back({{"range", range_of_name(checked, mention.where)}, {"kind", 1}});
  }
  return found;
}

Json rename_range(const Checked& checked, std::uint32_t offset) {
  const auto at = checked.analysis.names.at(0, offset);
  const auto group = group_at(checked, offset);
  if (!group) return nullptr;
  constexpr std::string_view kUnused = "a_name_that_nobody_has_";
  if (!assembler::places_to_rename(checked.analysis, *group, kUnused)) return nullptr;
  const TextPlace& where = at.front().where;
  const std::string_view text = checked.tables[0].text();
  return {{"range", range_of_name(checked, where)},
          {"placeholder", text.substr(where.offset, where.length)}};
}

isa::Result<Json> rename_edits(Workspace& workspace, const Document& document, std::uint32_t offset,
                               const std::string& name) {
  const Checked& checked = workspace.checked(document);
  const auto group = group_at(checked, offset);
  if (!group) return isa::fail("there is no name here");
  const auto places = assembler::places_to_rename(checked.analysis, *group, name);
  if (!places) return isa::fail(places.error());
  std::vector<std::string> texts;
  for (const isa::SourceFile& file : checked.analysis.files) texts.push_back(file.text);
  Json edits = Json::object();
  for (auto place = places->rbegin(); place != places->rend(); ++place) {
    const std::string& uri = checked.uris[place->file];
    if (uri.empty()) return isa::fail("a value of the settings has this name");
    texts[place->file].replace(place->offset, place->length, name);
    edits[uri].push_back({{"range", range_of_name(checked, *place)}, {"newText", name}});
  }
  assembler::Options options = checked.options;
  options.load = [&](const std::string& path) -> isa::Result<std::optional<std::string>> {
    const auto& paths = checked.analysis.paths;
    const auto found = std::ranges::find(paths, path);
    if (found != paths.end() && found != paths.begin()) {
      return texts[static_cast<std::size_t>(found - paths.begin())];
    }
    return checked.options.load(path);
  };
  const auto after = assembler::assemble({checked.analysis.files[0].name, texts[0]}, options);
  if (after.diagnostics.size() > checked.output->diagnostics.size()) {
    return isa::fail("the program would have more errors than before");
  }
  return Json{{"changes", edits}};
}

}  // namespace wse::lsp
