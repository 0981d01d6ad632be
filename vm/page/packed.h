// Bytes for a page: deflated without a header, as a browser's DecompressionStream("deflate-raw")
// reads them, then as base64 text.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace wse::vm {

// Throws std::bad_alloc.
std::vector<std::byte> deflated(std::span<const std::byte> bytes);

std::string base64(std::span<const std::byte> bytes);

}  // namespace wse::vm
