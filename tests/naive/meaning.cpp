// What a program computes: each statement as LANGUAGE.md says it, one element after the other.
// Must never include anything of asm/, vm/ or isa/semantics.
#include "tests/naive/program.h"

namespace wse::naive {
namespace {

using Words = std::vector<std::uint32_t>;

// What an instruction reads or writes: elements of an array, or one value.
struct Places {
  std::size_t base = 0;
  std::vector<std::uint32_t> elements;
  bool is_array = false;
  std::uint32_t value = 0;
};

struct Descriptor {
  Slice slice;
  bool saved = false;
  std::uint32_t position = 0;
};

std::uint32_t computed(Operation operation, std::uint32_t a, std::uint32_t b) {
  switch (operation) {
    case Operation::Move: return a;
    case Operation::Add: return a + b;
    case Operation::Subtract: return a - b;
    case Operation::Multiply: return a * b;
  }
  return 0;
}

class Reader {
 public:
  Reader(const Program& program, std::uint32_t x) : program_(program), x_(x) {
    for (const Array& array : program.arrays) {
      Words words;
      for (std::uint32_t i = 0; i < array.size(); ++i) {
        const std::int64_t value = array.factor * i + array.start + x;
        words.push_back(cut(static_cast<std::uint32_t>(value), array.half));
      }
      memory_.push_back(words);
    }
  }

  std::vector<Words> run() {
    all(program_.main);
    std::vector<Words> result;
    for (const Array& array : program_.arrays) result.push_back(memory_[array.base]);
    return result;
  }

 private:
  static std::uint32_t cut(std::uint32_t word, bool half) { return half ? word & 0xffff : word; }

  void all(const std::vector<Statement>& statements) {
    for (const Statement& statement : statements) one(statement);
  }

  Places places(const Operand& operand) {
    Places made;
    switch (operand.kind) {
      case Operand::Kind::None:
      case Operand::Kind::Constant: made.value = static_cast<std::uint32_t>(operand.value); break;
      case Operand::Kind::Parameter: made.value = static_cast<std::uint32_t>(kFirst + x_); break;
      case Operand::Kind::Register: made.value = registers_[operand.number]; break;
      case Operand::Kind::Slice:
        made.is_array = true;
        made.base = program_.arrays[operand.slice.array].base;
        made.elements = elements_of(program_, operand.slice, x_, turn_);
        break;
      case Operand::Kind::Descriptor: return places(descriptors_[operand.number]);
    }
    return made;
  }

  // A saved position moves on by the elements of one instruction.
  Places places(Descriptor& descriptor) {
    Places made{program_.arrays[descriptor.slice.array].base, {}, true, 0};
    made.elements = elements_of(program_, descriptor.slice, x_, turn_);
    const auto count = static_cast<std::uint32_t>(made.elements.size());
    const std::uint32_t step = count > 1 ? made.elements[1] - made.elements[0] : 1;
    for (std::uint32_t& element : made.elements) element += descriptor.position * step;
    if (descriptor.saved) descriptor.position += count;
    return made;
  }

  std::uint32_t read(const Places& from, std::size_t k) const {
    return from.is_array ? memory_[from.base][from.elements[k]] : from.value;
  }

  void compute(const Statement& s, Operation operation, const Operand& first,
               const Operand& second) {
    const Places to = places(s.destination);
    const Places a = places(first);
    const Places b = places(second);
    if (s.destination.kind == Operand::Kind::Register) {
      const bool reduces = b.is_array;
      std::uint32_t& value = registers_[s.destination.number];
      const std::size_t count = reduces ? b.elements.size() : 1;
      for (std::size_t k = 0; k < count; ++k) {
        value = computed(operation, reduces ? value : read(a, 0), read(b, k));
      }
      return;
    }
    for (std::size_t k = 0; k < to.elements.size(); ++k) {
      memory_[to.base][to.elements[k]] = cut(computed(operation, read(a, k), read(b, k)), s.half);
    }
  }

  std::uint32_t& element(const Statement& s) {
    const bool is_deep = s.a.kind == Operand::Kind::Slice;
    const std::uint32_t number = is_deep ? places(s.a).elements[0] : places(s.index).value;
    return memory_[program_.arrays[s.array].base][number];
  }

