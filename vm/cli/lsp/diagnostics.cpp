// Diagnostics as the protocol has them, and the changes that mend them.
#include <algorithm>

#include "asm/remedies.h"
#include "asm/text/library_texts.h"
#include "vm/cli/lsp/features.h"

namespace wse::lsp {
namespace {

using isa::Diagnostic;
using isa::Severity;

Json range_of(const Checked& checked, const isa::SourceRange& where) {
  if (where.line == 0 || where.file >= checked.tables.size()) {
    return {{"start", position_json({})}, {"end", position_json({})}};
  }
  const LineTable& table = checked.tables[where.file];
  return range_json(table, table.begin(where), table.end(where));
}

// The file of a place, or the document where the place is in none.
std::string uri_of_place(const Checked& checked, const isa::SourceRange& where) {
  const bool has_file =
      where.line != 0 && where.file < checked.uris.size() && !checked.uris[where.file].empty();
  return checked.uris[has_file ? where.file : 0];
}

std::string message_of(const Diagnostic& diagnostic) {
  std::string message = diagnostic.message;
  if (!diagnostic.help.empty()) message += "\nhelp: " + diagnostic.help;
  if (!diagnostic.from.empty()) message += "\nfrom: " + diagnostic.from;
  return message;
}

Json diagnostic_json(const Checked& checked, const Diagnostic& diagnostic) {
  Json json;
  const bool is_elsewhere =
      uri_of_place(checked, diagnostic.where) == checked.uris[0] && diagnostic.where.file != 0;
  json["range"] = is_elsewhere ? range_of(checked, {}) : range_of(checked, diagnostic.where);
  json["severity"] = diagnostic.severity == Severity::Error     ? 1
                     : diagnostic.severity == Severity::Warning ? 2
                                                                : 3;
  if (!diagnostic.code.empty()) json["code"] = diagnostic.code;
  json["source"] = "wsevm";
  json["message"] = message_of(diagnostic);
  return json;
}

// Adds a note to the diagnostic in front of it.
void add_note(const Checked& checked, const Diagnostic& note, Json& diagnostic) {
  Json related;
  related["location"]["uri"] = uri_of_place(checked, note.where);
  related["location"]["range"] = range_of(checked, note.where);
  related["message"] = note.message;
  diagnostic["relatedInformation"].push_back(related);
}

}  // namespace

std::map<std::string, Json> diagnostics_of(const Checked& checked) {
  std::map<std::string, Json> found = {{checked.uris[0], Json::array()}};
  Json* last = nullptr;
  for (const Diagnostic& diagnostic : checked.output->diagnostics) {
    if (diagnostic.severity == Severity::Note && last != nullptr && diagnostic.where.line != 0) {
      add_note(checked, diagnostic, *last);
      continue;
    }
    Json& list =
        found.try_emplace(uri_of_place(checked, diagnostic.where), Json::array()).first->second;
    list.push_back(diagnostic_json(checked, diagnostic));
    last = &list.back();
  }
  return found;
}

Json code_actions(Workspace& workspace, const Document& document, std::uint32_t begin,
                  std::uint32_t end) {
  const Checked& checked = workspace.checked(document);
  const assembler::Output& output = *checked.output;
  const LineTable& table = checked.tables[0];
  const auto is_touched = [&](std::size_t index) {
    const isa::SourceRange& where = output.diagnostics[index].where;
    return where.line != 0 && where.file == 0 && table.begin(where) <= end &&
           table.end(where) >= begin;
  };
  Json actions = Json::array();
  for (const assembler::Change& change :
       assembler::tried_changes(output, checked.options, is_touched)) {
    const std::string& uri = checked.uris[change.where.file];
    if (uri.empty()) continue;
    Json edit;
    edit["range"] = range_of(checked, change.where);
    edit["newText"] = change.text;
    Json action;
    action["title"] = change.help;
    action["kind"] = "quickfix";
    action["diagnostics"] =
        Json::array({diagnostic_json(checked, output.diagnostics[change.diagnostic])});
    action["edit"]["changes"][uri] = Json::array({edit});
    actions.push_back(action);
  }
  return actions;
}

}  // namespace wse::lsp
