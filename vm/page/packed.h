// Bytes for a page: deflated without a header, as a browser's DecompressionStream("deflate-raw")
// reads them, then as base64 text.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "vm/numpy/deflate.h"

namespace wse::vm {

// Makes such a text of bytes that come in pieces. Throws std::bad_alloc.
class PackedText {
 public:
  PackedText();
  void add(std::span<const std::byte> bytes) { deflater_.add(bytes); }
  std::string finish();

 private:
  numpy::Deflater deflater_;
};

std::string packed_text(std::span<const std::byte> bytes);

std::string base64(std::span<const std::byte> bytes);

}  // namespace wse::vm
