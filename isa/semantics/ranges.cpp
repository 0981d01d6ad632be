// The range loops: one for each vector row, kind of operands and level of the host.
#include "isa/semantics/ranges.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "isa/semantics/execute.h"
#include "isa/semantics/first_write.h"

namespace wse::isa {
namespace {

using semantics::Word;

// An element of 2 or 4 bytes as the word of a register, and back.
template <std::ptrdiff_t bytes>
using Stored = std::conditional_t<bytes == 2, std::uint16_t, Word>;

template <std::ptrdiff_t bytes>
Word load(const std::byte* at) {
  Stored<bytes> element;
  std::memcpy(&element, at, bytes);
  return element;
}

template <std::ptrdiff_t bytes>
void store(std::byte* at, Word word) {
  const auto element = static_cast<Stored<bytes>>(word);
  std::memcpy(at, &element, bytes);
}

template <Op op>
Word element(Word a, [[maybe_unused]] Word b, [[maybe_unused]] Word c) {
  constexpr auto kFunction = semantics::Meaning<op>::kFunction;
  if constexpr (info(op).format == Format::Vector1) {
    return kFunction(a);
  } else if constexpr (info(op).format == Format::Vector2) {
    return kFunction(a, b);
  } else {
    return kFunction(a, b, c);
  }
}

// Bytes of the narrowest operand that are done at a time, side by side in every operand: the
// compiler knows all their places.
constexpr std::ptrdiff_t kBlockBytes = 128;

constexpr std::ptrdiff_t kLong = 512;  // elements from which the start of a cache line pays
constexpr std::uintptr_t kLineBytes = 64;

// Bytes that are read and written from which they may be on pages that nobody has touched: shorter
// vectors share a page with many others, of which one is the first.
constexpr std::ptrdiff_t kOfNewPages = 1024;

// Whether a source can be read so. A scalar is made a block of copies.
template <std::ptrdiff_t bytes>
bool has_blocks(ElementRange source) {
  return source.step == bytes || source.step == 0;
}

// The source with its elements side by side; step 0 says that the next block is the same one.
template <std::ptrdiff_t bytes, std::size_t block>
ElementRange side_by_side(ElementRange source, Stored<bytes> (&copies)[block]) {
  if (source.step != 0) return source;
  std::ranges::fill(copies, static_cast<Stored<bytes>>(load<bytes>(source.at)));
  return {reinterpret_cast<std::byte*>(copies), 0};
}

// No element of the destination is an element of a source but the same one (ranges.h), so that the
// compiler may take several at a time.
#if defined(__clang__)  // which complains of a loop that it leaves as it is
#define WSE_EACH_BY_ITSELF
#else
#define WSE_EACH_BY_ITSELF _Pragma("GCC ivdep")
#endif

template <Op op>
struct Loops {
  static constexpr bool kHasB = info(op).format != Format::Vector1;
  static constexpr std::ptrdiff_t kD = info(op).result_bytes();
  static constexpr std::ptrdiff_t kA = info(op).source_bytes(0);
  static constexpr std::ptrdiff_t kB = info(op).source_bytes(1);
  static constexpr std::ptrdiff_t kBlock = kBlockBytes / std::min({kD, kA, kHasB ? kB : kA});

  // Does so many elements, and moves the operands on.
  template <std::ptrdiff_t count>
  static void take(ElementRange& d, ElementRange& a, ElementRange& b, Word c) {
    WSE_EACH_BY_ITSELF
    for (std::ptrdiff_t k = 0; k < count; ++k) {
      const Word right = kHasB ? load<kB>(b.at + k * kB) : 0;
      store<kD>(d.at + k * kD, element<op>(load<kA>(a.at + k * kA), right, c));
    }
    d.at += count * d.step;
    a.at += count * a.step;
    if (kHasB) b.at += count * b.step;
  }

  // Fewer than a block of them: elements have 2 or 4 bytes.
  static std::ptrdiff_t elements_before_line(const std::byte* at) {
    const std::uintptr_t beyond = reinterpret_cast<std::uintptr_t>(at) % kLineBytes;
    return static_cast<std::ptrdiff_t>((kLineBytes - beyond) % kLineBytes) / kD;
  }

  // Fewer than a block, by halves: no loop over single elements, short vectors are frequent.
  static void part_of_block(ElementRange& d, ElementRange& a, ElementRange& b, Word c,
                            std::ptrdiff_t n) {
    if (n & 32) take<32>(d, a, b, c);
    if (n & 16) take<16>(d, a, b, c);
    if (n & 8) take<8>(d, a, b, c);
    if (n & 4) take<4>(d, a, b, c);
    if (n & 2) take<2>(d, a, b, c);
    if (n & 1) take<1>(d, a, b, c);
  }

