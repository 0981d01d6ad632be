// zlib, which takes at most 4 GiB at a time.
#include "vm/numpy/deflate.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

namespace wse::numpy {
namespace {

constexpr int kRawWindowBits = -15;  // negative: neither header nor checksum
constexpr int kMemoryLevel = 8;
constexpr std::size_t kPieceBytes = std::size_t{1} << 16;
constexpr std::size_t kMostAtOnce = std::numeric_limits<uInt>::max() / 2;

// Gives zlib the next bytes to read, once it has read those before. It changes none of them.
void refill(z_stream& stream, std::span<const std::byte>& left) {
  if (stream.avail_in > 0 || left.empty()) return;
  const std::size_t count = std::min(left.size(), kMostAtOnce);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(left.data()));
  stream.avail_in = static_cast<uInt>(count);
  left = left.subspan(count);
}

struct EndInflate {
  void operator()(z_stream* stream) const { inflateEnd(stream); }
};

}  // namespace

void Deflater::End::operator()(z_stream_s* stream) const {
  deflateEnd(stream);
  delete stream;
}

Deflater::Deflater(int level) {
  auto stream = std::make_unique<z_stream>();
  const int begun = deflateInit2(stream.get(), level, Z_DEFLATED, kRawWindowBits, kMemoryLevel,
                                 Z_DEFAULT_STRATEGY);
  if (begun != Z_OK) throw std::bad_alloc();
  stream_.reset(stream.release());
}

// Lets zlib read what it was given, and write as much as it has.
void Deflater::work(int flush) {
  std::byte piece[kPieceBytes];
  do {
    stream_->next_out = reinterpret_cast<Bytef*>(piece);
    stream_->avail_out = kPieceBytes;
    deflate(stream_.get(), flush);
    out_.insert(out_.end(), piece, piece + (kPieceBytes - stream_->avail_out));
  } while (stream_->avail_out == 0);
}

void Deflater::add(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    refill(*stream_, bytes);
    work(Z_NO_FLUSH);
  }
}

std::vector<std::byte> Deflater::finish() {
  work(Z_FINISH);
  out_.shrink_to_fit();
  return std::move(out_);
}

bool inflate(std::span<const std::byte> deflated,
             const std::function<bool(std::span<const std::byte>)>& take) {
  z_stream stream{};
  if (inflateInit2(&stream, kRawWindowBits) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, EndInflate> end(&stream);
  std::byte piece[kPieceBytes];
  int status = Z_OK;
  do {
    refill(stream, deflated);
    stream.next_out = reinterpret_cast<Bytef*>(piece);
    stream.avail_out = kPieceBytes;
    status = inflate(&stream, Z_NO_FLUSH);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status != Z_OK && status != Z_STREAM_END) return false;
    if (!take({piece, kPieceBytes - stream.avail_out})) return false;
  } while (status != Z_STREAM_END);
  return stream.avail_in == 0 && deflated.empty();
}

}  // namespace wse::numpy
