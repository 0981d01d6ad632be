// The frames of the protocol: `Content-Length: N`, an empty line, N bytes.
//
// Bytes come in any pieces. The buffer is bounded: a head of kMostHeadBytes, a message of
// kMostMessageBytes. After a broken head nobody knows where the next message begins.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "isa/support/result.h"

namespace wse::lsp {

inline constexpr std::size_t kMostHeadBytes = 4096;
inline constexpr std::size_t kMostMessageBytes = std::size_t{64} << 20;

class FrameReader {
 public:
  void add(std::string_view bytes) { buffer_ += bytes; }

  // The next whole message; nothing if more bytes must come. An error stays one.
  isa::Result<std::optional<std::string>> next();

 private:
  isa::Status read_head(std::string_view head);

  std::string buffer_;
  std::size_t length_ = 0;
  bool has_head_ = false;
  std::string error_;
};

// The message with its head.
std::string framed(std::string_view message);

}  // namespace wse::lsp
