// Chooses statements that end well: operands have the same length, and what is written is read in
// the same order or not at all.
#include "tests/naive/program.h"

#include <optional>

namespace wse::naive {
namespace {

using test_support::Random;

constexpr std::uint32_t kValues = 4;         // r1 .. r4 hold values
constexpr std::uint32_t kLoopRegisters = 5;  // r5, r6 of main, r7, r8 of functions
constexpr int kTries = 60;

class Chooser {
 public:
  explicit Chooser(std::uint32_t seed) : random_(seed) {}

  Program program() {
    const std::uint32_t count = 3 + random_.below(4);
    for (std::uint32_t k = 0; k < count; ++k) add_array(k);
    for (std::uint32_t k = random_.below(3); k > 0; --k) {
      Slice slice = this->slice();
      slice.name = "n" + std::to_string(made_.names.size());
      for (Subscript& s : slice.subscripts) s.held = Subscript::Held::None;
      made_.names.push_back(slice);
    }
    for (std::uint32_t k = random_.below(3); k > 0; --k) {
      in_function_ = true;
      made_.functions.push_back(statements(3));
      in_function_ = false;
    }
    may_call_ = true;
    made_.main = statements(4 + random_.below(8));
    return std::move(made_);
  }

 private:
  std::int64_t between(std::int64_t least, std::int64_t most) {
    return least + random_.below(static_cast<std::uint32_t>(most - least + 1));
  }

  void add_array(std::uint32_t number) {
    Array array{.name = std::string(1, static_cast<char>('a' + number)), .base = number};
    const bool is_view = number > 0 && random_.one_in(4);
    if (is_view) {
      const Array& base = made_.arrays[random_.below(number)];
      array.base = base.base;
      array.half = base.half;
      const std::uint32_t size = base.size();
      const std::uint32_t rows = size % 3 == 0 ? 3 : size % 2 == 0 ? 2 : 1;
      array.extents = rows == 1 ? std::vector{size} : std::vector{rows, size / rows};
    } else {
      array.half = number > 0 && random_.one_in(4);
      for (std::uint32_t k = 1 + random_.below(3); k > 0; --k) {
        array.extents.push_back(2 + random_.below(5));
      }
      array.factor = between(-9, 9);
      array.start = between(-99, 99);
    }
    made_.arrays.push_back(array);
  }

  Subscript subscript(std::uint32_t extent, bool index) {
    Subscript made;
    if (index) {
      const bool turn = turns_ > 0 && turns_ <= extent && random_.one_in(2);
      const std::uint32_t reach = turn ? turns_ : kWidth;
      const bool moving = turn || (extent >= kWidth && random_.one_in(3));
      made.index = turn     ? Subscript::Index::Turn
                   : moving ? Subscript::Index::X
                            : Subscript::Index::Constant;
      made.first = random_.below(moving ? extent - reach + 1 : extent);
      if (!moving && random_.one_in(3)) made.held = Subscript::Held::First;
      return made;
    }
    made.end = extent;
    if (random_.one_in(4)) made.held = static_cast<Subscript::Held>(1 + random_.below(3));
    if (extent < 3 || random_.one_in(3)) return made;
    const std::int64_t low = random_.below(extent - 1);
    const std::int64_t high = between(low + 2, extent);
    made.step = random_.one_in(2) ? 1 : between(1, 3);
    made.first = low;
    made.end = high;
    if (random_.one_in(4)) {
      made.step = -made.step;
      made.first = high - 1;
      made.end = low - 1;
    }
    return made;
  }

  // At least one dimension is a slice.
  Slice slice() {
    Slice made{.array = random_.below(static_cast<std::uint32_t>(made_.arrays.size()))};
    const Array& array = made_.arrays[made.array];
    if (random_.one_in(4)) return made;
    const std::size_t kept = random_.below(static_cast<std::uint32_t>(array.extents.size()));
    for (std::size_t k = 0; k < array.extents.size(); ++k) {
      made.subscripts.push_back(subscript(array.extents[k], k != kept && random_.one_in(2)));
    }
    return made;
  }

  Slice any_slice() {
    const auto names = static_cast<std::uint32_t>(made_.names.size());
    return names > 0 && random_.one_in(4) ? made_.names[random_.below(names)] : slice();
  }

  std::size_t base_of(const Slice& slice) const { return made_.arrays[slice.array].base; }
  bool is_half(const Slice& slice) const { return made_.arrays[slice.array].half; }
  std::size_t length(const Slice& slice) const { return elements_of(made_, slice, 0, 0).size(); }

