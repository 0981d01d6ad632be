// Damaged .wsb files: cut off, changed, of another version, with impossible counts. read_image()
// refuses them, or returns an image that can be verified, written and printed; it never crashes.
// Must never stop at the checksum: it is repaired, so that the checks after it are reached.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "isa/support/bytes.h"
#include "tests/support/random.h"
#include "tests/unit/isa/image_samples.h"

namespace wse::isa {
namespace {

using Bytes = std::vector<std::byte>;
using test_support::Random;

std::string error_of(std::span<const std::byte> bytes) {
  const Result<Image> image = read_image(bytes);
  return image ? "no error" : image.error();
}

Bytes sample_payload() {
  const Bytes file = write_image(rich_image());
  return {file.begin() + kImageHeaderBytes, file.end()};
}

TEST(IsaImageDamage, TheRepairedFileIsTheFile) {
  EXPECT_EQ(file_around(sample_payload()), write_image(rich_image()));
}

TEST(IsaImageDamage, CutOffAnywhere) {
  const Bytes file = write_image(rich_image());
  for (std::size_t size = 0; size < file.size(); ++size) {
    const std::string error = error_of(std::span(file).first(size));
    EXPECT_NE(error, "no error") << size;
    const std::string_view expected = size < 8    ? "not a wsevm image"
                                      : size < 28 ? "the image is truncated inside its header"
                                                  : "the image says it has ";
    EXPECT_TRUE(error.starts_with(expected)) << size << ": " << error;
  }
}

TEST(IsaImageDamage, CutOffAnywhereBehindTheChecksum) {
  const Bytes payload = sample_payload();
  for (std::size_t size = 0; size < payload.size(); ++size) {
    EXPECT_EQ(error_of(file_around(std::span(payload).first(size))), "the image is malformed");
  }
}

TEST(IsaImageDamage, BytesAfterTheEnd) {
  Bytes file = write_image(rich_image());
  file.push_back(std::byte{0});
  EXPECT_TRUE(error_of(file).starts_with("the image says it has "));
  Bytes payload = sample_payload();
  payload.push_back(std::byte{0});
  EXPECT_EQ(error_of(file_around(payload)), "the image is malformed");
}

TEST(IsaImageDamage, EveryChangedByteIsNoticed) {
  Bytes file = write_image(rich_image());
  for (std::size_t at = 0; at < file.size(); ++at) {
    file[at] ^= std::byte{0x10};
    EXPECT_NE(error_of(file), "no error") << at;
    file[at] ^= std::byte{0x10};
  }
  file.back() ^= std::byte{1};
  EXPECT_EQ(error_of(file), "the image is damaged: its checksum does not match its content");
}

TEST(IsaImageDamage, AnotherVersionIsNamed) {
  const auto error_of_version = [](std::uint32_t version) {
    Bytes file = write_image(rich_image());
    file[8] = static_cast<std::byte>(version);
    return error_of(file);
  };
  for (const std::uint32_t version : {1u, 4u}) {
    EXPECT_EQ(error_of_version(version),
              fmt::format("the image has format version {}, this wsevm reads version {}, in which "
                          "32767 words are a number and `length=endless` is not; assemble its "
                          "source again",
                          version, kImageVersion));
  }
  EXPECT_EQ(error_of_version(kImageVersion + 1),
            fmt::format("the image has format version {}, this wsevm reads version {}; assemble "
                        "its source again",
                        kImageVersion + 1, kImageVersion));
}

// What an accepted image must be able to do. The file format has one spelling for an image.
void expect_usable(const Bytes& payload, const Image& image) {
  const Status status = verify(image);
  EXPECT_TRUE(status) << status.error();
  EXPECT_EQ(write_image(image), file_around(payload));
  EXPECT_FALSE(disassemble(image).empty());
}

// The number of accepted images among the damaged ones that `damage` makes.
template <class Damage>
int accepted(int rounds, Damage damage) {
  const Bytes payload = sample_payload();
  int count = 0;
  for (int n = 0; n < rounds && !testing::Test::HasFailure(); ++n) {
    Bytes damaged = payload;
    damage(damaged, static_cast<std::size_t>(n));
    const Result<Image> image = read_image(file_around(damaged));
    if (!image) {
      EXPECT_TRUE(image.error().starts_with("the image is malformed")) << image.error();
      continue;
    }
    ++count;
    expect_usable(damaged, *image);
  }
  return count;
}

TEST(IsaImageDamage, FlippedBits) {
  Random random(1);
  const auto flip = [&random](Bytes& bytes, std::size_t) {
    const std::uint32_t flips = 1 + random.below(3);
    for (std::uint32_t k = 0; k < flips; ++k) {
      const std::uint32_t bit = random.below(static_cast<std::uint32_t>(8 * bytes.size()));
      bytes[bit / 8] ^= std::byte{1} << (bit % 8);
    }
  };
  const int count = accepted(4'000, flip);
  EXPECT_GT(count, 200);
  EXPECT_LT(count, 3'800);
}

// A word of extreme value at every place: counts, steps, indices, addresses, code. Every place gets
// one of them; the fuzzer tries them all.
TEST(IsaImageDamage, ExtremeWords) {
  constexpr std::uint32_t kWords[] = {0, 0xffffffff, 1, 0x7fffffff, 0xff, 0x80000000};
  const auto overwrite = [&](Bytes& bytes, std::size_t at) {
    const std::uint32_t word = kWords[at % std::size(kWords)];
    for (std::size_t k = 0; k < 4; ++k) {
      bytes[at + k] = static_cast<std::byte>(word >> (8 * k) & 0xff);
    }
  };
  accepted(static_cast<int>(sample_payload().size()) - 4, overwrite);
}

TEST(IsaImageDamage, ExchangedBytes) {
  Random random(2);
  accepted(2'000, [&random](Bytes& bytes, std::size_t) {
    const auto size = static_cast<std::uint32_t>(bytes.size());
    std::swap(bytes[random.below(size)], bytes[random.below(size)]);
  });
}

// Counts are believed only as far as bytes are left; otherwise 2^32 strings would be reserved.
TEST(IsaImageDamage, AbsurdCountsDoNotAllocate) {
  for (const std::uint32_t count : {0xffffffffu, 0x40000000u, 0x01000000u, 17u}) {
    ByteWriter payload;
    payload.u32(1);
    payload.u32(1);
    payload.u32(count);  // of colours
    for (int k = 0; k < 16; ++k) payload.u32(0);
    EXPECT_EQ(error_of(file_around(payload.bytes())), "the image is malformed");
  }
}

TEST(IsaImageDamage, AReaderNeverReadsBeyondItsBytes) {
  ByteWriter writer;
  writer.u32(5);
  writer.u8(1);
  ByteReader text(writer.bytes());
  EXPECT_EQ(text.text(), "");
  EXPECT_TRUE(text.failed());
  EXPECT_EQ(text.u64(), 0u);
  ByteReader word(writer.bytes());
  EXPECT_EQ(word.u64(), 0u);
  EXPECT_TRUE(word.failed());
  EXPECT_EQ(word.u8(), 0u);
  ByteReader fine(writer.bytes());
  EXPECT_EQ(fine.u32(), 5u);
  EXPECT_EQ(fine.left(), 1u);
  EXPECT_EQ(fine.u8(), 1u);
  EXPECT_FALSE(fine.failed());
}

}  // namespace
}  // namespace wse::isa
