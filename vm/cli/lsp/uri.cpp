// Per cent encoding of everything that a path may have and an address may not.
#include "vm/cli/lsp/uri.h"

#include <fmt/format.h>

#include <optional>

namespace wse::lsp {
namespace {

constexpr std::string_view kScheme = "file://";

std::optional<unsigned> digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
  return std::nullopt;
}

bool is_plain(char c) {
  const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return is_letter || (c >= '0' && c <= '9') ||
         std::string_view("/-._~").find(c) != std::string_view::npos;
}

}  // namespace

std::string path_of(std::string_view uri) {
  if (!uri.starts_with(kScheme)) return "";
  std::string_view rest = uri.substr(kScheme.size());
  constexpr std::string_view kHost = "localhost/";
  if (rest.starts_with(kHost)) rest.remove_prefix(kHost.size() - 1);
  if (!rest.starts_with('/')) return "";
  std::string path;
  for (std::size_t k = 0; k < rest.size(); ++k) {
    if (rest[k] == '?' || rest[k] == '#') break;
    const bool is_code = rest[k] == '%' && k + 2 < rest.size();
    const auto high = is_code ? digit(rest[k + 1]) : std::nullopt;
    const auto low = is_code ? digit(rest[k + 2]) : std::nullopt;
    if (high && low) {
      path += static_cast<char>(*high << 4 | *low);
      k += 2;
    } else {
      path += rest[k];
    }
    if (path.back() == '\0') return "";
  }
  return path;
}

std::string uri_of(std::string_view path) {
  std::string uri(kScheme);
  for (const char c : path) {
    if (is_plain(c)) {
      uri += c;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    }
  }
  return uri;
}

}  // namespace wse::lsp
