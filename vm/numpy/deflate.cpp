// zlib, which takes at most 4 GiB at a time.
#include "vm/numpy/deflate.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

namespace wse::numpy {
namespace {

constexpr int kRawWindowBits = -15;  // negative: neither header nor checksum
constexpr int kMemoryLevel = 8;
constexpr std::size_t kPieceBytes = std::size_t{1} << 16;
constexpr std::size_t kMostAtOnce = std::numeric_limits<uInt>::max() / 2;

// Gives zlib the next bytes to read, once it has read those before. It changes none of them.
void give_to(z_stream& stream, std::span<const std::byte>& left) {
  if (stream.avail_in > 0 || left.empty()) return;
  const std::size_t count = std::min(left.size(), kMostAtOnce);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(left.data()));
  stream.avail_in = static_cast<uInt>(count);
  left = left.subspan(count);
}

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
    give_to(*stream_, bytes);
    work(Z_NO_FLUSH);
  }
}

std::vector<std::byte> Deflater::finish() {
  work(Z_FINISH);
  out_.shrink_to_fit();
  return std::move(out_);
}

void Inflater::End::operator()(z_stream_s* stream) const {
  inflateEnd(stream);
  delete stream;
}

Inflater::Inflater(Source source) : source_(std::move(source)), piece_(kPieceBytes) {
  auto stream = std::make_unique<z_stream>();
  if (inflateInit2(stream.get(), kRawWindowBits) != Z_OK) throw std::bad_alloc();
  stream_.reset(stream.release());
}

// Returns whether zlib has bytes to read.
bool Inflater::refill() {
  if (stream_->avail_in == 0 && left_.empty()) left_ = source_();
  give_to(*stream_, left_);
  return stream_->avail_in > 0;
}

std::span<const std::byte> Inflater::next() {
  std::size_t count = 0;
  while (count == 0 && !is_over_ && !is_damaged_) {
    const bool has_more = refill();
    stream_->next_out = reinterpret_cast<Bytef*>(piece_.data());
    stream_->avail_out = kPieceBytes;
    const int status = inflate(stream_.get(), Z_NO_FLUSH);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    count = kPieceBytes - stream_->avail_out;
    is_over_ = status == Z_STREAM_END;
    is_damaged_ = !is_over_ && (status != Z_OK || (!has_more && count == 0));
  }
  return std::span(piece_).first(count);
}

bool Inflater::is_whole() { return is_over_ && !refill(); }

bool inflate(std::span<const std::byte> deflated,
             const std::function<bool(std::span<const std::byte>)>& take) {
  Inflater inflater([&] { return std::exchange(deflated, {}); });
  for (auto piece = inflater.next(); !piece.empty(); piece = inflater.next()) {
    if (!take(piece)) return false;
  }
  return inflater.is_whole();
}

}  // namespace wse::numpy
