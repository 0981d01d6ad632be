// Assembles texts of documents, and reads settings.
#include "vm/cli/lsp/workspace.h"

#include <algorithm>

#include "asm/text/library_texts.h"
#include "vm/cli/lsp/uri.h"

namespace wse::lsp {
namespace {

constexpr std::size_t kMostSettings = 1000;

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

}  // namespace

void read_settings(const Json& json, Settings& settings) {
  if (const auto machine = text_at(json, {"machine"})) settings.machine = *machine;
  if (const Json* values = member(json, {"values"}); values != nullptr && values->is_object()) {
    settings.values.clear();
    for (const auto& [name, value] : values->items()) {
      if (settings.values.size() >= kMostSettings) break;
      if (value.is_string()) settings.values.emplace_back(name, value.get<std::string>());
      if (value.is_number()) settings.values.emplace_back(name, json_text(value));
    }
  }
  if (const Json* include = member(json, {"include"}); include != nullptr && include->is_array()) {
    settings.include_folders.clear();
    for (const Json& folder : *include) {
      if (settings.include_folders.size() >= kMostSettings) break;
      if (folder.is_string()) settings.include_folders.push_back(folder.get<std::string>());
    }
  }
}

void Workspace::set_settings(const Settings& settings) {
  settings_ = settings;
  known_.clear();
}

isa::Result<std::optional<std::string>> Workspace::load(const std::string& path) const {
  if (const Document* document = documents_.with_path(path)) return document->text;
  if (!host_.load) return std::nullopt;
  return host_.load(path);
}

assembler::Options Workspace::options_for(const Document& document) const {
  Settings settings = settings_;
  if (!document.path.empty()) {
    const auto text = load(folder_of(document.path) + "wsevm.json");
    const auto json = text && *text ? parse_json(**text) : std::nullopt;
    if (json) read_settings(*json, settings);
    for (std::string& folder : settings.include_folders) {
      if (!folder.starts_with('/')) folder.insert(0, folder_of(document.path));
    }
  }
  assembler::Options options;
  options.overrides = settings.values;
  const auto profile = host_.profile ? host_.profile(settings.machine)
                                     : isa::Result<isa::Profile>(isa::fail("no profiles"));
  options.profile = profile ? *profile : *isa::find_profile("wse2");
  options.path = document.path;
  options.include_folders = settings.include_folders;
  options.load = [this](const std::string& path) { return load(path); };
  return options;
}

Checked& Workspace::names_of(const Document& document) {
  std::unique_ptr<Checked>& known = known_[document.uri];
  if (known) return *known;
  known = std::make_unique<Checked>();
  known->options = options_for(document);
  const std::string name = document.path.substr(document.path.rfind('/') + 1);
  known->analysis =
      assembler::analyse({name.empty() ? document.uri : name, document.text}, known->options);
  for (std::size_t k = 0; k < known->analysis.files.size(); ++k) {
    const std::string& path = known->analysis.paths[k];
    known->tables.emplace_back(known->analysis.files[k].text, encoding_);
    const Document* open = documents_.with_path(path);
    const bool is_file = path.starts_with('/');
    known->uris.push_back(k == 0            ? document.uri
                          : open != nullptr ? open->uri
                          : is_file         ? uri_of(path)
                                            : std::string());
  }
  return *known;
}

Checked& Workspace::checked(const Document& document) {
  Checked& known = names_of(document);
  if (!known.output) {
    const isa::SourceFile& source = known.analysis.files[0];
    known.output = assembler::assemble({source.name, source.text}, known.options);
  }
  return known;
}

void Workspace::forget(const std::string& uri, const std::string& path) {
  std::erase_if(known_, [&](const auto& entry) {
    if (entry.first == uri || !entry.second) return true;
    const std::vector<std::string>& paths = entry.second->analysis.paths;
    if (!path.empty() && std::ranges::find(paths, path) != paths.end()) return true;
    // A file that was missing may be there now.
    return entry.second->output && std::ranges::any_of(entry.second->output->diagnostics,
                                                       [](const isa::Diagnostic& diagnostic) {
                                                         return diagnostic.code == "E101";
                                                       });
  });
}

}  // namespace wse::lsp
