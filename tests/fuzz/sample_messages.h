// Messages of an editor that are all fine, for the document of check_messages().
#pragma once

#include <string>
#include <vector>

namespace wse::fuzz {

inline std::vector<std::string> sample_messages() {
  const std::string document = R"("textDocument":{"uri":"file:///a.wsa","version":2})";
  const std::string position = R"("position":{"line":5,"character":10})";
  const std::string range =
      R"("range":{"start":{"line":5,"character":4},"end":{"line":5,"character":9}})";
  std::vector<std::string> messages = {
      R"({"jsonrpc":"2.0","method":"textDocument/didChange","params":{)" + document +
          R"(,"contentChanges":[{)" + range + R"(,"text":"add32"}]}})",
      R"({"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":)"
      R"({"wsevm":{"machine":"model","values":{"P":3},"include":["/lib"]}}}})",
      R"({"jsonrpc":"2.0","id":7,"method":"shutdown"})"};
  for (const char* method :
       {"hover", "completion", "definition", "references", "documentHighlight", "prepareRename",
        "rename", "codeAction", "documentSymbol", "foldingRange", "semanticTokens/full",
        "inlayHint", "codeLens", "didClose"}) {
    messages.push_back(std::string(R"({"jsonrpc":"2.0","id":1,"method":"textDocument/)") + method +
                       R"(","params":{)" + document + "," + position + "," + range +
                       R"(,"newName":"b","context":{"includeDeclaration":true}}})");
  }
  return messages;
}

}  // namespace wse::fuzz
