// The range loops, one per vector row. Dense ranges have a loop of their own that compilers
// vectorise.
#include "isa/semantics/ranges.h"

#include <cstring>

#include "isa/semantics/execute.h"

namespace wse::isa {
namespace {

using semantics::Word;

constexpr std::ptrdiff_t kWordBytes = 4;

Word load(ElementRange range, std::ptrdiff_t k) {
  Word word;
  std::memcpy(&word, range.at + k * range.step, kWordBytes);
  return word;
}

void store(ElementRange range, std::ptrdiff_t k, Word word) {
  std::memcpy(range.at + k * range.step, &word, kWordBytes);
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
  const auto n = static_cast<std::ptrdiff_t>(count);
  const bool dense =
      d.step == kWordBytes && a.step == kWordBytes && (!kHasB || b.step == kWordBytes);
  if (dense) {  // the same loop with steps that the compiler knows
    for (std::ptrdiff_t k = 0; k < n; ++k) {
      store({d.at, kWordBytes}, k,
            element<op>(load({a.at, kWordBytes}, k), kHasB ? load({b.at, kWordBytes}, k) : 0, c));
    }
    return;
  }
  for (std::ptrdiff_t k = 0; k < n; ++k) {
    store(d, k, element<op>(load(a, k), kHasB ? load(b, k) : 0, c));
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
