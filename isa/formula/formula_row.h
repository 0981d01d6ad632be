// A formula for many elements of an array at once: one walk over its nodes for a row of elements.
//
// The values are those of evaluate(), element by element. It must never report anything: what has
// no value, and what is rare, is left to evaluate().
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "isa/formula/formula.h"

namespace wse::isa {

class FormulaRow {
 public:
  // Writes elements 0 .. count - 1 of an array of `type`, each as the formula says for that `i` at
  // `place`. False: not all of them could be computed this way; then what was written means
  // nothing.
  bool fill(const Formula& formula, FormulaPlace place, Type type, std::uint32_t count,
            std::byte* to);

 private:
  static constexpr std::uint32_t kElements = 128;  // of a row: a column stays in the first cache

  struct Column {  // the values of one node
    bool is_float = false;
    std::array<std::int64_t, kElements> integer;
    std::array<double, kElements> real;
  };

  bool compute(const Formula& formula, const FormulaPlace& place, std::uint32_t count);
  Column& push();
  void push_constant(const Number& number, std::uint32_t count);
  bool push_variable(std::span<const Number> values, std::uint32_t index, std::uint32_t count);
  bool unary(FormulaOp op, std::uint32_t count);
  bool binary(FormulaOp op, std::uint32_t count);
  bool select(std::uint32_t count);
  static void make_real(Column& column, std::uint32_t count);
  static bool bits_of(const Column& column, Type type, std::uint32_t count, std::uint32_t* bits);
  static bool store(const Column& column, Type type, std::uint32_t count, std::byte* to);

  std::vector<Column> stack_;  // grows to the depth of the deepest formula
  std::size_t depth_ = 0;
};

}  // namespace wse::isa