  // Long vectors start with the elements before the destination's next cache line: a block that
  // crosses lines costs two accesses for each operand.
  static void in_blocks(ElementRange d, ElementRange a, ElementRange b, Word c, std::ptrdiff_t n) {
    Stored<kA> copies_of_a[kBlock];
    Stored<kB> copies_of_b[kBlock];
    const bool updates = d.at == a.at || (kHasB && d.at == b.at);
    if (updates && n * kD >= kOfNewPages) touch_to_write(d.at, d.at + n * kD);
    a = side_by_side<kA>(a, copies_of_a);
    if (kHasB) b = side_by_side<kB>(b, copies_of_b);
    if (n >= kLong) {
      const std::ptrdiff_t before = elements_before_line(d.at);
      part_of_block(d, a, b, c, before);
      n -= before;
    }
    for (std::ptrdiff_t blocks = n / kBlock; blocks > 0; --blocks) take<kBlock>(d, a, b, c);
    part_of_block(d, a, b, c, n % kBlock);
  }

  // The destination is the first source, one word: first element to last. A sum of f32 stays where
  // floats are added.
  static Word accumulate(Word a, const std::byte* b, Word c, std::ptrdiff_t n) {
    constexpr bool kIsSum = info(op).types.result == OperandType::F32 && info(op).flops > 0;
    using Carried = std::conditional_t<kIsSum, float, Word>;
    auto carried = std::bit_cast<Carried>(a);
    for (std::ptrdiff_t k = 0; k < n; ++k) {
      const Word next = element<op>(std::bit_cast<Word>(carried), load<kB>(b + k * kB), c);
      carried = std::bit_cast<Carried>(next);
    }
    return std::bit_cast<Word>(carried);
  }

  static void over_range(ElementRange d, ElementRange a, ElementRange b, Word c,
                         std::size_t count) {
    const auto n = static_cast<std::ptrdiff_t>(count);
    if (n == 0) return;
    const bool are_many = n > 1;  // one needs no registers to be kept for blocks
    if (are_many && d.step == kD && has_blocks<kA>(a) && (!kHasB || has_blocks<kB>(b))) {
      return in_blocks(d, a, b, c, n);
    }
    if constexpr (kHasB) {
      if (kD == kA && d.at == a.at && d.step == 0 && a.step == 0 && b.step == kB) {
        return store<kD>(d.at, accumulate(load<kA>(a.at), b.at, c, n));
      }
    }
    for (std::ptrdiff_t k = 0; k < n; ++k) {
      const Word right = kHasB ? load<kB>(b.at + k * b.step) : 0;
      store<kD>(d.at + k * d.step, element<op>(load<kA>(a.at + k * a.step), right, c));
    }
  }
};

// The loops of all instructions, compiled for one level. Code that is inlined into a function may
// need no more than it has, so the meanings themselves are compiled for any host; `flatten` inlines
// them all.
#define LEVEL(name, target)                                                                        \
  struct name {                                                                                    \
    template <Op op>                                                                               \
    [[gnu::flatten]] target static void over_range(ElementRange d, ElementRange a, ElementRange b, \
                                                   Word c, std::size_t count) {                    \
      Loops<op>::over_range(d, a, b, c, count);                                                    \
    }                                                                                              \
  };
LEVEL(Plain, )
#if defined(__x86_64__)
LEVEL(V2, [[gnu::target("arch=x86-64-v2")]])
LEVEL(V3, [[gnu::target("arch=x86-64-v3")]])
#if defined(__clang__)
LEVEL(V4, [[gnu::target("arch=x86-64-v4")]])
#else
LEVEL(V4, [[gnu::target("arch=x86-64-v4,prefer-vector-width=512")]])
#endif
#else
using V2 = Plain;
using V3 = Plain;
using V4 = Plain;
#endif
#undef LEVEL

template <class Level, Op op>
constexpr RangeFunction range_of() {
  if constexpr (info(op).is_vector()) {
    return Level::template over_range<op>;
  } else {
    return nullptr;
  }
}

template <class Level>
constexpr RangeFunction kFunctions[] = {
#define INSTRUCTION(name, ...) range_of<Level, Op::name>(),
#include "isa/instruction/instructions.def"
#undef INSTRUCTION
};

const RangeFunction* functions_of(HostLevel level) {
  switch (level) {
    case HostLevel::Plain: return kFunctions<Plain>;
    case HostLevel::V2: return kFunctions<V2>;
    case HostLevel::V3: return kFunctions<V3>;
    case HostLevel::V4: return kFunctions<V4>;
  }
  return kFunctions<Plain>;
}

const RangeFunction* functions_of_this_host() {
  HostLevel best = HostLevel::Plain;
  for (const HostLevel level : kHostLevels) {
    if (has_level(level)) best = level;
  }
  return functions_of(best);
}

const RangeFunction* const kOfThisHost = functions_of_this_host();

}  // namespace

bool has_level(HostLevel level) {
#if defined(__x86_64__)
  switch (level) {
    case HostLevel::Plain: return true;
    case HostLevel::V2: return __builtin_cpu_supports("x86-64-v2") != 0;
    case HostLevel::V3: return __builtin_cpu_supports("x86-64-v3") != 0;
    case HostLevel::V4: return __builtin_cpu_supports("x86-64-v4") != 0;
  }
  return false;
#else
  return level == HostLevel::Plain;
#endif
}

RangeFunction range_function(Op op) { return kOfThisHost[static_cast<int>(op)]; }

RangeFunction range_function(Op op, HostLevel level) {
  return functions_of(level)[static_cast<int>(op)];
}

}  // namespace wse::isa