  // Arguments lie in r3 and r4, the number of the element in r1, the result in r2.
  void map(const Statement& s) {
    const Places to = places(s.destination);
    const Places b = places(s.b);
    const bool folds = s.destination.kind == Operand::Kind::Register;
    const std::size_t count = folds ? b.elements.size() : to.elements.size();
    for (std::size_t k = 0; k < count; ++k) {
      if (s.count > 0) registers_[1] = static_cast<std::uint32_t>(k);
      registers_[3] = read(places(s.a), k);
      if (b.is_array) registers_[4] = read(b, k);
      registers_[2] = b.is_array    ? registers_[3] - registers_[4]
                      : s.count > 0 ? 5 * registers_[3] + registers_[1]
                                    : 3 * registers_[3];
      if (folds) {
        registers_[s.destination.number] = registers_[2];
      } else {
        const bool half = program_.arrays[s.destination.slice.array].half;
        memory_[to.base][to.elements[k]] = cut(registers_[2], half);
      }
    }
  }

  void one(const Statement& s) {
    switch (s.kind) {
      case Statement::Kind::Compute: return compute(s, s.operation, s.a, s.b);
      case Statement::Kind::Load: registers_[s.number] = element(s); return;
      case Statement::Kind::Store: element(s) = registers_[s.number]; return;
      case Statement::Kind::Set: descriptors_[s.number] = {s.destination.slice, s.saved, 0}; return;
      case Statement::Kind::Loop:
        for (std::uint32_t k = 0; k < s.count; ++k) all(s.body);
        registers_[s.number] = 0;
        return;
      case Statement::Kind::Unless:
        if (registers_[s.number] != s.count) all(s.body);
        return;
      case Statement::Kind::For:
        for (turn_ = 0; turn_ < s.count; ++turn_) all(s.body);
        turn_ = 0;
        return;
      case Statement::Kind::Call: return all(program_.functions[s.number]);
      case Statement::Kind::Macro:
        compute(s, Operation::Move, s.a, {});
        return compute(s, Operation::Add, s.destination, s.b);
      case Statement::Kind::Map: return map(s);
    }
  }

  const Program& program_;
  std::uint32_t x_;
  std::uint32_t turn_ = 0;
  std::vector<Words> memory_;
  std::uint32_t registers_[16] = {};
  Descriptor descriptors_[16] = {};
};

// Of one dimension.
std::vector<std::int64_t> numbers_of(const Subscript& s, std::uint32_t x, std::uint32_t turn) {
  switch (s.index) {
    case Subscript::Index::Constant: return {s.first};
    case Subscript::Index::X: return {s.first + x};
    case Subscript::Index::Turn: return {s.first + turn};
    case Subscript::Index::None: break;
  }
  std::vector<std::int64_t> numbers;
  for (std::int64_t n = s.first; s.step > 0 ? n < s.end : n > s.end; n += s.step) {
    numbers.push_back(n);
  }
  return numbers;
}

}  // namespace

std::uint32_t Array::size() const {
  std::uint32_t product = 1;
  for (const std::uint32_t extent : extents) product *= extent;
  return product;
}

std::vector<std::uint32_t> elements_of(const Program& program, const Slice& slice, std::uint32_t x,
                                       std::uint32_t turn) {
  const Array& array = program.arrays[slice.array];
  std::vector<std::uint32_t> found = {0};
  for (std::size_t k = 0; k < array.extents.size(); ++k) {
    const Subscript whole{.end = array.extents[k]};
    const Subscript& s = slice.subscripts.empty() ? whole : slice.subscripts[k];
    std::vector<std::uint32_t> next;
    for (const std::uint32_t before : found) {
      for (const std::int64_t number : numbers_of(s, x, turn)) {
        next.push_back(before * array.extents[k] + static_cast<std::uint32_t>(number));
      }
    }
    found = next;
  }
  return found;
}

std::vector<Words> meaning_of(const Program& program, std::uint32_t x) {
  return Reader(program, x).run();
}

}  // namespace wse::naive
