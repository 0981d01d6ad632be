// Names for small numbers: some say theirs, the others take the lowest free ones.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "asm/names/formulas.h"
#include "asm/names/names.h"

namespace wse::assembler {

// The numbers below a limit, at most 32, that nobody has taken.
class FreeNumbers {
 public:
  // `what` has such a number, for messages: "register".
  FreeNumbers(std::string_view what, std::uint32_t limit) : what_(what), limit_(limit) {}

  std::string_view what() const { return what_; }
  std::uint32_t limit() const { return limit_; }
  bool has(std::uint32_t number) const { return (taken_ >> number & 1) == 0; }
  std::uint32_t count() const { return limit_ - static_cast<std::uint32_t>(std::popcount(taken_)); }

  void take(std::uint32_t number) { taken_ |= 1u << number; }
  // For that name; nothing if there is none any more, which is reported.
  std::optional<std::uint32_t> take_lowest(const Named& name, Reporter& reporter);

 private:
  std::string_view what_;
  std::uint32_t limit_;
  std::uint32_t taken_ = 0;  // bit k: number k
};

// Microthreads or queues.
class NumberedNames {
 public:
  // Call it once. Names with a value have that number, the others one of `free`.
  void define(const std::vector<Binding>& bindings, FreeNumbers free, FormulaBuilder builder,
              Reporter& reporter);

  std::optional<std::uint32_t> find(std::string_view name) const;
  void offer_all(Suggestion& suggestion) const { names_.offer_all(suggestion); }
  // By index of definition; 0 after an error.
  const std::vector<std::uint32_t>& numbers() const { return numbers_; }

 private:
  NameTable names_;
  std::vector<std::uint32_t> numbers_;
};

}  // namespace wse::assembler
