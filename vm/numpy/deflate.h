// Deflated bytes without a header, as a zip holds them and a browser's
// DecompressionStream("deflate-raw") reads them.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

extern "C" struct z_stream_s;

namespace wse::numpy {

// Deflates bytes that come in pieces: how they are cut does not matter.
class Deflater {
 public:
  // `level` is zlib's, 1 to 9. Throws std::bad_alloc, as the others do.
  explicit Deflater(int level);
  void add(std::span<const std::byte> bytes);
  // Returns what was deflated since it was called last.
  std::vector<std::byte> take() { return std::exchange(out_, {}); }
  // Returns all that was deflated and not taken. Nothing may be added after it.
  std::vector<std::byte> finish();

 private:
  void work(int flush);

  struct End {
    void operator()(z_stream_s* stream) const;
  };
  std::unique_ptr<z_stream_s, End> stream_;
  std::vector<std::byte> out_;
};

// Inflates bytes that come in pieces, and gives what is in them piece by piece.
class Inflater {
 public:
  // Returns the next deflated bytes, which stay until it is called again; none at the end.
  using Source = std::function<std::span<const std::byte>()>;

  // Throws std::bad_alloc, as next() does.
  explicit Inflater(Source source);
  // Returns the next bytes, which stay until it is called again; none after the last or where the
  // deflated ones are damaged.
  std::span<const std::byte> next();
  // Returns whether all was read, which is one stream, whole.
  bool is_whole();

 private:
  struct End {
    void operator()(z_stream_s* stream) const;
  };
  bool refill();

  std::unique_ptr<z_stream_s, End> stream_;
  Source source_;
  std::span<const std::byte> left_;  // of the piece that is read
  std::vector<std::byte> piece_;
  bool is_over_ = false;
  bool is_damaged_ = false;
};

// Inflates bytes and calls take(piece) with one piece after another, until one returns false.
// Returns whether the bytes are those of one stream, whole, and all pieces were taken. Throws
// std::bad_alloc.
bool inflate(std::span<const std::byte> deflated,
             const std::function<bool(std::span<const std::byte>)>& take);

}  // namespace wse::numpy
