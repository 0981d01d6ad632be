// The .wsb file: image to bytes and back.
//
//     0        8         12       20          28
//     +--------+---------+--------+-----------+-----------------
//     | magic  | version | length | checksum  | payload ...
//     +--------+---------+--------+-----------+-----------------
//
// archive.h says how one description of a part serves both ways. No byte read here is trusted:
// ByteReader bounds every access and verify() judges the whole.
#include <fmt/format.h>

#include <algorithm>

#include "isa/image/image_parts.h"
#include "isa/support/bytes.h"
#include "isa/support/hash.h"

namespace wse::isa {
namespace wsb {

constexpr std::string_view kMagic = "wsevm\r\n\x1a";
constexpr std::size_t kHeaderBytes = 28;

template <class Archive>
void pass(Archive& archive, Of<Archive, GlobalParameter>& parameter) {
  archive.text(parameter.name);
  pass(archive, parameter.type);
  pass(archive, parameter.value);
}

template <class Archive>
void pass(Archive& archive, Of<Archive, Placement>& placement) {
  archive.word(placement.program);
  pass(archive, placement.rect);
  archive.list(placement.arguments, 4);
  pass(archive, placement.where);
}

template <class Archive>
void pass(Archive& archive, Of<Archive, Expectation>& expectation) {
  archive.byte(expectation.subject, 2);
  archive.text(expectation.symbol);
  archive.word(expectation.first);
  archive.word(expectation.count);
  pass(archive, expectation.rect);
  pass(archive, expectation.value);
  archive.real(expectation.within);
  archive.text(expectation.profile);
  pass(archive, expectation.where);
}

template <class Archive>
void pass(Archive& archive, Of<Archive, Image>& image) {
  archive.word(image.width);
  archive.word(image.height);
  archive.word(image.hypercube_dimensions);
  archive.list(image.colours, 4);
  archive.list(image.parameters, 13);
  archive.list(image.programs, 44);
  archive.list(image.placements, 40);
  archive.list(image.routes, 40);
  archive.list(image.filters, 40);
  archive.list(image.streams, 40);
  archive.list(image.expectations, 60);
  archive.list(image.marks, 4);
  archive.list(image.sources, 4);
}

}  // namespace wsb

using namespace wsb;

namespace {

// Names what an image of an older version says otherwise; empty for a version that is not known.
std::string_view reason_to_refuse(std::uint32_t version) {
  constexpr std::uint32_t kFirstWithEndless = 5;
  if (version >= kFirstWithEndless) return {};
  return ", in which 32767 words are a number and `length=endless` is not";
}

}  // namespace

std::vector<std::byte> write_image(const Image& image) {
  ByteWriter payload;
  PartWriter archive(payload);
  pass(archive, image);
  ByteWriter out;
  for (const char c : kMagic) out.u8(static_cast<std::uint8_t>(c));
  out.u32(kImageVersion);
  out.u64(payload.bytes().size());
  out.u64(hash_bytes(payload.bytes()));
  std::vector<std::byte> bytes = out.bytes();
  bytes.insert(bytes.end(), payload.bytes().begin(), payload.bytes().end());
  return bytes;
}

bool is_image(std::span<const std::byte> bytes) {
  return bytes.size() >= kMagic.size() &&
         std::ranges::equal(bytes.first(kMagic.size()), kMagic,
                            [](std::byte b, char c) { return b == static_cast<std::byte>(c); });
}

Result<Image> read_image(std::span<const std::byte> bytes) {
  if (!is_image(bytes)) {
    return fail("not a wsevm image (.wsb): it does not begin with the magic bytes");
  }
  if (bytes.size() < kHeaderBytes) return fail("the image is truncated inside its header");
  ByteReader header(bytes.subspan(kMagic.size(), kHeaderBytes - kMagic.size()));
  const std::uint32_t version = header.u32();
  if (version != kImageVersion) {
    return fail(
        fmt::format("the image has format version {}, this wsevm reads version {}{}; "
                    "assemble its source again",
                    version, kImageVersion, reason_to_refuse(version)));
  }
  const std::uint64_t length = header.u64();
  const std::span<const std::byte> payload = bytes.subspan(kHeaderBytes);
  if (length != payload.size()) {
    return fail(fmt::format("the image says it has {} bytes after its header, the file has {}",
                            length, payload.size()));
  }
  if (header.u64() != hash_bytes(payload)) {
    return fail("the image is damaged: its checksum does not match its content");
  }
  ByteReader in(payload);
  PartReader archive(in);
  Image image;
  pass(archive, image);
  if (in.failed() || in.left() != 0) return fail("the image is malformed");
  if (Status status = verify(image); !status) return std::unexpected(status.error());
  return image;
}

}  // namespace wse::isa
