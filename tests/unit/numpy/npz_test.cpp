// NumPy zips: what is written is read back, the same arrays give the same bytes, and damaged or
// hostile files are refused.
#include "vm/numpy/npz.h"

#include <gtest/gtest.h>

#include "tests/support/random.h"

namespace wse::numpy {
namespace {

constexpr std::uint64_t kEnough = std::uint64_t{1} << 20;

using Bytes = std::vector<std::byte>;

NamedArray counting(std::string name, std::string dtype, std::vector<std::uint64_t> shape) {
  NamedArray named{std::move(name), {std::move(dtype), std::move(shape), {}}};
  named.array.data.resize(*data_bytes(named.array.dtype, named.array.shape));
  std::uint8_t next = 0;
  for (std::byte& byte : named.array.data) byte = static_cast<std::byte>(next++);
  return named;
}

std::vector<NamedArray> sample() {
  return {counting("busy", "<u4", {3, 5}), counting("meta", "|u1", {70}),
          counting("link", "<u8", {4, 2, 2}), counting("none", "<f4", {0, 7})};
}

// The bytes of a zip of them.
isa::Attempt<Bytes> zipped(const std::vector<NamedArray>& arrays) {
  std::vector<PackedArray> all;
  for (const NamedArray& named : arrays) all.push_back(*packed(named));
  return format_npz(all);
}

std::string refusal_of(const Bytes& bytes, std::uint64_t most_bytes = kEnough) {
  const auto arrays = parse_npz(bytes, most_bytes);
  return arrays ? "no error" : arrays.error().message;
}

// Puts a text in the place of each `from`, which is as long.
Bytes replaced(Bytes bytes, std::string_view from, std::string_view to) {
  const auto wanted = std::as_bytes(std::span(from));
  for (auto at = bytes.begin();;) {
    at = std::search(at, bytes.end(), wanted.begin(), wanted.end());
    if (at == bytes.end()) return bytes;
    at = std::ranges::copy(std::as_bytes(std::span(to)), at).out;
  }
}

TEST(Npz, ReadsWhatItWrites) {
  const auto bytes = zipped(sample());
  ASSERT_TRUE(bytes) << bytes.error().message;
  const auto again = parse_npz(*bytes, kEnough);
  ASSERT_TRUE(again) << again.error().message;
  ASSERT_EQ(again->size(), sample().size());
  for (std::size_t k = 0; k < again->size(); ++k) {
    const NpyArray found = unpacked((*again)[k]);
    const NamedArray wanted = sample()[k];
    EXPECT_EQ((*again)[k].name, wanted.name);
    EXPECT_EQ(found.dtype, wanted.array.dtype);
    EXPECT_EQ(found.shape, wanted.array.shape);
    EXPECT_EQ(found.data, wanted.array.data);
  }
}

TEST(Npz, HasNoTimeInIt) {
  const Bytes bytes = *zipped(sample());
  EXPECT_EQ(bytes, *zipped(sample()));
  constexpr std::size_t kTimeAt = 10;  // of the first member: minutes, then the day 1 January 1980
  EXPECT_EQ(Bytes(bytes.begin() + kTimeAt, bytes.begin() + kTimeAt + 4),
            (Bytes{std::byte{0}, std::byte{0}, std::byte{0x21}, std::byte{0}}));
}

TEST(Npz, RefusesToWriteWhatNobodyCouldRead) {
  const NamedArray a = counting("a", "<u4", {2});
  EXPECT_EQ(zipped({}).error().message, "cannot hold 0 arrays");
  EXPECT_EQ(zipped({a, a}).error().message, "has two 'a'");
  NamedArray odd = a;
  odd.array.shape = {3};
  EXPECT_EQ(packed(odd).error(), "cannot hold 8 bytes as (3,) of '<u4'");
  odd.array = {"<u3", {2}, {}};
  EXPECT_EQ(packed(odd).error(), "cannot hold (2,) of '<u3'");
}

TEST(Npz, RefusesWhatIsNoNumpyZip) {
  const std::string text = "PK: no zip at all, but long enough for an end of a directory";
  const auto bytes = std::as_bytes(std::span(text));
  EXPECT_TRUE(refusal_of({bytes.begin(), bytes.end()}).starts_with("is no NumPy zip: "));
  EXPECT_TRUE(refusal_of({}).starts_with("is no NumPy zip: "));
  const Bytes good = *zipped({counting("a", "<u4", {2}), counting("b", "<u4", {2})});
  EXPECT_EQ(refusal_of(replaced(good, "a.npy", "a.txt")),
            "has the member 'a.txt', which is no array (NAME.npy)");
  EXPECT_NE(refusal_of(replaced(good, "b.npy", "a.npy")), "no error");
}

TEST(Npz, KeepsToItsLimit) {
  NamedArray zeros = counting("zeros", "<u4", {1000, 1000});
  std::ranges::fill(zeros.array.data, std::byte{0});
  const Bytes bytes = *zipped({zeros});
  EXPECT_LT(bytes.size(), 100'000u);
  EXPECT_EQ(refusal_of(bytes, 1'000'000), "has arrays of more than 1000000 bytes");
  EXPECT_EQ(refusal_of(bytes, 4'000'000), "no error");
  const Bytes two = *zipped({counting("a", "<u4", {50'000}), zeros});
  EXPECT_EQ(refusal_of(two, 4'000'000), "has arrays of more than 4000000 bytes");
}

// Little-endian, at the directory entry and the local header of the only member.
void claim(Bytes& bytes, std::uint32_t size) {
  constexpr std::size_t kSizeInHeader = 22;
  constexpr std::size_t kSizeInDirectory = 24;
  const std::string_view entry("PK\1\2", 4);
  const auto wanted = std::as_bytes(std::span(entry));
  const auto at = std::search(bytes.begin(), bytes.end(), wanted.begin(), wanted.end());
  const auto directory = static_cast<std::size_t>(at - bytes.begin());
  for (std::size_t k = 0; k < 4; ++k) {
    bytes[kSizeInHeader + k] = bytes[directory + kSizeInDirectory + k] =
        static_cast<std::byte>(size >> 8 * k);
  }
}

TEST(Npz, BelievesNoSizeThatCannotBe) {
  Bytes bytes = *zipped({counting("a", "<u4", {100})});
  claim(bytes, 0x7fff'ffff);
  const std::string error = refusal_of(bytes, ~std::uint64_t{0});
  EXPECT_TRUE(error.starts_with("claims 2147483647 bytes for 'a.npy', which ")) << error;
  claim(bytes, 528 - 4);  // a head of 128 and 400: less than there is
  EXPECT_EQ(refusal_of(bytes), "has 'a' damaged");
  claim(bytes, 528 + 4);
  EXPECT_EQ(refusal_of(bytes), "has 'a' damaged");
}

TEST(Npz, SurvivesEveryEndThatIsMissing) {
  const Bytes bytes = *zipped(sample());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(refusal_of({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)}),
              "no error");
  }
}

TEST(Npz, SurvivesBytesThatChange) {
  const Bytes bytes = *zipped(sample());
  test_support::Random random(51);
  std::size_t refused = 0;
  for (int k = 0; k < 3000; ++k) {
    Bytes changed = bytes;
    for (std::uint32_t n = random.below(3) + 1; n > 0; --n) {
      changed[random.below(static_cast<std::uint32_t>(bytes.size()))] ^=
          static_cast<std::byte>(1 + random.below(255));
    }
    const auto arrays = parse_npz(changed, kEnough);
    refused += arrays ? 0 : 1;
    if (!arrays) continue;
    for (const PackedArray& array : *arrays) {
      EXPECT_EQ(data_bytes(array.dtype, array.shape), unpacked(array).data.size());
    }
  }
  EXPECT_GT(refused, 2000u);
}

// numpy.savez stores members as they are. The directory's entry of the only member says so here,
// as its local header does; its size is that of the file.
TEST(Npz, ReadsMembersThatAreStored) {
  const NamedArray array = counting("a", "<u4", {2});
  const Bytes file = *format_npy(array.array);
  const Bytes deflated = *zipped({array});
  const std::size_t was = packed(array)->deflated.size();
  const std::size_t at = 30 + std::string_view("a.npy").size();  // behind the local header
  Bytes bytes(deflated.begin(), deflated.begin() + static_cast<std::ptrdiff_t>(at));
  bytes.insert(bytes.end(), file.begin(), file.end());
  bytes.insert(bytes.end(), deflated.begin() + static_cast<std::ptrdiff_t>(at + was),
               deflated.end());
  const std::size_t directory = at + file.size();
  const auto set = [&bytes](std::size_t to, std::size_t value) {
    for (std::size_t k = 0; k < 4; ++k) bytes[to + k] = static_cast<std::byte>(value >> 8 * k);
  };
  bytes[8] = bytes[directory + 10] = std::byte{0};  // not deflated
  set(18, file.size());
  set(directory + 20, file.size());
  set(bytes.size() - 6, directory);
  const auto arrays = parse_npz(bytes, kEnough);
  ASSERT_TRUE(arrays) << arrays.error().message;
  EXPECT_EQ(unpacked((*arrays)[0]).data, array.array.data);
  EXPECT_EQ(*format_npz(*arrays), deflated);
  bytes[directory - 1] ^= std::byte{1};
  EXPECT_EQ(refusal_of(bytes), "has 'a' damaged");
}

}  // namespace
}  // namespace wse::numpy
