// Which message is here; what it needs is looked up, and one function answers it.
#include "vm/cli/lsp/server.h"

#include <fmt/format.h>

#include <algorithm>

namespace wse::lsp {
namespace {

constexpr int kParseError = -32700;
constexpr int kInvalidRequest = -32600;
constexpr int kMethodNotFound = -32601;
constexpr int kNotInitialized = -32002;
constexpr int kRequestFailed = -32803;

constexpr std::string_view kPlaceRequests[] = {
    "textDocument/hover",      "textDocument/completion",        "textDocument/definition",
    "textDocument/references", "textDocument/documentHighlight", "textDocument/prepareRename",
    "textDocument/rename",
};
constexpr std::string_view kDocumentRequests[] = {
    "textDocument/codeAction",
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/semanticTokens/full",
    "textDocument/semanticTokens/full/delta",
    "textDocument/semanticTokens/range",
    "textDocument/inlayHint",
    "textDocument/codeLens",
};

bool is_one_of(std::span<const std::string_view> list, std::string_view method) {
  return std::ranges::find(list, method) != list.end();
}

bool is_id(const Json& id) { return id.is_string() || id.is_number_integer(); }

}  // namespace

void Server::send_result(const Json& id, const Json& result) {
  send({{"jsonrpc", "2.0"}, {"id", id}, {"result", result}});
}

void Server::send_error(const Json& id, int code, const std::string& message) {
  send({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}});
}

void Server::show(const std::string& message) {
  send({{"jsonrpc", "2.0"},
        {"method", "window/showMessage"},
        {"params", {{"type", 1}, {"message", "wsevm: " + message}}}});
}

std::vector<std::string> Server::take(std::string_view message, Clock::time_point now) {
  const std::optional<Json> json = parse_json(message);
  const std::optional<std::string> method = json ? text_at(*json, {"method"}) : std::nullopt;
  const Json* id = json ? member(*json, {"id"}) : nullptr;
  static const Json kNone;
  const Json* params = json ? member(*json, {"params"}) : nullptr;
  if (!json) {
    send_error(nullptr, kParseError, "the message is no JSON, or is nested too deeply");
  } else if (method && id == nullptr) {
    notification({*method, params == nullptr ? kNone : *params}, now);
  } else if (method && is_id(*id)) {
    request(*id, {*method, params == nullptr ? kNone : *params});
  } else if (method || id == nullptr || !json->is_object()) {
    send_error(nullptr, kInvalidRequest, "this is neither a request nor a notification");
  }  // else an answer: nothing was asked
  for (const std::string& complaint : workspace_.take_complaints()) show(complaint);
  return std::exchange(out_, {});
}

void Server::request(const Json& id, const Request& asked) {
  if (asked.method == "initialize" && state_ == State::Fresh) {
    send_result(id, *initialize(asked.params));
  } else if (asked.method == "initialize") {
    send_error(id, kInvalidRequest, "initialize comes once");
  } else if (state_ == State::Fresh) {
    send_error(id, kNotInitialized, "initialize comes first");
  } else if (state_ == State::ShutDown) {
    send_error(id, kInvalidRequest, "the server was shut down");
  } else if (asked.method == "shutdown") {
    state_ = State::ShutDown;
    send_result(id, nullptr);
  } else if (is_one_of(kPlaceRequests, asked.method) ||
             is_one_of(kDocumentRequests, asked.method)) {
    const Answer made = answer(asked);
    if (made) return send_result(id, *made);
    send_error(id, kRequestFailed, made.error());
  } else {
    send_error(id, kMethodNotFound,
               fmt::format("there is no method {}", asked.method.substr(0, 80)));
  }
}

Server::Answer Server::answer(const Request& asked) {
  const auto uri = text_at(asked.params, {"textDocument", "uri"});
  const Document* document = uri ? workspace_.documents().find(*uri) : nullptr;
  if (document == nullptr) return isa::fail("the document is not open");
  return is_one_of(kPlaceRequests, asked.method) ? of_place(asked, *document)
                                                 : of_document(asked, *document);
}

