// A program as one would write it.
#include <fmt/format.h>

#include <algorithm>

#include "tests/naive/program.h"

namespace wse::naive {
namespace {

class Writer {
 public:
  explicit Writer(const Program& program) : program_(program) {}

  std::string text() {
    line(".grid {}, 1", kWidth);
    line(".macro both(to, from, more)");
    line("  mov32 to, from");
    line("  add32 to, to, more");
    line(".end");
    line(".program p(p: i32)");
    for (const Array& array : program_.arrays) declare(array);
    for (const Slice& slice : program_.names) {
      Slice whole = slice;
      whole.name.clear();
      line("  .dsd {} = {}", slice.name, text_of(whole));
    }
    line("  task main:");
    for (const Statement& statement : program_.main) write(statement);
    for (std::size_t k = 0; k < program_.functions.size(); ++k) {
      line("  function f{} link r9:", k);
      for (const Statement& statement : program_.functions[k]) write(statement);
    }
    line("  function thrice (r3) -> r2 link r9:");
    line("    mul32 r2, r3, 3");
    line("  function difference (r3, r4) -> r2 link r9:");
    line("    sub32 r2, r3, r4");
    line("  function numbered (r3) -> r2 link r9:");
    line("    mul32 r2, r3, 5");
    line("    add32 r2, r2, r1");
    line(".place p at (0..{}, 0) with p = {} + x", kWidth - 1, kFirst);
    return out_;
  }

 private:
  template <class... Values>
  void line(fmt::format_string<Values...> form, Values&&... values) {
    out_ += fmt::format(form, std::forward<Values>(values)...) + "\n";
  }

  void declare(const Array& array) {
    const std::string extents = fmt::format("{}", fmt::join(array.extents, ", "));
    const std::string_view type = array.half ? "i16" : "i32";
    const Array& base = program_.arrays[array.base];
    if (base.name == array.name) {
      line("  .{} {}[{}] = {} * i + {} + x", type, array.name, extents, array.factor, array.start);
    } else {
      line("  .{} {}[{}] = view({})", type, array.name, extents, base.name);
    }
  }

  // The value, or the one register of a statement that holds such a value.
  std::string held(const Subscript& s, Subscript::Held part, std::int64_t value) {
    if (s.held != part || is_held_) return fmt::format("{}", value);
    is_held_ = true;
    line("    mov32 r10, {}", value);
    return "r10";
  }

  std::string text_of(const Subscript& s, std::uint32_t extent) {
    switch (s.index) {
      case Subscript::Index::Constant: return held(s, Subscript::Held::First, s.first);
      case Subscript::Index::X: return s.first == 0 ? "x" : fmt::format("x + {}", s.first);
      case Subscript::Index::Turn: return s.first == 0 ? "t" : fmt::format("{} + t", s.first);
      case Subscript::Index::None: break;
    }
    if (s.held != Subscript::Held::None && !is_held_) {
      const std::string first = held(s, Subscript::Held::First, s.first);
      const std::string count = held(s, Subscript::Held::Count, s.count());
      return fmt::format("{} :+ {} : {}", first, count, held(s, Subscript::Held::Step, s.step));
    }
    const bool all = s.first == 0 && s.end == extent;
    if (s.step == 1) return all ? ":" : fmt::format("{}:{}", s.first, s.end);
    if (all) return fmt::format("::{}", s.step);
    return fmt::format("{}:{}:{}", s.first, s.end, s.step);
  }

  std::string text_of(const Slice& slice) {
    const Array& array = program_.arrays[slice.array];
    if (!slice.name.empty()) return slice.name;
    if (slice.subscripts.empty()) return array.name;
    const auto walked =
        std::ranges::count(slice.subscripts, Subscript::Index::None, &Subscript::index);
    std::string text;
    for (std::size_t k = 0; k < slice.subscripts.size(); ++k) {
      Subscript s = slice.subscripts[k];
      const bool is_first = s.held == Subscript::Held::First;
      if (walked > 1 && !is_first) s.held = Subscript::Held::None;
      text += (k == 0 ? "" : ", ") + text_of(s, array.extents[k]);
    }
    return fmt::format("{}[{}]", array.name, text);
  }

