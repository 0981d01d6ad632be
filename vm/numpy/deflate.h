// Deflated bytes without a header, as a zip holds them and a browser's
// DecompressionStream("deflate-raw") reads them.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

extern "C" struct z_stream_s;

namespace wse::numpy {

// Deflates bytes that come in pieces: how they are cut does not matter.
class Deflater {
 public:
  // `level` is zlib's, 1 to 9. Throws std::bad_alloc, as the others do.
  explicit Deflater(int level);
  void add(std::span<const std::byte> bytes);
  // Returns all that was deflated. Nothing may be added after it.
  std::vector<std::byte> finish();

 private:
  void work(int flush);

  struct End {
    void operator()(z_stream_s* stream) const;
  };
  std::unique_ptr<z_stream_s, End> stream_;
  std::vector<std::byte> out_;
};

// Inflates bytes and calls take(piece) with one piece after another, until one returns false.
// Returns whether the bytes are those of one stream, whole, and all pieces were taken. Throws
// std::bad_alloc.
bool inflate(std::span<const std::byte> deflated,
             const std::function<bool(std::span<const std::byte>)>& take);

}  // namespace wse::numpy
