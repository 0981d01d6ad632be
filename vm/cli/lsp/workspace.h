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
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "asm/analysis.h"
#include "asm/assembler.h"
#include "isa/machine/profile.h"
#include "vm/cli/lsp/documents.h"

namespace wse::lsp {

// The cycles that main threads of a run were at a line of its sources, of all PEs.
struct ProfiledLine {
  std::string file;
  std::uint32_t line = 0;             // counted from 1
  std::string text;                   // as it was when the program ran; empty: unknown
  std::vector<std::uint64_t> cycles;  // by cause
  std::uint64_t most = 0;             // of one PE
  std::string most_at;                // "PE(3, 1)"
};

// The lines of a file that `wsevm run --profile=FILE.npz` has written.
struct RunProfile {
  std::vector<std::string> causes;
  std::vector<ProfiledLine> lines;  // ordered by file and line, each once
  std::uint64_t cycles = 0;         // of all PEs, at lines or not
};

// The services that the server asks of the process around it.
struct Host {
  assembler::Loader load{};  // files, as Options::load
  // The profile in a file, as it is there now.
  std::function<isa::Result<std::shared_ptr<const RunProfile>>(const std::string&)> run_profile{};
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
  std::string profile;                // of a run; empty: none
  std::vector<std::string> commands;  // that the client can execute

  bool operator==(const Settings&) const = default;
};

// {"machine": TEXT, "values": {NAME: TEXT or number}, "include": [FOLDER], "profile": FILE,
// "commands": [NAME]}; what is missing or of another type stays as in `settings`.
void read_settings(const Json& json, Settings& settings);

// A text with everything that the assembler says of it. Its files are those of `analysis`.
struct Checked {
  Settings settings;  // with whole paths
  assembler::Options options;
  assembler::Analysis analysis;
  std::vector<LineTable> tables;              // of the files
  std::vector<std::string> uris;              // of the files; empty: no file
  std::optional<assembler::Output> output{};  // made when it is asked for
  bool is_told = false;                       // its diagnostics are published
  bool is_priced = false;                     // its prices are the last good ones
};

// The coloured words of a document that the client got last, as numbers of the protocol.
struct Painted {
  std::uint64_t id = 0;
  std::vector<std::uint32_t> numbers;
};

// The price of a line as a hint says it, with the text of the line.
struct LinePrice {
  std::uint32_t line = 0;  // counted from 1
  std::string text;
  std::string label;
};

// The prices and PEs of the last text of a document without errors: shown while a line is written.
struct LastGood {
  std::vector<LinePrice> prices;             // ordered by line
  std::map<std::string, std::uint64_t> pes;  // by program
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

  // The profile that the settings name; nullptr if they name none, or it cannot be read.
  std::shared_ptr<const RunProfile> run_profile(const Checked& checked);

  // Returns what the client got last; it is there until the document is closed.
  Painted& painted(const std::string& uri) { return painted_[uri]; }
  LastGood& last_good(const std::string& uri) { return last_good_[uri]; }
  void forget_shown(const std::string& uri) {
    painted_.erase(uri);
    last_good_.erase(uri);
  }

  // Returns what is wrong with settings and was not returned before, as sentences.
  std::vector<std::string> take_complaints();

  const Host& host() const { return host_; }

 private:
  isa::Result<std::optional<std::string>> load(const std::string& path) const;
  Settings settings_for(const Document& document);
  assembler::Options options_for(const Document& document, const Settings& settings);
  void complain(std::string sentence);

  Host host_;
  Documents documents_;
  Settings settings_;
  Encoding encoding_ = Encoding::Utf16;
  std::map<std::string, std::unique_ptr<Checked>, std::less<>> known_;
  std::map<std::string, Painted, std::less<>> painted_;
  std::map<std::string, LastGood, std::less<>> last_good_;
  std::vector<std::string> complaints_;  // not yet returned
  std::set<std::string> complained_;     // since the settings came
};

}  // namespace wse::lsp