  std::string text_of(const Operand& operand) {
    switch (operand.kind) {
      case Operand::Kind::Slice: return text_of(operand.slice);
      case Operand::Kind::Descriptor: return fmt::format("d{}", operand.number);
      case Operand::Kind::Register: return fmt::format("r{}", operand.number);
      case Operand::Kind::Parameter: return "p";
      default: return fmt::format("{}", operand.value);
    }
  }

  void body_of(const Statement& s) {
    for (const Statement& inner : s.body) write(inner);
  }

  void write_loop(const Statement& s) {
    const std::uint32_t label = labels_++;
    line("    mov32 r{}, {}", s.number, s.count);
    line("  l{}:", label);
    body_of(s);
    line("    sub32 r{}, r{}, 1", s.number, s.number);
    line("    bgt r{}, 0, l{}", s.number, label);
  }

  void write_branch(const Statement& s) {
    const std::uint32_t label = labels_++;
    line("    beq r{}, {}, l{}", s.number, s.count, label);
    body_of(s);
    line("  l{}:", label);
  }

  void write_compute(const Statement& s) {
    static constexpr std::string_view kWords[] = {"mov", "add", "sub", "mul"};
    const std::string word =
        fmt::format("{}{}", kWords[static_cast<int>(s.operation)], s.half ? 16 : 32);
    const std::string to = text_of(s.destination);
    const std::string a = text_of(s.a);
    const std::string more =
        s.b.kind == Operand::Kind::None ? "" : fmt::format(", {}", text_of(s.b));
    line("    {} {}, {}{}", word, to, a, more);
  }

  void write_map(const Statement& s) {
    const bool two = s.b.kind != Operand::Kind::None;
    const std::string_view function = two ? "difference" : s.count > 0 ? "numbered" : "thrice";
    const std::string to = text_of(s.destination);
    const std::string a = text_of(s.a);
    const std::string more = two ? ", " + text_of(s.b) : s.count > 0 ? ", index=r1" : "";
    line("    map {}, {}, {}{}", to, function, a, more);
  }

  void write(const Statement& s) {
    is_held_ = false;
    const auto element = [&] {
      if (s.a.kind == Operand::Kind::Slice) return text_of(s.a);
      return fmt::format("{}[{}]", program_.arrays[s.array].name, text_of(s.index));
    };
    switch (s.kind) {
      case Statement::Kind::Compute: return write_compute(s);
      case Statement::Kind::Load: return line("    mov32 r{}, {}", s.number, element());
      case Statement::Kind::Store: return line("    mov32 {}, r{}", element(), s.number);
      case Statement::Kind::Set: {
        const std::string slice = text_of(s.destination.slice);
        return line("    setd d{}, {}{}{}", s.number, s.saved ? "save(" : "", slice,
                    s.saved ? ")" : "");
      }
      case Statement::Kind::Map: return write_map(s);
      case Statement::Kind::Loop: return write_loop(s);
      case Statement::Kind::Unless: return write_branch(s);
      case Statement::Kind::For:
        line("  .for t = 0..{}", s.count - 1);
        body_of(s);
        return line("  .end");
      case Statement::Kind::Call: return line("    call f{}", s.number);
      case Statement::Kind::Macro: {
        const std::string to = text_of(s.destination);
        const std::string a = text_of(s.a);
        return line("    both {}, {}, {}", to, a, text_of(s.b));
      }
    }
  }

  const Program& program_;
  std::string out_;
  std::uint32_t labels_ = 0;
  bool is_held_ = false;  // something of this statement in r10
};

}  // namespace

std::string text_of(const Program& program) { return Writer(program).text(); }

}  // namespace wse::naive
