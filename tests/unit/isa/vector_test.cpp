// The range functions of the vector rows: every line of isa_values.def, and agreement with the
// scalar form element by element for any steps, lengths and permitted overlaps, at every level that
// the host has.
// Must never let a range function write anything but the destination.
#include "isa/semantics/ranges.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstring>

#include "tests/support/random.h"
#include "tests/unit/isa/cases.h"

namespace wse::isa {
namespace {

using test_support::Random;

constexpr std::ptrdiff_t kSteps[] = {4, 0, -4, 12, -20, 2};
constexpr std::size_t kMostElements = 67;
constexpr std::ptrdiff_t kRegionBytes = 2 * 20 * static_cast<std::ptrdiff_t>(kMostElements);

// A region for each of three operands; element 0 of an operand lies in the middle of its region.
struct Arena {
  Arena() : words(3 * kRegionBytes / 4) {}

  std::ptrdiff_t middle(int region) const { return region * kRegionBytes + kRegionBytes / 2; }
  Word load(std::ptrdiff_t at, std::size_t size = 4) const {
    Word word = 0;
    std::memcpy(&word, bytes() + at, size);
    return word;
  }
  void store(std::ptrdiff_t at, Word word, std::size_t size = 4) {
    std::memcpy(bytes() + at, &word, size);
  }
  ElementRange range(std::ptrdiff_t at, std::ptrdiff_t step) { return {bytes() + at, step}; }
  std::byte* bytes() { return reinterpret_cast<std::byte*>(words.data()); }
  const std::byte* bytes() const { return reinterpret_cast<const std::byte*>(words.data()); }

  std::vector<Word> words;
};

// Where the operands of a vector instruction lie and how far apart their elements are.
struct Operands {
  std::ptrdiff_t d = 0;
  std::ptrdiff_t a = 0;
  std::ptrdiff_t b = 0;
  std::ptrdiff_t d_step = 0;
  std::ptrdiff_t a_step = 0;
  std::ptrdiff_t b_step = 0;
};

void run(Arena& arena, const InstructionInfo& row, const Operands& o, Word c, std::size_t count) {
  range_function(row.op)(arena.range(o.d, o.d_step), arena.range(o.a, o.a_step),
                         arena.range(o.b, o.b_step), c, count);
}

TEST(IsaVector, ExactlyTheVectorRowsHaveARangeFunction) {
  for (const InstructionInfo& row : kInstructions) {
    EXPECT_EQ(range_function(row.op) != nullptr, row.is_vector()) << row.name;
  }
}

// One expectation as an instruction of several elements that are all alike.
void expect_elements(const ValueCase& expectation, const InstructionInfo& row,
                     std::ptrdiff_t step) {
  constexpr std::ptrdiff_t kCount = 5;
  Arena arena;
  const Operands o{arena.middle(0), arena.middle(1), arena.middle(2), step, step, step};
  const std::vector<Word>& sources = expectation.operands;
  for (std::ptrdiff_t k = 0; k < kCount; ++k) {
    arena.store(o.a + k * step, sources[0], row.source_bytes(0));
    if (sources.size() > 1) arena.store(o.b + k * step, sources[1], row.source_bytes(1));
  }
  Arena after = arena;
  for (std::ptrdiff_t k = 0; k < kCount; ++k) {
    after.store(o.d + k * step, expectation.result, row.result_bytes());
  }
  run(arena, row, o, sources.back(), kCount);
  EXPECT_TRUE(arena.words == after.words) << place_of(expectation) << " with step " << step;
}

TEST(IsaVector, ComputesWhatTheTableSays) {
  for (const ValueCase& expectation : value_cases()) {
    const InstructionInfo* row = row_of(expectation.mnemonic, true);
    if (row == nullptr) continue;
    ASSERT_EQ(expectation.operands.size(), source_count(*row)) << place_of(expectation);
    for (const std::ptrdiff_t step : kSteps) {
      if (step != 2) expect_elements(expectation, *row, step);
    }
  }
}

// ---- against the scalar form

class Scalar {
 public:
  explicit Scalar(const InstructionInfo& vector) : sources_(source_count(vector)) {
    const InstructionInfo& row = *row_of(vector.mnemonic, false);
    i_ = {.op = row.op, .destination = 5, .source_a = 1};
    if (sources_ == 3) i_.source_b = 2;
    i_.scalar = static_cast<std::uint32_t>(sources_);
  }
  Word operator()(Word a, Word b, Word c) {
    const Word sources[] = {a, b, c};
    std::copy_n(sources, sources_, bench_.state.r + 1);
    bench_.run(i_);
    return bench_.state.r[5];
  }

