// Random programs on arrays as lists of statements: text.cpp writes them for the assembler,
// meaning.cpp says what they compute. The two share this file and nothing else; neither looks at
// code or images, so that an image that is valid but wrong is found. What is here is the plain part
// of the language that most code is made of: arrays of up to three dimensions, slices, named
// descriptors, scalars, loops, branches, functions, macros, mapped functions; and all that a
// register may say of a slice.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/random.h"

namespace wse::naive {

inline constexpr std::uint32_t kWidth = 2;  // PEs, in a row
inline constexpr std::int64_t kFirst = 5;   // the parameter `p` is kFirst + x

// Elements have 32 bits, or 16; element i is `factor` * i + `start` + x at first. A view has other
// extents and the elements of `base`.
struct Array {
  std::string name{};
  bool half = false;
  std::vector<std::uint32_t> extents{};
  std::int64_t factor = 0;
  std::int64_t start = 0;
  std::size_t base = 0;  // itself, if it is no view

  std::uint32_t size() const;
};

// One subscript: an index, or a slice first:end:step with the end left out.
struct Subscript {
  enum class Index : std::uint8_t { None, Constant, X, Turn };  // Turn: of the `.for` around it
  Index index = Index::None;
  std::int64_t first = 0;
  std::int64_t end = 0;
  std::int64_t step = 1;
  // What the text may put into a register: the index, or one part of the slice.
  enum class Held : std::uint8_t { None, First, Count, Step };
  Held held = Held::None;

  std::int64_t count() const {
    return step > 0 ? (end - first + step - 1) / step : (first - end - step - 1) / -step;
  }
};

// Where a vector operand lies; of no subscripts: the whole array.
struct Slice {
  std::size_t array = 0;
  std::vector<Subscript> subscripts{};
  std::string name{};  // of a .dsd that stands for it; empty: written out
};

struct Operand {
  enum class Kind : std::uint8_t { None, Slice, Descriptor, Register, Parameter, Constant };
  Kind kind = Kind::None;
  Slice slice{};
  std::uint32_t number = 0;  // of a register or descriptor register
  std::int64_t value = 0;
};

enum class Operation : std::uint8_t { Move, Add, Subtract, Multiply };

struct Statement {
  enum class Kind : std::uint8_t {
    Compute,  // vector or scalar: destination, sources (a register as destination of slices adds
              // up)
    Load,     // register = array[index]
    Store,    // array[index] = register
    Set,      // descriptor register = slice, `saved`: each use continues after the last one
    Loop,     // `count` turns of the body
    Unless,   // the body, unless the register is `count`
    For,      // .for turn = 0..count - 1
    Call,     // a function
    Macro,    // destination = a, destination = destination + b
    Map,      // destination = 3 a, or a - b, or 5 a + the number of the element if `count`
  };
  Kind kind = Kind::Compute;
  Operation operation = Operation::Move;
  bool half = false;
  Operand destination{}, a{}, b{};
  std::size_t array = 0;
  Operand index{};  // of Load and Store: a constant or a register
  bool saved = false;
  std::uint32_t count = 0;
  std::uint32_t number = 0;  // of a function, or of a loop's register
  std::vector<Statement> body{};
};

struct Program {
  std::vector<Array> arrays;
  std::vector<Slice> names;  // .dsd
  std::vector<std::vector<Statement>> functions;
  std::vector<Statement> main;
};

Program random_program(std::uint32_t seed);

// For the assembler.
std::string text_of(const Program& program);

// The elements of every array at the end, those of 16 bits without sign; at PE (x, 0).
std::vector<std::vector<std::uint32_t>> meaning_of(const Program& program, std::uint32_t x);

// The numbers of the elements, where `turn` is that of the `.for` around.
std::vector<std::uint32_t> elements_of(const Program& program, const Slice& slice, std::uint32_t x,
                                       std::uint32_t turn);

}  // namespace wse::naive
