// The knowledge of the server: what the assembler says of each open document, kept until a text on
// which it depends changes.
//
// Texts of open documents take the place of files. Must never write a file, and reads them through
// Host alone.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "asm/analysis.h"
#include "asm/assembler.h"
#include "isa/machine/profile.h"
#include "vm/cli/lsp/documents.h"

namespace wse::lsp {

// The services that the server asks of the process around it.
struct Host {
  assembler::Loader load{};  // files, as Options::load
  // A profile by its name or of a Lua file.
  std::function<isa::Result<isa::Profile>(const std::string&)> profile{};
  std::string version{};
};

// The choices with which programs are assembled: of the client, or of `wsevm.json` beside the
// document.
struct Settings {
  std::string machine = "wse2";
  std::vector<std::pair<std::string, std::string>> values;  // of .const and .param
  std::vector<std::string> include_folders;

  bool operator==(const Settings&) const = default;
};

// {"machine": TEXT, "values": {NAME: TEXT or number}, "include": [FOLDER]}; what is missing or of
// another type stays as in `settings`.
void read_settings(const Json& json, Settings& settings);

// A text with everything that the assembler says of it. Its files are those of `analysis`.
struct Checked {
  assembler::Options options;
  assembler::Analysis analysis;
  std::vector<LineTable> tables;              // of the files
  std::vector<std::string> uris;              // of the files; empty: no file
  std::optional<assembler::Output> output{};  // made when it is asked for
  bool is_told = false;                       // its diagnostics are published
};

class Workspace {
 public:
  explicit Workspace(Host host) : host_(std::move(host)) {}

  Documents& documents() { return documents_; }
  const Documents& documents() const { return documents_; }

  void set_encoding(Encoding encoding) { encoding_ = encoding; }
  Encoding encoding() const { return encoding_; }
  // Everything that is known is forgotten.
  void set_settings(const Settings& settings);
  const Settings& settings() const { return settings_; }

  // The names of the document and of what it includes.
  Checked& names_of(const Document& document);
  // Assembles the document too.
  Checked& checked(const Document& document);

  // Forgets what depends on the text of the document. `is_gone`: it is closed.
  void forget(const std::string& uri, const std::string& path);
  bool is_known(const std::string& uri) const { return known_.contains(uri); }

  const Host& host() const { return host_; }

 private:
  isa::Result<std::optional<std::string>> load(const std::string& path) const;
  assembler::Options options_for(const Document& document) const;

  Host host_;
  Documents documents_;
  Settings settings_;
  Encoding encoding_ = Encoding::Utf16;
  std::map<std::string, std::unique_ptr<Checked>, std::less<>> known_;
};

}  // namespace wse::lsp
