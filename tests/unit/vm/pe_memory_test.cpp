// What the memory of PEs holds at the start, and which pages it takes.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <optional>
#include <string>
#include <utility>

#include "tests/unit/vm/loading.h"

namespace wse::vm {
namespace {

// PEs in two placements, one between the other: of the first all but `own` is common, of
// the second nothing. Neither size is a multiple of a page.
constexpr const char* kWafer = R"(
.grid 128, 64
.program p
  .i32 head[700] = 7 * i + 1
  .i32 own = 100 * x + y
  .i32 zeros[100]
  .i32 tail[4000] = i - width
  task main:
    halt
.program q
  .i32 v[3] = x + 1000 * i
  task main:
    halt
.place p at (0..127 step 2, 0..63)
.place q at (1..127 step 2, 0..63)
)";

// Elements 0 .. count - 1 of a + b * i.
std::vector<std::int32_t> line(std::size_t count, std::int32_t a, std::int32_t b) {
  std::vector<std::int32_t> elements(count);
  for (std::size_t i = 0; i < count; ++i) elements[i] = a + b * static_cast<std::int32_t>(i);
  return elements;
}

void expect_wafer(const Loading& loading) {
  const std::vector<std::int32_t> head = line(700, 1, 7);
  const std::vector<std::int32_t> zeros = line(100, 0, 0);
  const std::vector<std::int32_t> tail = line(4000, -128, 1);
  for (PeId pe = 0; pe < loading.pes(); ++pe) {
    const auto x = static_cast<std::int32_t>(pe % 128);
    const auto y = static_cast<std::int32_t>(pe / 128);
    if (x % 2 == 1) {
      ASSERT_TRUE(loading.holds(pe, "v", line(3, x, 1000))) << pe;
      continue;
    }
    ASSERT_TRUE(loading.holds(pe, "head", head)) << pe;
    ASSERT_TRUE(loading.holds(pe, "own", {100 * x + y})) << pe;
    ASSERT_TRUE(loading.holds(pe, "zeros", zeros)) << pe;
    ASSERT_TRUE(loading.holds(pe, "tail", tail)) << pe;
  }
}

const auto kPage = static_cast<std::int64_t>(PeMemory::page_bytes());

// Bytes that the mappings with the data of the PEs have to themselves: touched, and no file's.
// (What the process has in all, others give back meanwhile.)
std::int64_t own_bytes(const Loading& loading) {
  const auto first = reinterpret_cast<std::uintptr_t>(loading.loaded().data(0));
  const auto last = reinterpret_cast<std::uintptr_t>(loading.loaded().data(loading.pes() - 1));
  std::ifstream smaps("/proc/self/smaps");
  std::int64_t kilobytes = 0;
  bool inside = false;
  for (std::string text; std::getline(smaps, text);) {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    std::int64_t anonymous = 0;
    if (std::sscanf(text.c_str(), "%zx-%zx ", &begin, &end) == 2) {
      inside = begin <= last && first < end;
    } else if (inside && std::sscanf(text.c_str(), "Anonymous: %" SCNd64, &anonymous) == 1) {
      kilobytes += anonymous;
    }
  }
  return kilobytes * 1024;
}

// No more files can be opened, nor made in memory, while one of these lives.
class NoFiles {
 public:
  NoFiles() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit none{.rlim_cur = 0, .rlim_max = before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &none);
  }
  ~NoFiles() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  NoFiles(const NoFiles&) = delete;
  NoFiles& operator=(const NoFiles&) = delete;

 private:
  rlimit before_{};
};

TEST(PeMemory, SharesPagesOfWhatPesHaveInCommon) {
  Loading loading(kWafer);
  const std::int64_t before = own_bytes(loading);
  ASSERT_TRUE(loading.fill());
  // 4096 PEs with 19 kB in common, of which each has one page of its own.
  EXPECT_LT(own_bytes(loading) - before, 4096 * 2 * kPage);
  expect_wafer(loading);
}

TEST(PeMemory, IsTheSameWithAnyNumberOfThreads) {
  for (const std::uint32_t threads : {1u, 3u}) {
    Loading loading(kWafer);
    ASSERT_TRUE(loading.fill(threads));
    expect_wafer(loading);
  }
}

// Without the files every PE has all its pages.
TEST(PeMemory, IsTheSameWhereNothingCanBeShared) {
  Loading loading(kWafer);
  const std::int64_t before = own_bytes(loading);
  {
    const NoFiles no_files;
    ASSERT_TRUE(loading.fill());
  }
  EXPECT_GT(own_bytes(loading) - before, 4096 * 4 * kPage);
  expect_wafer(loading);
}

// Nor where they will write most of them.
TEST(PeMemory, IsTheSameWhereWritesAreExpected) {
  Loading loading(kWafer);
  const std::int64_t before = own_bytes(loading);
  loading.loaded().expect_writes();
  ASSERT_TRUE(loading.fill());
  EXPECT_GT(own_bytes(loading) - before, 4096 * 4 * kPage);
  expect_wafer(loading);
}

