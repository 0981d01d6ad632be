// The range loops, one per vector row. Dense ranges have a loop of their own that compilers
// vectorise.
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

template <Op op>
void over_range(ElementRange d, ElementRange a, ElementRange b, Word c, std::size_t count) {
  constexpr bool kHasB = info(op).format != Format::Vector1;
  constexpr std::ptrdiff_t kD = info(op).result_bytes();
  constexpr std::ptrdiff_t kA = info(op).source_bytes(0);
  constexpr std::ptrdiff_t kB = info(op).source_bytes(1);
  const auto n = static_cast<std::ptrdiff_t>(count);
  const bool dense = d.step == kD && a.step == kA && (!kHasB || b.step == kB);
  if (dense) {  // the same loop with steps that the compiler knows
    for (std::ptrdiff_t k = 0; k < n; ++k) {
      const Word right = kHasB ? load<kB>({b.at, kB}, k) : 0;
      store<kD>({d.at, kD}, k, element<op>(load<kA>({a.at, kA}, k), right, c));
    }
    return;
  }
  for (std::ptrdiff_t k = 0; k < n; ++k) {
    store<kD>(d, k, element<op>(load<kA>(a, k), kHasB ? load<kB>(b, k) : 0, c));
  }
}

template <Op op>
constexpr RangeFunction range_of() {
  if constexpr (info(op).is_vector()) {
    return over_range<op>;
  } else {
    return nullptr;
  }
}

constexpr RangeFunction kRangeFunctions[] = {
#define INSTRUCTION(name, ...) range_of<Op::name>(),
#include "isa/instructions.def"
#undef INSTRUCTION
};

}  // namespace

RangeFunction range_function(Op op) { return kRangeFunctions[static_cast<int>(op)]; }

}  // namespace wse::isa
