// Takes what the editor tells: texts that open, change and close, settings; and the diagnostics
// that follow when it is quiet.
#include <algorithm>
#include <utility>

#include "vm/cli/lsp/server.h"

namespace wse::lsp {
namespace {

std::optional<std::int64_t> version_of(const Json& params) {
  const Json* version = member(params, {"textDocument", "version"});
  if (version == nullptr || !version->is_number_integer()) return std::nullopt;
  return version->get<std::int64_t>();
}

}  // namespace

void Server::notification(const Request& told, Clock::time_point now) {
  if (told.method == "exit") {
    exit_code_ = state_ == State::ShutDown ? 0 : 1;
    return;
  }
  if (state_ != State::Running) return;
  if (told.method == "textDocument/didOpen") return opened(told.params, now);
  if (told.method == "textDocument/didChange") return changed(told.params, now);
  if (told.method == "textDocument/didClose") return closed(told.params, now);
  if (told.method == "workspace/didChangeConfiguration") configured(told.params, now);
  // A file that is read may have been written.
  if (told.method == "workspace/didChangeWatchedFiles" || told.method == "textDocument/didSave") {
    workspace_.set_settings(workspace_.settings());
    wait_for_quiet(now);
  }
}

void Server::opened(const Json& params, Clock::time_point now) {
  const auto uri = text_at(params, {"textDocument", "uri"});
  auto text = text_at(params, {"textDocument", "text"});
  if (!uri || !text) return show("a document was opened without its text");
  workspace_.forget_shown(*uri);
  const isa::Status status =
      workspace_.documents().open(*uri, std::move(*text), version_of(params));
  if (!status) return show(status.error());
  workspace_.forget(*uri, workspace_.documents().find(*uri)->path);
  wait_for_quiet(now);
}

void Server::changed(const Json& params, Clock::time_point now) {
  const auto uri = text_at(params, {"textDocument", "uri"});
  const Json* changes = member(params, {"contentChanges"});
  if (!uri || changes == nullptr) return show("a change of a document says not which");
  const Document* document = workspace_.documents().find(*uri);
  const std::string path = document == nullptr ? "" : document->path;
  workspace_.forget(*uri, path);
  const isa::Status status =
      workspace_.documents().change(*uri, *changes, version_of(params), workspace_.encoding());
  if (!status) show(status.error());
  wait_for_quiet(now);
}

void Server::closed(const Json& params, Clock::time_point now) {
  const auto uri = text_at(params, {"textDocument", "uri"});
  const Document* document = uri ? workspace_.documents().find(*uri) : nullptr;
  if (document == nullptr) return;
  workspace_.forget(*uri, document->path);
  workspace_.forget_shown(*uri);
  workspace_.documents().close(*uri);
  wait_for_quiet(now);
}

void Server::configured(const Json& params, Clock::time_point now) {
  const Json* settings = member(params, {"settings", "wsevm"});
  if (settings == nullptr) return;
  Settings read = workspace_.settings();
  read_settings(*settings, read);
  workspace_.set_settings(read);
  wait_for_quiet(now);
}

// Documents that another open one includes: that one tells what is wrong in them.
std::set<std::string> Server::included_documents() {
  std::set<std::string> found;
  for (const auto& [uri, document] : workspace_.documents().all()) {
    const Checked& checked = workspace_.names_of(document);
    for (std::size_t k = 1; k < checked.uris.size(); ++k) {
      if (checked.uris[k] != uri) found.insert(checked.uris[k]);
    }
  }
  return found;
}

std::vector<std::string> Server::wake(Clock::time_point now) {
  if (!due_ || now < *due_) return {};
  due_.reset();
  if (state_ == State::Running) publish();
  for (const std::string& complaint : workspace_.take_complaints()) show(complaint);
  return std::exchange(out_, {});
}

// Publishes for each document whose text, or that of a file which it includes, has changed.
void Server::publish() {
  const std::set<std::string> included = included_documents();
  std::vector<std::string> gone;
  for (const auto& [uri, finders] : published_) {
    for (const auto& [finder, list] : finders) {
      if (workspace_.documents().find(finder) == nullptr || included.contains(finder)) {
        gone.push_back(finder);
      }
    }
  }
  for (const std::string& finder : gone) {
    publish_of(finder, {});
    const Document* document = workspace_.documents().find(finder);
    if (document != nullptr) workspace_.names_of(*document).is_told = false;
  }
  for (const auto& [uri, document] : workspace_.documents().all()) {
    if (included.contains(uri)) continue;
    if (workspace_.names_of(document).is_told) continue;
    Checked& checked = workspace_.checked(document);
    checked.is_told = true;
    publish_of(uri, diagnostics_of(checked));
  }
}

// Replaces what the document has found, in all files.
void Server::publish_of(const std::string& finder, const std::map<std::string, Json>& found) {
  std::set<std::string> touched;
  for (auto& [uri, finders] : published_) {
    if (finders.erase(finder) > 0) touched.insert(uri);
  }
  for (const auto& [uri, list] : found) {
    published_[uri][finder] = list;
    touched.insert(uri);
  }
  for (const std::string& uri : touched) send_diagnostics(uri);
}

void Server::send_diagnostics(const std::string& uri) {
  Json all = Json::array();
  for (const auto& [finder, list] : published_[uri]) {
    for (const Json& diagnostic : list) {
      if (std::ranges::find(all, diagnostic) == all.end()) all.push_back(diagnostic);
    }
  }
  if (published_[uri].empty()) published_.erase(uri);
  Json params = {{"uri", uri}, {"diagnostics", all}};
  const Document* document = workspace_.documents().find(uri);
  if (document != nullptr && document->version) params["version"] = *document->version;
  send({{"jsonrpc", "2.0"},
        {"method", "textDocument/publishDiagnostics"},
        {"params", std::move(params)}});
}

}  // namespace wse::lsp
