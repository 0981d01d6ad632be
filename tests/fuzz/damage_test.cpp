// A sample of what the fuzz targets try for minutes, in every build: splices of the programs of the
// checkout, and NumPy files with a few bytes changed, cut off or doubled. A finding ends the
// process and says what was not true. Must never depend on chance: the seeds are fixed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "tests/fuzz/checks.h"
#include "tests/fuzz/sample_messages.h"
#include "tests/fuzz/splice.h"
#include "tests/support/files.h"
#include "tests/support/random.h"
#include "vm/numpy/npy.h"

namespace wse::fuzz {
namespace {

using Bytes = std::vector<std::byte>;
using test_support::Random;

constexpr std::uint32_t kSplices = 1500;
constexpr std::size_t kMostTextBytes = 8192;
constexpr std::uint32_t kDamagedMessages = 1500;
constexpr std::uint32_t kDamagedArrays = 20'000;

std::vector<std::string> programs() {
  const std::filesystem::path root = WSE_SOURCE_DIR;
  std::vector<std::string> texts;
  for (const std::filesystem::path& file : test_support::project_files(root)) {
    if (file.extension() == ".wsa") texts.push_back(test_support::read_text(root / file));
  }
  return texts;
}

const std::string& any_of(const std::vector<std::string>& texts, Random& random) {
  return texts[random.below(static_cast<std::uint32_t>(texts.size()))];
}

TEST(Damage, SplicedPrograms) {
  const std::vector<std::string> texts = programs();
  ASSERT_GT(texts.size(), 200u);
  Random random(1);
  for (std::uint32_t k = 0; k < kSplices; ++k) {
    const std::string& text = any_of(texts, random);
    check_text(splice(text, any_of(texts, random), random.word(), kMostTextBytes));
  }
}

std::size_t lines_in_common(std::string_view spliced, std::string_view text) {
  const std::vector<std::string> lines = test_support::split_lines(text);
  return static_cast<std::size_t>(std::ranges::count_if(
      test_support::split_lines(spliced),
      [&lines](const std::string& line) { return std::ranges::find(lines, line) != lines.end(); }));
}

TEST(Splice, TakesLinesOfBothTexts) {
  const std::string text = "a 1\nb 2\nc 3\nd 4\ne 5\nf 6\n";
  const std::string donor = "u 7\nv 8\nw 9\n.program x\n  y\n";
  std::size_t of_text = 0;
  std::size_t of_donor = 0;
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    const std::string spliced = splice(text, donor, seed, 1000);
    EXPECT_EQ(spliced, splice(text, donor, seed, 1000));
    of_text += lines_in_common(spliced, text);
    of_donor += lines_in_common(spliced, donor);
  }
  EXPECT_GT(of_text, 300u);
  EXPECT_GT(of_donor, 50u);
}

TEST(Splice, KeepsToItsLimit) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    EXPECT_LE(splice("one\ntwo\nthree\n", "four\nfive", seed, 9).size(), 9u);
    EXPECT_LE(splice("", "a\n", seed, 1).size(), 1u);
    EXPECT_LE(splice("a", "", seed, 100).size(), 100u);
  }
}

Bytes array_file(std::string_view dtype, std::vector<std::uint64_t> shape, std::byte version) {
  numpy::NpyArray array{std::string(dtype), std::move(shape), {}};
  array.data.resize(*numpy::data_bytes(array.dtype, array.shape), std::byte{0x3c});
  Bytes file = *numpy::format_npy(array);
  constexpr std::size_t kVersionAt = 6;
  constexpr std::size_t kLengthAt = 8;
  if (version > std::byte{1}) {  // a length of four bytes
    file[kVersionAt] = version;
    file.insert(file.begin() + kLengthAt + 2, 2, std::byte{0});
  }
  return file;
}

void change_a_byte(Bytes& file, Random& random) {
  constexpr std::string_view kTelling = "'(),: {}<>|0123456789fiuTrueFalse\\\n\xff\x7f\x80";
  std::byte& at = file[random.below(static_cast<std::uint32_t>(file.size()))];
  at = random.one_in(4) ? static_cast<std::byte>(random.word())
                        : static_cast<std::byte>(
                              kTelling[random.below(static_cast<std::uint32_t>(kTelling.size()))]);
}

void damage(Bytes& file, Random& random) {
  switch (random.below(8)) {
    case 0: file.resize(random.below(static_cast<std::uint32_t>(file.size()) + 1)); return;
    case 1: {
      const std::size_t from = random.below(static_cast<std::uint32_t>(file.size()));
      const Bytes again(file.begin() + static_cast<std::ptrdiff_t>(from), file.end());
      file.insert(file.end(), again.begin(), again.end());
      return;
    }
    default:
      for (std::uint32_t changes = 1 + random.below(4); changes > 0; --changes) {
        change_a_byte(file, random);
      }
  }
}

TEST(Damage, MessagesOfEditors) {
  const std::vector<std::string> samples = sample_messages();
  Random random(3);
  for (std::uint32_t k = 0; k < kDamagedMessages; ++k) {
    std::string lines;
    for (int n = 0; n < 4; ++n) lines += any_of(samples, random) + "\n";
    for (std::uint32_t changes = random.below(4); changes > 0; --changes) {
      const std::uint32_t at = random.below(static_cast<std::uint32_t>(lines.size()));
      lines[at] = static_cast<char>(random.below(256));
    }
    check_messages(lines);
  }
}

TEST(Damage, NumPyFiles) {
  std::vector<Bytes> files;
  for (const std::string_view dtype : {"<i2", "<u2", "<i4", "<u4", "<i8", "<f2", "<f4", "<f8"}) {
    for (const int version : {1, 2, 3}) {
      files.push_back(array_file(dtype, {2, 3, 4}, static_cast<std::byte>(version)));
      files.push_back(array_file(dtype, {}, static_cast<std::byte>(version)));
    }
  }
  Random random(2);
  std::uint32_t accepted = 0;
  for (std::uint32_t k = 0; k < kDamagedArrays; ++k) {
    Bytes file = files[random.below(static_cast<std::uint32_t>(files.size()))];
    EXPECT_TRUE(numpy::parse_npy(file).has_value());
    damage(file, random);
    check_npy(file);
    accepted += numpy::parse_npy(file).has_value() ? 1 : 0;
  }
  EXPECT_GT(accepted, kDamagedArrays / 100);  // not blind: some damage leaves an array
  EXPECT_LT(accepted, kDamagedArrays / 2);
}

}  // namespace
}  // namespace wse::fuzz
