// The range loops: one for each vector row, kind of operands and level of the host.
#include "isa/semantics/ranges.h"

#include <cstring>
#include <type_traits>

#include "isa/semantics/execute.h"

namespace wse::isa {
namespace {

using semantics::Word;

// An element of 2 or 4 bytes as the word of a register, and back.
template <std::ptrdiff_t bytes>
using Stored = std::conditional_t<bytes == 2, std::uint16_t, Word>;

template <std::ptrdiff_t bytes>
Word load(ElementRange range, std::ptrdiff_t k) {
  Stored<bytes> element;
  std::memcpy(&element, range.at + k * range.step, bytes);
  return element;
}

template <std::ptrdiff_t bytes>
void store(ElementRange range, std::ptrdiff_t k, Word word) {
  const auto element = static_cast<Stored<bytes>>(word);
  std::memcpy(range.at + k * range.step, &element, bytes);
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

// Elements that stand side by side in every operand, or are the same word in all of them: loops
// whose steps the compiler knows. No element of the destination is an element of a source but the
// same one (ranges.h), so that it may take several at a time.
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

  static void dense(std::byte* d, std::byte* a, std::byte* b, Word c, std::ptrdiff_t n) {
    WSE_EACH_BY_ITSELF
    for (std::ptrdiff_t k = 0; k < n; ++k) {
      const Word right = kHasB ? load<kB>({b, kB}, k) : 0;
      store<kD>({d, kD}, k, element<op>(load<kA>({a, kA}, k), right, c));
    }
  }
  static void dense_a(std::byte* d, std::byte* a, Word b, Word c, std::ptrdiff_t n) {
    WSE_EACH_BY_ITSELF
    for (std::ptrdiff_t k = 0; k < n; ++k) {
      store<kD>({d, kD}, k, element<op>(load<kA>({a, kA}, k), b, c));
    }
  }
  static void dense_b(std::byte* d, Word a, std::byte* b, Word c, std::ptrdiff_t n) {
    WSE_EACH_BY_ITSELF
    for (std::ptrdiff_t k = 0; k < n; ++k) {
      store<kD>({d, kD}, k, element<op>(a, load<kB>({b, kB}, k), c));
    }
  }
  // The destination is the first source, one word: first element to last.
  static Word accumulate(Word a, ElementRange b, Word c, std::ptrdiff_t n) {
    for (std::ptrdiff_t k = 0; k < n; ++k) a = element<op>(a, load<kB>(b, k), c);
    return a;
  }

  static void over_range(ElementRange d, ElementRange a, ElementRange b, Word c,
                         std::size_t count) {
    const auto n = static_cast<std::ptrdiff_t>(count);
    if (n == 0) return;
    const bool b_dense = !kHasB || b.step == kB;
    if (d.step == kD && a.step == kA && b_dense) return dense(d.at, a.at, b.at, c, n);
    if constexpr (kHasB) {
      if (d.step == kD && a.step == kA && b.step == 0) {
        return dense_a(d.at, a.at, load<kB>(b, 0), c, n);
      }
      if (d.step == kD && a.step == 0 && b_dense) {
        return dense_b(d.at, load<kA>(a, 0), b.at, c, n);
      }
      if (kD == kA && d.at == a.at && d.step == 0 && a.step == 0 && b_dense) {
        return store<kD>(d, 0, accumulate(load<kA>(a, 0), {b.at, kB}, c, n));
      }
    }
    for (std::ptrdiff_t k = 0; k < n; ++k) {
      store<kD>(d, k, element<op>(load<kA>(a, k), kHasB ? load<kB>(b, k) : 0, c));
    }
  }
};

// The loops of all instructions, compiled for one level. What is inlined into a function may need
// no more than it has, so the meanings themselves are compiled for any host; `flatten` inlines them
// all.
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
#include "isa/instructions.def"
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
