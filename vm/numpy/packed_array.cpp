// Heads are plain text in front of the elements, inside the deflated stream.
#include "vm/numpy/packed_array.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace wse::numpy {
namespace {

constexpr int kLevel = 3;  // of deflate: twice as fast as 6, 5 % larger

std::uint32_t checksum_after(std::uint32_t before, std::span<const std::byte> bytes) {
  if (bytes.empty()) return before;  // zlib takes no bytes at no address for a beginning
  return static_cast<std::uint32_t>(
      crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

PackedArray described(std::string name, NpyHead head, std::uint64_t file_bytes) {
  return {.name = std::move(name),
          .dtype = std::move(head.dtype),
          .shape = std::move(head.shape),
          .head_bytes = head.bytes,
          .file_bytes = file_bytes};
}

}  // namespace

ArrayPacker::ArrayPacker(PackedArray made) : made_(std::move(made)), deflater_(kLevel) {}

std::expected<ArrayPacker, std::string> ArrayPacker::of(std::string name, std::string dtype,
                                                        std::vector<std::uint64_t> shape) {
  const auto head = npy_head(dtype, shape);
  if (!head) return std::unexpected(head.error());
  ArrayPacker packer(
      described(std::move(name), {std::move(dtype), std::move(shape), head->size()}, 0));
  packer.add(std::as_bytes(std::span(*head)));
  return packer;
}

void ArrayPacker::add(std::span<const std::byte> bytes) {
  made_.file_bytes += bytes.size();
  made_.checksum = checksum_after(made_.checksum, bytes);
  deflater_.add(bytes);
}

std::expected<PackedArray, std::string> ArrayPacker::finish() {
  if (data_bytes(made_.dtype, made_.shape) != made_.data_bytes()) {
    return std::unexpected(fmt::format("cannot hold {} bytes as {} of '{}'", made_.data_bytes(),
                                       shape_text(made_.shape), made_.dtype));
  }
  made_.deflated = deflater_.finish();
  return std::move(made_);
}

std::expected<PackedArray, std::string> packed(const NamedArray& named) {
  auto packer = ArrayPacker::of(named.name, named.array.dtype, named.array.shape);
  if (!packer) return std::unexpected(packer.error());
  packer->add(named.array.data);
  return packer->finish();
}

std::expected<PackedArray, std::string> pack_npy(std::string name,
                                                 std::span<const std::byte> file) {
  auto head = parse_npy_head(file, file.size());
  if (!head) return std::unexpected(head.error());
  PackedArray made = described(std::move(name), std::move(*head), file.size());
  made.checksum = checksum_after(0, file);
  Deflater deflater(kLevel);
  deflater.add(file);
  made.deflated = deflater.finish();
  return made;
}

std::expected<PackedArray, std::string> adopt_npy(std::string name, std::vector<std::byte> deflated,
                                                  std::uint64_t file_bytes,
                                                  std::uint32_t checksum) {
  std::vector<std::byte> begin;  // as much of the file as a head can have
  std::uint64_t bytes = 0;
  std::uint32_t found = 0;
  const bool whole = inflate(deflated, [&](std::span<const std::byte> piece) {
    bytes += piece.size();
    found = checksum_after(found, piece);
    if (begin.size() < kMostHeadBytes) begin.insert(begin.end(), piece.begin(), piece.end());
    return bytes <= file_bytes;
  });
  if (!whole || bytes != file_bytes || found != checksum) return std::unexpected(std::string());
  auto head = parse_npy_head(begin, file_bytes);
  if (!head) return std::unexpected(head.error());
  PackedArray made = described(std::move(name), std::move(*head), file_bytes);
  made.checksum = checksum;
  made.deflated = std::move(deflated);
  return made;
}

void for_each_piece(const PackedArray& array,
                    const std::function<void(std::span<const std::byte>)>& take) {
  std::uint64_t skipped = 0;  // bytes of the head
  inflate(array.deflated, [&](std::span<const std::byte> piece) {
    const auto head = std::min<std::uint64_t>(array.head_bytes - skipped, piece.size());
    skipped += head;
    if (head < piece.size()) take(piece.subspan(head));
    return true;
  });
}

NpyArray unpacked(const PackedArray& array) {
  NpyArray made{array.dtype, array.shape, {}};
  made.data.reserve(array.data_bytes());
  for_each_piece(array, [&made](std::span<const std::byte> piece) {
    made.data.insert(made.data.end(), piece.begin(), piece.end());
  });
  return made;
}

}  // namespace wse::numpy