  // As many elements as `like`; the same ones if they are of the same memory.
  std::optional<Slice> source_for(const Slice& like) {
    if (random_.one_in(5)) return like;
    for (int k = 0; k < kTries; ++k) {
      const Slice made = any_slice();
      const bool fits = is_half(made) == is_half(like) && base_of(made) != base_of(like);
      if (fits && length(made) == length(like)) return made;
    }
    return std::nullopt;
  }

  static Operand of(const Slice& slice) { return {.kind = Operand::Kind::Slice, .slice = slice}; }
  static Operand of_register(std::uint32_t number) {
    return {.kind = Operand::Kind::Register, .number = number};
  }
  std::uint32_t value_register() { return 1 + random_.below(kValues); }

  Operand scalar() {
    switch (random_.below(3)) {
      case 0: return of_register(value_register());
      case 1: return {.kind = Operand::Kind::Parameter};
      default: return {.kind = Operand::Kind::Constant, .value = between(-300, 300)};
    }
  }

  Operation operation() { return static_cast<Operation>(1 + random_.below(3)); }

  Statement vector() {
    const Slice to = any_slice();
    Statement made{.half = is_half(to), .destination = of(to)};
    const std::optional<Slice> a = source_for(to);
    const std::optional<Slice> b = source_for(to);
    if (!a || random_.one_in(4)) {
      made.a = a && random_.one_in(2) ? of(*a) : scalar();
      return made;
    }
    made.operation = operation();
    made.a = of(*a);
    made.b = b && random_.one_in(2) ? of(*b) : scalar();
    return made;
  }

  Statement sum() {
    Slice from = any_slice();
    while (is_half(from)) from = slice_of_words();
    const std::uint32_t to = value_register();
    return {.operation = random_.one_in(3) ? Operation::Subtract : Operation::Add,
            .destination = of_register(to),
            .a = of_register(to),
            .b = of(from)};
  }

  Statement of_registers() {
    Statement made{.destination = of_register(value_register()), .a = scalar()};
    if (random_.one_in(3)) return made;
    made.a = of_register(value_register());
    made.operation = operation();
    made.b = scalar();
    return made;
  }

  // The first array has words, for statements that want them.
  Slice slice_of_words() {
    for (;;) {
      const Slice made = slice();
      if (!is_half(made)) return made;
    }
  }

  // An element of several dimensions, any index of which may be in a register.
  Statement deep_element(std::size_t number) {
    Slice place{.array = number};
    for (const std::uint32_t extent : made_.arrays[number].extents) {
      place.subscripts.push_back(subscript(extent, true));
    }
    return {.kind = random_.one_in(2) ? Statement::Kind::Load : Statement::Kind::Store,
            .a = of(place),
            .array = number,
            .number = value_register()};
  }

  // An element by a constant, or by a register, of an array of one dimension.
  void add_element(std::vector<Statement>& out) {
    const Slice some = slice_of_words();
    const Array& array = made_.arrays[some.array];
    if (array.extents.size() != 1) return out.push_back(deep_element(some.array));
    Statement made{.kind = random_.one_in(2) ? Statement::Kind::Load : Statement::Kind::Store,
                   .array = some.array};
    const std::int64_t place = random_.below(array.size());
    made.index = {.kind = Operand::Kind::Constant, .value = place};
    made.number = value_register();
    if (random_.one_in(2)) {
      const std::uint32_t by = made.number % kValues + 1;
      out.push_back({.destination = of_register(by), .a = made.index});
      made.index = of_register(by);
    }
    out.push_back(made);
  }

  // One descriptor register, used some times; a saved one goes through an array.
  void add_walk(std::vector<Statement>& out) {
    const Slice some = slice();
    const Array& array = made_.arrays[some.array];
    const bool saved = array.extents.size() == 1 && random_.one_in(2);
    Slice part = some;
    std::uint32_t turns = 1 + random_.below(3);
    if (saved) {
      const std::uint32_t step = 1 + random_.below(2);
      const std::uint32_t count = array.size() / (step * turns);
      if (count < 2) return;
      part.subscripts = {{.end = count * step, .step = step}};
    }
    const Operand walk{.kind = Operand::Kind::Descriptor, .number = random_.below(2)};
    const std::optional<Slice> other = source_for(part);
    if (!other || base_of(*other) == base_of(part)) return;
    Statement use{.half = is_half(part), .destination = walk, .a = of(*other)};
    if (random_.one_in(2)) {
      use.destination = of(*other);
      use.operation = operation();
      use.b = walk;
    }
    out.push_back({.kind = Statement::Kind::Set,
                   .destination = of(part),
                   .saved = saved,
                   .number = walk.number});
    out.push_back(loop(turns, {use}));
  }