 private:
  std::size_t sources_;
  Instruction i_;
  Bench bench_;
};

// Integers, small numbers that collide often, and f32 of every kind.
Arena random_arena(Random& random) {
  Arena arena;
  constexpr Word kSpecial[] = {0,        kMinusZero,     kOne,      kMinusOne,       kInf,
                               kLargest, kSignallingNan, kMinusNan, kLeastSubnormal, 31};
  for (Word& word : arena.words) {
    word = random.one_in(4) ? kSpecial[random.below(std::size(kSpecial))] : random.word();
  }
  return arena;
}

void expect_like_scalar(const InstructionInfo& row, const Operands& o, std::size_t count,
                        Random& random) {
  const Arena before = random_arena(random);
  Arena after = before;
  const Word c = random.one_in(2) ? kTwo : random.word();
  Scalar scalar(row);
  for (std::ptrdiff_t k = 0; k < static_cast<std::ptrdiff_t>(count); ++k) {
    const Word a = after.load(o.a + k * o.a_step, row.source_bytes(0));
    const Word b = after.load(o.b + k * o.b_step, row.source_bytes(1));
    after.store(o.d + k * o.d_step, scalar(a, b, c), row.result_bytes());
  }
  for (const HostLevel level : kHostLevels) {
    if (!has_level(level)) continue;
    Arena arena = before;
    range_function(row.op, level)(arena.range(o.d, o.d_step), arena.range(o.a, o.a_step),
                                  arena.range(o.b, o.b_step), c, count);
    ASSERT_EQ(arena.words, after.words)
        << fmt::format("{} at level {}, {} elements, steps {} {} {}", row.name,
                       static_cast<int>(level), count, o.d_step, o.a_step, o.b_step);
  }
}

template <class Visit>
void for_each_vector_row(Visit visit) {
  for (const InstructionInfo& row : kInstructions) {
    if (row.is_vector()) visit(row);
  }
}

TEST(IsaVector, AgreesWithTheScalarFormForAnySteps) {
  Random random(1);
  const Arena arena;
  for_each_vector_row([&](const InstructionInfo& row) {
    for (const std::ptrdiff_t d : kSteps) {
      for (const std::ptrdiff_t a : kSteps) {
        for (const std::ptrdiff_t b : kSteps) {
          const Operands o{arena.middle(0), arena.middle(1), arena.middle(2), d, a, b};
          expect_like_scalar(row, o, 9, random);
        }
      }
    }
  });
}

TEST(IsaVector, AgreesWithTheScalarFormForAnyLength) {
  Random random(2);
  const Arena arena;
  for_each_vector_row([&](const InstructionInfo& row) {
    for (std::size_t count = 0; count <= kMostElements; ++count) {
      for (const std::ptrdiff_t step : {-4, 12}) {
        const Operands o{arena.middle(0), arena.middle(1), arena.middle(2), step, step, step};
        expect_like_scalar(row, o, count, random);
      }
    }
  });
}

// Side by side, as loops over several elements at a time want them, with scalars in any place.
TEST(IsaVector, AgreesWithTheScalarFormForElementsSideBySide) {
  Random random(6);
  const Arena arena;
  for_each_vector_row([&](const InstructionInfo& row) {
    const std::ptrdiff_t d = row.result_bytes();
    const std::ptrdiff_t a = row.source_bytes(0);
    const std::ptrdiff_t b = row.source_bytes(1);
    for (std::size_t count = 0; count <= kMostElements; ++count) {
      Operands o{arena.middle(0), arena.middle(1), arena.middle(2), d, a, b};
      expect_like_scalar(row, o, count, random);
      o.a_step = 0;
      expect_like_scalar(row, o, count, random);
      o.b_step = 0;
      expect_like_scalar(row, o, count, random);
      o.a_step = a;
      expect_like_scalar(row, o, count, random);
    }
  });
}

TEST(IsaVector, WorksInPlace) {
  Random random(3);
  const Arena arena;
  const std::ptrdiff_t here = arena.middle(0);
  for_each_vector_row([&](const InstructionInfo& row) {
    for (const std::ptrdiff_t step : kSteps) {
      const std::ptrdiff_t there = arena.middle(2);
      expect_like_scalar(row, {here, here, there, step, step, 4}, 33, random);
      expect_like_scalar(row, {here, there, here, step, 4, step}, 33, random);
      expect_like_scalar(row, {here, here, here, step, step, step}, 33, random);
    }
  });
}

TEST(IsaVector, NoElementsWriteNothing) {
  Random random(4);
  for_each_vector_row([&](const InstructionInfo& row) {
    Arena arena = random_arena(random);
    const Arena before = arena;
    run(arena, row, {arena.middle(0), arena.middle(1), arena.middle(2), 4, 4, 4}, 1, 0);
    EXPECT_TRUE(arena.words == before.words) << row.name;
    range_function(row.op)({}, {}, {}, 1, 0);
  });
}

// ---- pages that nobody has touched

std::int64_t page_faults() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

// Faults for each page of a range of zeros to which the instruction adds.
double faults_of_a_page(std::size_t pages, std::size_t page, bool touched) {
  const std::size_t bytes = pages * page;
  void* const mapped =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  EXPECT_NE(mapped, MAP_FAILED);
  auto* const memory = static_cast<std::byte*>(mapped);
  for (std::size_t k = 0; touched && k < pages; ++k) memory[k * page] = std::byte{0};
  Word one = kOne;
  const std::int64_t before = page_faults();
  range_function(Op::VFAddS)({memory, 4}, {memory, 4}, {reinterpret_cast<std::byte*>(&one), 0}, 0,
                             bytes / 4);
  const auto faults = static_cast<double>(page_faults() - before);
  Word last = 0;
  std::memcpy(&last, memory + bytes - 4, 4);
  EXPECT_EQ(last, kOne);
  ::munmap(mapped, bytes);
  return faults / static_cast<double>(pages);
}

// A page that is read first is mapped twice. Large pages, where they come unasked, take fewer; what
// a sanitizer knows of eight pages is a page of its own.
TEST(IsaVector, UpdatesTakeOneFaultForAPage) {
#if !defined(__x86_64__)
  GTEST_SKIP() << "pages are not touched ahead here";
#endif
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  EXPECT_LT(faults_of_a_page(1000, page, true), 0.1);
  EXPECT_LT(faults_of_a_page(1000, page, false), 1.5);
}

// ---- reductions: one accumulator in index order

TEST(IsaVector, SumsInIndexOrder) {
  Arena arena;
  const Operands o{arena.middle(0), arena.middle(0), arena.middle(1), 0, 0, 4};
  // 2^24 + 1 - 2^24: 1 is lost; in any other order it is not.
  const Word numbers[] = {0x4b800000, kOne, 0xcb800000};
  for (std::ptrdiff_t k = 0; k < 3; ++k) arena.store(o.b + 4 * k, numbers[k]);
  run(arena, info(Op::VFAddS), o, 0, 3);
  EXPECT_EQ(arena.load(o.d), 0u);
}

TEST(IsaVector, AccumulatesProducts) {
  Arena arena;
  const Operands o{arena.middle(0), arena.middle(0), arena.middle(1), 0, 0, 4};
  const Word numbers[] = {kOne, kTwo, kThree};
  for (std::ptrdiff_t k = 0; k < 3; ++k) arena.store(o.b + 4 * k, numbers[k]);
  arena.store(o.d, kHalf);
  run(arena, info(Op::VFMacS), o, kTwo, 3);  // 0.5 + 2 (1 + 2 + 3)
  EXPECT_EQ(arena.load(o.d), 0x41480000u);
}

}  // namespace
}  // namespace wse::isa