Server::Answer Server::of_place(const Request& asked, const Document& document) {
  const auto position = position_at(asked.params, {"position"});
  if (!position) return isa::fail("the request has no position");
  const Checked& checked = workspace_.names_of(document);
  const std::uint32_t offset = checked.tables[0].offset(*position);
  const std::string_view method = asked.method;
  if (method == "textDocument/hover") return hover_at(workspace_, document, offset);
  if (method == "textDocument/completion") return completion_at(workspace_, document, offset);
  if (method == "textDocument/definition") return definition_of(checked, offset);
  if (method == "textDocument/documentHighlight") return highlights_of(checked, offset);
  if (method == "textDocument/prepareRename") return rename_range(checked, offset);
  if (method == "textDocument/references") {
    return references_of(checked, offset,
                         truth_at(asked.params, {"context", "includeDeclaration"}));
  }
  const auto name = text_at(asked.params, {"newName"});
  if (!name) return isa::fail("the request has no new name");
  return rename_edits(workspace_, document, offset, *name);
}

Server::Answer Server::of_document(const Request& asked, const Document& document) {
  const Checked& checked = workspace_.names_of(document);
  const std::string_view method = asked.method;
  if (method == "textDocument/documentSymbol") return document_symbols(checked);
  if (method == "textDocument/foldingRange") return folding_ranges(checked);
  if (method == "textDocument/semanticTokens/full") return semantic_tokens(workspace_, document);
  if (method == "textDocument/semanticTokens/full/delta") {
    return semantic_tokens_since(workspace_, document,
                                 text_at(asked.params, {"previousResultId"}).value_or(""));
  }
  if (method == "textDocument/codeLens") return code_lenses(workspace_, document);
  const auto begin = position_at(asked.params, {"range", "start"});
  const auto end = position_at(asked.params, {"range", "end"});
  if (!begin || !end) return isa::fail("the request has no range");
  if (method == "textDocument/semanticTokens/range") {
    return semantic_tokens_in(checked, begin->line, end->line);
  }
  if (method == "textDocument/inlayHint") {
    return inlay_hints(workspace_, document, begin->line, end->line);
  }
  const LineTable& table = checked.tables[0];
  return code_actions(workspace_, document, table.offset(*begin), table.offset(*end));
}

Server::Answer Server::initialize(const Json& params) {
  state_ = State::Running;
  const Json* encodings = member(params, {"capabilities", "general", "positionEncodings"});
  if (encodings != nullptr && encodings->is_array()) {
    const bool has_bytes = std::ranges::find(*encodings, Json("utf-8")) != encodings->end();
    workspace_.set_encoding(has_bytes ? Encoding::Utf8 : Encoding::Utf16);
  }
  Settings settings = workspace_.settings();
  if (const Json* options = member(params, {"initializationOptions"})) {
    read_settings(*options, settings);
  }
  workspace_.set_settings(settings);
  return Json{{"capabilities", capabilities()},
              {"serverInfo", {{"name", "wsevm"}, {"version", workspace_.host().version}}}};
}

Json Server::capabilities() const {
  Json made;
  made["positionEncoding"] = workspace_.encoding() == Encoding::Utf8 ? "utf-8" : "utf-16";
  made["textDocumentSync"] = {{"openClose", true}, {"change", 2}};
  made["hoverProvider"] = true;
  made["completionProvider"] = {{"triggerCharacters", {".", "(", ",", ">", "=", ":", " "}}};
  made["definitionProvider"] = true;
  made["referencesProvider"] = true;
  made["documentHighlightProvider"] = true;
  made["renameProvider"] = {{"prepareProvider", true}};
  made["documentSymbolProvider"] = true;
  made["foldingRangeProvider"] = true;
  made["codeActionProvider"] = {{"codeActionKinds", {"quickfix"}}};
  made["codeLensProvider"] = {{"resolveProvider", false}};
  made["inlayHintProvider"] = true;
  made["semanticTokensProvider"] = {
      {"legend", semantic_legend()}, {"full", {{"delta", true}}}, {"range", true}};
  return made;
}

}  // namespace wse::lsp
