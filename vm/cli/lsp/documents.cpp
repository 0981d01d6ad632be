// Writes changes into texts.
#include "vm/cli/lsp/documents.h"

#include <fmt/format.h>

#include "vm/cli/lsp/uri.h"

namespace wse::lsp {

isa::Status Documents::open(const std::string& uri, std::string text,
                            std::optional<std::int64_t> version) {
  by_uri_.erase(uri);
  if (by_uri_.size() >= kMostDocuments) {
    return isa::fail(fmt::format("more than {} documents are open", kMostDocuments));
  }
  if (text.size() > kMostDocumentBytes) {
    return isa::fail(fmt::format("{} has more than {} bytes", uri, kMostDocumentBytes));
  }
  by_uri_[uri] = {uri, path_of(uri), std::move(text), version, ++revision_};
  return {};
}

isa::Status Documents::change(const std::string& uri, const Json& changes,
                              std::optional<std::int64_t> version, Encoding encoding) {
  const auto found = by_uri_.find(uri);
  if (found == by_uri_.end()) return isa::fail(fmt::format("{} is not open", uri));
  Document& document = found->second;
  std::size_t work = 0;
  const auto refuse = [&](std::string_view why) {
    by_uri_.erase(found);
    return isa::fail(fmt::format("{}: {}; open it again", uri, why));
  };
  if (!changes.is_array()) return refuse("its changes are no list");
  for (const Json& change : changes) {
    std::optional<std::string> text = text_at(change, {"text"});
    if (!text) return refuse("a change has no text");
    work += document.text.size() + text->size();
    if (work > kMostChangedBytes) return refuse("too many changes at once");
    if (member(change, {"range"}) == nullptr) {
      document.text = std::move(*text);
    } else {
      const auto begin = position_at(change, {"range", "start"});
      const auto end = position_at(change, {"range", "end"});
      if (!begin || !end || *end < *begin) return refuse("a change has no range");
      const LineTable table(document.text, encoding);
      const std::uint32_t first = table.offset(*begin);
      const std::uint32_t behind = table.offset(*end);
      document.text.replace(first, behind - first, *text);
    }
    if (document.text.size() > kMostDocumentBytes) return refuse("its text is too large");
  }
  document.version = version;
  document.revision = ++revision_;
  return {};
}

const Document* Documents::find(std::string_view uri) const {
  const auto found = by_uri_.find(uri);
  return found == by_uri_.end() ? nullptr : &found->second;
}

const Document* Documents::with_path(std::string_view path) const {
  if (path.empty()) return nullptr;
  for (const auto& [uri, document] : by_uri_) {
    if (document.path == path) return &document;
  }
  return nullptr;
}

}  // namespace wse::lsp
