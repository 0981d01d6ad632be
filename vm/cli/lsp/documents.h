// The documents that the editor has open, with the text that it shows.
//
// Documents, bytes and the work of changes are bounded; what goes beyond is refused, and the
// document is closed, since its text is no longer known.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "isa/support/result.h"
#include "vm/cli/lsp/json.h"

namespace wse::lsp {

inline constexpr std::size_t kMostDocuments = 1000;
inline constexpr std::size_t kMostDocumentBytes = std::size_t{32} << 20;
inline constexpr std::size_t kMostChangedBytes = std::size_t{1} << 28;  // of one message

struct Document {
  std::string uri;
  std::string path;  // empty: it is no file
  std::string text;
  std::optional<std::int64_t> version;
  std::uint64_t revision = 0;  // another one for each text, of all documents
};

class Documents {
 public:
  isa::Status open(const std::string& uri, std::string text, std::optional<std::int64_t> version);
  // `changes`: the contentChanges of a notification, in their order.
  isa::Status change(const std::string& uri, const Json& changes,
                     std::optional<std::int64_t> version, Encoding encoding);
  void close(const std::string& uri) { by_uri_.erase(uri); }

  // nullptr if it is not open.
  const Document* find(std::string_view uri) const;
  const Document* with_path(std::string_view path) const;
  const std::map<std::string, Document, std::less<>>& all() const { return by_uri_; }

 private:
  std::map<std::string, Document, std::less<>> by_uri_;
  std::uint64_t revision_ = 0;
};

}  // namespace wse::lsp
