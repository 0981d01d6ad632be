// Puts notes, which follow their diagnostic in the list, into it.
#include "vm/cli/diagnostics_json.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "vm/cli/lsp/line_table.h"

namespace wse::cli {
namespace {

using Json = nlohmann::ordered_json;
using assembler::Change;
using isa::Diagnostic;
using isa::Severity;

std::string written(const Json& json) {
  return json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

std::size_t count_of(const isa::Diagnostics& diagnostics, Severity severity) {
  return static_cast<std::size_t>(std::ranges::count(diagnostics, severity, &Diagnostic::severity));
}

// Adds the members that say where.
void add_place(Json& json, const isa::SourceRange& where, const assembler::Output& output) {
  if (where.line == 0) {
    json["file"] = nullptr;
    return;
  }
  json["file"] = output.files[where.file].name;
  json["path"] = text_or_null(output.paths[where.file]);
  json["line"] = where.line;
  json["column"] = where.column;
  json["length"] = where.length;
}

Json edit_json(const Change& change, const assembler::Output& output) {
  Json json = Json::object();
  json["help"] = change.help;
  add_place(json, change.where, output);
  json["text"] = change.text;
  return json;
}

Json diagnostic_json(const Findings& findings, std::size_t index) {
  const assembler::Output& output = findings.output;
  const Diagnostic& diagnostic = output.diagnostics[index];
  Json json = Json::object();
  json["severity"] = diagnostic.severity == Severity::Error     ? "error"
                     : diagnostic.severity == Severity::Warning ? "warning"
                                                                : "note";
  json["code"] = text_or_null(diagnostic.code);
  add_place(json, diagnostic.where, output);
  json["message"] = diagnostic.message;
  json["help"] = text_or_null(diagnostic.help);
  json["from"] = text_or_null(diagnostic.from);
  json["notes"] = Json::array();
  json["edits"] = Json::array();
  for (const Change& change : findings.changes) {
    if (change.diagnostic == index) json["edits"].push_back(edit_json(change, output));
  }
  return json;
}

// ---- SARIF -------------------------------------------------------------------------------------

class Sarif {
 public:
  explicit Sarif(const Findings& findings) : findings_(findings), output_(findings.output) {
    for (const isa::SourceFile& file : output_.files) tables_.emplace_back(file.text);
  }

  Json result(std::size_t index, const std::vector<std::size_t>& notes) {
    const Diagnostic& diagnostic = output_.diagnostics[index];
    Json json = Json::object();
    json["ruleId"] = diagnostic.code;
    json["level"] = diagnostic.severity == Severity::Error ? "error" : "warning";
    const bool has_help = !diagnostic.help.empty();
    json["message"]["text"] =
        diagnostic.message + (has_help ? "; " + diagnostic.help : std::string());
    json["locations"] = Json::array();
    if (diagnostic.where.line != 0) json["locations"].push_back(location(diagnostic.where));
    for (const std::size_t note : notes) {
      const Diagnostic& other = output_.diagnostics[note];
      if (other.where.line == 0) continue;
      Json related = location(other.where);
      related["message"]["text"] = other.message;
      json["relatedLocations"].push_back(related);
    }
    for (const Change& change : findings_.changes) {
      if (change.diagnostic == index) json["fixes"].push_back(fix(change));
    }
    return json;
  }

 private:
  Json artifact(std::uint32_t file) const {
    const std::string& path = output_.paths[file];
    return {{"uri", path.empty() ? output_.files[file].name : path}};
  }

  Json region(const isa::SourceRange& where) const {
    const lsp::LineTable& table = tables_[where.file];
    const lsp::Position begin = table.position(table.begin(where));
    const lsp::Position end = table.position(table.end(where));
    return {{"startLine", begin.line + 1},
            {"startColumn", begin.character + 1},
            {"endLine", end.line + 1},
            {"endColumn", end.character + 1}};
  }

  Json location(const isa::SourceRange& where) const {
    Json json = Json::object();
    json["physicalLocation"]["artifactLocation"] = artifact(where.file);
    json["physicalLocation"]["region"] = region(where);
    return json;
  }

  Json fix(const Change& change) const {
    Json replacement = Json::object();
    replacement["deletedRegion"] = region(change.where);
    replacement["insertedContent"]["text"] = change.text;
    Json changed = Json::object();
    changed["artifactLocation"] = artifact(change.where.file);
    changed["replacements"] = Json::array({replacement});
    Json json = Json::object();
    json["description"]["text"] = change.help;
    json["artifactChanges"] = Json::array({changed});
    return json;
  }

  const Findings& findings_;
  const assembler::Output& output_;
  std::vector<lsp::LineTable> tables_;
};

}  // namespace

std::string findings_json(const Findings& findings) {
  const isa::Diagnostics& diagnostics = findings.output.diagnostics;
  Json json = Json::object();
  json["file"] = findings.file;
  json["errors"] = count_of(diagnostics, Severity::Error);
  json["warnings"] = count_of(diagnostics, Severity::Warning);
  json["message"] = text_or_null(findings.message);
  Json all = Json::array();
  for (std::size_t k = 0; k < diagnostics.size(); ++k) {
    const bool is_note = diagnostics[k].severity == Severity::Note;
    if (!is_note || all.empty() || diagnostics[k].where.line == 0) {
      all.push_back(diagnostic_json(findings, k));
      continue;
    }
    Json note = Json::object();
    add_place(note, diagnostics[k].where, findings.output);
    note["message"] = diagnostics[k].message;
    all.back()["notes"].push_back(note);
  }
  json["diagnostics"] = all;
  return written(json);
}

std::string findings_sarif(const Findings& findings, std::string_view version) {
  const isa::Diagnostics& diagnostics = findings.output.diagnostics;
  Sarif sarif(findings);
  Json results = Json::array();
  std::map<std::string, std::string> rules;
  for (std::size_t k = 0; k < diagnostics.size(); ++k) {
    if (diagnostics[k].severity == Severity::Note) continue;
    std::vector<std::size_t> notes;
    for (std::size_t n = k + 1; n < diagnostics.size(); ++n) {
      if (diagnostics[n].severity != Severity::Note) break;
      notes.push_back(n);
    }
    results.push_back(sarif.result(k, notes));
    rules.try_emplace(diagnostics[k].code, results.back()["level"]);
  }
  Json driver = Json::object();
  driver["name"] = "wsevm";
  driver["version"] = version;
  driver["rules"] = Json::array();
  for (const auto& [code, level] : rules) {
    driver["rules"].push_back({{"id", code}, {"defaultConfiguration", {{"level", level}}}});
  }
  Json run = Json::object();
  run["tool"]["driver"] = driver;
  run["columnKind"] = "utf16CodeUnits";
  run["invocations"] = Json::array({{{"executionSuccessful", findings.message.empty()}}});
  run["results"] = results;
  Json json = Json::object();
  json["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json";
  json["version"] = "2.1.0";
  json["runs"] = Json::array({run});
  return written(json);
}

}  // namespace wse::cli
