// Assembles texts of documents, and reads settings.
#include "vm/cli/lsp/workspace.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "asm/text/library_texts.h"
#include "vm/cli/lsp/uri.h"

namespace wse::lsp {
namespace {

constexpr std::size_t kMostSettings = 1000;

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

void read_texts(const Json& json, std::string_view name, std::vector<std::string>& texts) {
  const Json* list = member(json, {name});
  if (list == nullptr || !list->is_array()) return;
  texts.clear();
  for (const Json& text : *list) {
    if (texts.size() >= kMostSettings) break;
    if (text.is_string()) texts.push_back(text.get<std::string>());
  }
}

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
  read_texts(json, "include", settings.include_folders);
  read_texts(json, "commands", settings.commands);
  if (const auto profile = text_at(json, {"profile"})) settings.profile = *profile;
}

void Workspace::set_settings(const Settings& settings) {
  if (settings != settings_) complained_.clear();
  settings_ = settings;
  known_.clear();
}

isa::Result<std::optional<std::string>> Workspace::load(const std::string& path) const {
  if (const Document* document = documents_.with_path(path)) return document->text;
  if (!host_.load) return std::nullopt;
  return host_.load(path);
}

void Workspace::complain(std::string sentence) {
  if (complained_.insert(sentence).second) complaints_.push_back(std::move(sentence));
}

std::vector<std::string> Workspace::take_complaints() { return std::exchange(complaints_, {}); }

// The settings of the client, under those of `wsevm.json`; paths are relative to the document.
Settings Workspace::settings_for(const Document& document) {
  Settings settings = settings_;
  if (document.path.empty()) return settings;
  const std::string folder = folder_of(document.path);
  const std::string file = folder + "wsevm.json";
  if (const auto text = load(file); text && *text) {
    if (const auto json = parse_json(**text); json && json->is_object()) {
      read_settings(*json, settings);
    } else {
      complain(fmt::format("{} is no JSON object; it is ignored", file));
    }
  }
  const auto make_whole = [&folder](std::string& path) {
    if (!path.empty() && !path.starts_with('/')) path.insert(0, folder);
  };
  std::ranges::for_each(settings.include_folders, make_whole);
  make_whole(settings.profile);
  if (settings.machine.ends_with(".lua")) make_whole(settings.machine);
  return settings;
}

assembler::Options Workspace::options_for(const Document& document, const Settings& settings) {
  assembler::Options options;
  options.overrides = settings.values;
  const auto profile = host_.profile ? host_.profile(settings.machine)
                                     : isa::Result<isa::Profile>(isa::fail("no profiles"));
  if (!profile) complain(fmt::format("{}; programs are checked for wse2", profile.error()));
  options.profile = profile ? *profile : *isa::find_profile("wse2");
  options.path = document.path;
  options.include_folders = settings.include_folders;
  options.load = [this](const std::string& path) { return load(path); };
  return options;
}

std::shared_ptr<const RunProfile> Workspace::run_profile(const Checked& checked) {
  const std::string& file = checked.settings.profile;
  if (file.empty() || !host_.run_profile) return nullptr;
  const auto found = host_.run_profile(file);
  if (found) return *found;
  complain(fmt::format("{}; lines have no cycles of a run", found.error()));
  return nullptr;
}

Checked& Workspace::names_of(const Document& document) {
  std::unique_ptr<Checked>& known = known_[document.uri];
  if (known) return *known;
  known = std::make_unique<Checked>();
  known->settings = settings_for(document);
  known->options = options_for(document, known->settings);
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