  Statement loop(std::uint32_t count, std::vector<Statement> body) const {
    const std::uint32_t number = kLoopRegisters + (in_function_ ? 2 : 0) + depth_;
    return {
        .kind = Statement::Kind::Loop, .count = count, .number = number, .body = std::move(body)};
  }

  void add_branch(std::vector<Statement>& out) {
    const std::uint32_t number = value_register();
    const std::int64_t value = between(0, 1);
    out.push_back({.destination = of_register(number),
                   .a = {.kind = Operand::Kind::Constant, .value = value}});
    out.push_back({.kind = Statement::Kind::Unless,
                   .count = random_.below(2),
                   .number = number,
                   .body = inner()});
  }

  std::vector<Statement> inner() {
    ++depth_;
    std::vector<Statement> body = statements(1 + random_.below(3));
    --depth_;
    return body;
  }

  void add_turns(std::vector<Statement>& out) {
    if (turns_ > 0) return;
    turns_ = 2;
    Statement made{.kind = Statement::Kind::For, .count = turns_};
    made.body = inner();
    turns_ = 0;
    out.push_back(std::move(made));
  }

  void add_macro(std::vector<Statement>& out) {
    const Slice to = slice_of_words();
    const std::optional<Slice> from = source_for(to);
    if (!from) return;
    out.push_back(
        {.kind = Statement::Kind::Macro, .destination = of(to), .a = of(*from), .b = scalar()});
  }

  // One stride leads from each element to the next, alike on all PEs.
  bool is_line(const Slice& slice) const {
    const std::size_t dimensions = made_.arrays[slice.array].extents.size();
    std::size_t walked = slice.subscripts.empty() ? dimensions : 0;
    for (const Subscript& s : slice.subscripts) {
      if (s.index == Subscript::Index::X) return false;
      if (s.index == Subscript::Index::None) ++walked;
    }
    return slice.name.empty() && (walked == 1 || slice.subscripts.empty());
  }

  void add_map(std::vector<Statement>& out) {
    if (in_function_) return;  // whose link register is that of what is mapped
    if (random_.one_in(3)) {
      const Slice all = slice_of_words();
      if (!is_line(all)) return;
      out.push_back({.kind = Statement::Kind::Map,
                     .destination = of_register(1),
                     .a = of_register(1),
                     .b = of(all)});
      return;
    }
    const Slice to = slice();
    const std::optional<Slice> a = source_for(to);
    const std::optional<Slice> b = source_for(to);
    if (!is_line(to) || !a || !is_line(*a)) return;
    Statement made{.kind = Statement::Kind::Map, .destination = of(to), .a = of(*a)};
    if (b && is_line(*b) && random_.one_in(2)) {
      made.b = of(*b);
    } else {
      made.count = random_.one_in(4) ? 0 : 1;
    }
    out.push_back(made);
  }

  void add(std::vector<Statement>& out) {
    const bool nested = depth_ > 0;
    switch (random_.below(nested ? 9 : 14)) {
      case 0: return out.push_back(of_registers());
      case 1: return out.push_back(sum());
      case 2: return add_element(out);
      case 3: return add_walk(out);
      case 4: return add_macro(out);
      case 5:
      case 6: return add_map(out);
      case 9: return out.push_back(loop(1 + random_.below(3), inner()));
      case 10: return add_branch(out);
      case 11: return add_turns(out);
      case 12:
        if (may_call_ && !made_.functions.empty()) {
          const auto count = static_cast<std::uint32_t>(made_.functions.size());
          out.push_back({.kind = Statement::Kind::Call, .number = random_.below(count)});
        }
        return;
      default: return out.push_back(vector());
    }
  }

  std::vector<Statement> statements(std::uint32_t count) {
    std::vector<Statement> made;
    for (std::uint32_t k = 0; k < count; ++k) add(made);
    return made;
  }

  Random random_;
  Program made_;
  std::uint32_t depth_ = 0;
  std::uint32_t turns_ = 0;  // of the `.for` around, 0: none
  bool in_function_ = false;
  bool may_call_ = false;
};

}  // namespace

Program random_program(std::uint32_t seed) { return Chooser(seed).program(); }

}  // namespace wse::naive
