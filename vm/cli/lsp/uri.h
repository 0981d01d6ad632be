// file: addresses of documents, and the paths of files.
#pragma once

#include <string>
#include <string_view>

namespace wse::lsp {

// The path of "file:///a/b%20c"; empty for any other address, and for a path with a zero byte.
std::string path_of(std::string_view uri);

// The address of an absolute path.
std::string uri_of(std::string_view path);

}  // namespace wse::lsp
