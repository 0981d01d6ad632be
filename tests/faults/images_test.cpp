// Damaged images, in this process so that the sanitizers see what happens: every prefix of a small
// one, and 10 000 random changes of 1 to 8 bits, seeded. The checksum is repaired, so that the
// checks after it are reached. Each image is refused in words, or runs to some end under a cycle
// limit.
#include <gtest/gtest.h>

#include "tests/faults/faults.h"
#include "tests/fuzz/harness.h"
#include "tests/support/random.h"
#include "tests/support/simulation.h"
#include "tests/unit/isa/image_samples.h"

namespace wse::faults {
namespace {

using Bytes = std::vector<std::byte>;

Bytes image_of(const std::string& program) {
  const auto simulation = test_support::simulate_program(program, {.max_cycles = 1});
  return isa::write_image(simulation.machine->image());
}

Bytes payload_of(const Bytes& file) { return {file.begin() + isa::kImageHeaderBytes, file.end()}; }

// Whether the file is an image; it runs then.
bool run_if_image(const Bytes& file) {
  const isa::Result<isa::Image> image = isa::read_image(file);
  if (image) {
    fuzz::run_bounded(*image);
  } else {
    EXPECT_FALSE(image.error().empty());
  }
  return image.has_value();
}

TEST(Images, EveryPrefix) {
  const Bytes file = image_of("hello");
  ASSERT_TRUE(run_if_image(file));
  for (std::size_t size = 0; size < file.size(); ++size) {
    EXPECT_FALSE(run_if_image({file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)}))
        << size;
  }
}

TEST(Images, EveryPrefixWithItsChecksum) {
  const Bytes payload = payload_of(image_of("hello"));
  for (std::size_t size = 0; size < payload.size(); ++size) {
    EXPECT_FALSE(run_if_image(isa::file_around(std::span(payload).first(size)))) << size;
  }
}

// 2000 damaged images of a program; returns how many of them are images still.
int flip_bits(const std::string& program, std::uint32_t seed) {
  constexpr int kImages = 2000;
  constexpr std::uint32_t kMostBits = 8;
  const Bytes payload = payload_of(image_of(program));
  test_support::Random random(seed);
  int accepted = 0;
  for (int k = 0; k < kImages; ++k) {
    Bytes damaged = payload;
    const std::uint32_t bits = 1 + random.below(kMostBits);
    for (std::uint32_t bit = 0; bit < bits; ++bit) {
      damaged[random.below(static_cast<std::uint32_t>(damaged.size()))] ^= std::byte{1}
                                                                           << random.below(8);
    }
    accepted += run_if_image(isa::file_around(damaged)) ? 1 : 0;
  }
  return accepted;
}

class FlippedBits : public testing::TestWithParam<std::string> {};

TEST_P(FlippedBits, AreRefusedOrRun) {
  const int accepted = flip_bits(GetParam(), 5);
  EXPECT_GT(accepted, 20);  // the checks after the checksum let some through: they ran
  EXPECT_LT(accepted, 1980);
}

// Five programs, 10 000 images: scalar code, vectors, switches, FIFOs and tasks, filters.
INSTANTIATE_TEST_SUITE_P(Images, FlippedBits,
                         testing::Values("hello", "message", "compass", "pipeline-fifo",
                                         "filter-columns"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::erase(name, '-');
                           return name;
                         });

class ImageFiles : public Faults {};

TEST_F(ImageFiles, ThatAreNone) {
  for (const std::string& bytes : {std::string(), std::string("wsevm"), std::string(1000, '\0')}) {
    write("bad.wsb", bytes);
    for (const char* command : {"run", "dis", "check"}) {
      const Ending ending = wsevm({command, "bad.wsb"});
      EXPECT_EQ(ending.code, 2);
      expect_message(ending, "bad.wsb: not a wsevm image");
    }
  }
}

}  // namespace
}  // namespace wse::faults