TEST(PeMemory, OfOnePeIsItsOwnOnceItIsWritten) {
  Loading loading(kWafer);
  ASSERT_TRUE(loading.fill());
  const isa::Symbol& symbol = *loading.loaded().program_at(0)->program->find_symbol("tail");
  const std::vector<std::int32_t> tail = line(4000, -128, 1);
  const std::vector<std::int32_t> written = line(4000, -1, 0);
  const auto writes = [](PeId pe) { return pe % 74 == 0; };
  for (PeId pe = 0; pe < loading.pes(); pe += 2) {
    if (writes(pe))
      std::memcpy(loading.loaded().data(pe) + symbol.address, written.data(), symbol.bytes());
  }
  for (PeId pe = 0; pe < loading.pes(); pe += 2) {
    ASSERT_TRUE(loading.holds(pe, "tail", writes(pe) ? written : tail)) << pe;
    ASSERT_TRUE(loading.holds(pe, "head", line(700, 1, 7))) << pe;
  }
}

// PEs of many placements share what no parameter makes; those of a large one also what its own
// make.
TEST(PeMemory, IsSharedByPlacements) {
  const std::string program = R"(
.grid 64, 64
.program p(n: i32)
  .i32 id = n
  .i32 v[6000] = {} * i
  task main:
    halt
)";
  std::string rows = fmt::format(fmt::runtime(program), 3);
  for (int y = 0; y < 64; ++y) {
    rows += fmt::format(".place p at (0..63, {}) with n = {}\n", y, y * y);
  }
  const std::string one =
      fmt::format(fmt::runtime(program), "n") + ".place p at (0..63, 0..63) with n = 3\n";
  for (const std::string& text : {rows, one}) {
    Loading loading(text);
    const std::int64_t before = own_bytes(loading);
    ASSERT_TRUE(loading.fill());
    // One page of six.
    EXPECT_LT(own_bytes(loading) - before, 4096 * 2 * kPage);
    for (PeId pe = 0; pe < loading.pes(); ++pe) {
      const auto y = static_cast<std::int32_t>(pe / 64);
      ASSERT_TRUE(loading.holds(pe, "id", {text == rows ? y * y : 3})) << pe;
      ASSERT_TRUE(loading.holds(pe, "v", line(6000, 0, 3))) << pe;
    }
  }
}

// The last column that the placement names is not its own.
TEST(PeMemory, IsThatOfEverySecondPe) {
  for (const bool files : {true, false}) {
    Loading loading(R"(
.grid 128, 64
.program q
  .i32 v[3] = x + 1000 * i
  task main:
    halt
.program p
  .i32 v[4000] = 5 - i
  task main:
    halt
.place q at (1..127 step 2, 0..63)
.place p at (0..127 step 2, 0..63)
)");
    const std::int64_t before = own_bytes(loading);
    {
      const std::optional<NoFiles> none =
          files ? std::nullopt : std::optional<NoFiles>(std::in_place);
      ASSERT_TRUE(loading.fill());
    }
    EXPECT_EQ(own_bytes(loading) - before < 4096 * 2 * kPage, files);
    for (PeId pe = 0; pe < loading.pes(); ++pe) {
      const auto x = static_cast<std::int32_t>(pe % 128);
      ASSERT_TRUE(loading.holds(pe, "v", x % 2 == 0 ? line(4000, 5, -1) : line(3, x, 1000))) << pe;
    }
  }
}

// Arrays of zeros are no data: nobody's page is touched.
TEST(PeMemory, OfZerosIsNotTouched) {
  Loading loading(R"(
.grid 64, 64
.program p
  .i32 v[8000] = 0
  .i32 w[2000]
  task main:
    halt
.place p at (0..63, 0..63)
)");
  const std::int64_t before = own_bytes(loading);
  ASSERT_TRUE(loading.fill());
  EXPECT_LT(own_bytes(loading) - before, 4 << 20);
}

// The error of the first PE, also where its data would be shared.
TEST(PeMemory, HasTheErrorOfTheFirstPe) {
  const auto error = [](const char* first, const char* second) {
    Loading loading(fmt::format(R"(
.grid 64, 64
.param d: i32 = 100000
.program p
  .i32 first[4000] = {}
  .i32 second[4000] = {}
  task main:
    halt
.place p at (0..63, 0..63)
)",
                                first, second),
                    "0");
    const isa::Attempt<void> status = loading.fill();
    EXPECT_FALSE(!status && status.error().exhausted);
    return status ? std::string() : status.error().message;
  };
  EXPECT_EQ(error("i / d", "i"), "initial value of first[0] at (0, 0): division by zero");
  EXPECT_EQ(error("i", "i / (d + i - 9)"),
            "initial value of second[9] at (0, 0): division by zero");
  EXPECT_EQ(error("i / (d + x - 5)", "i / (d + x - 4)"),
            "initial value of second[0] at (4, 0): division by zero");
}

}  // namespace
}  // namespace wse::vm
