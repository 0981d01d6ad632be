// Forms of the language that become other code: tables, views, addresses, roles, libraries.
#include <fmt/format.h>

#include "tests/differential/pe_writer.h"

namespace wse::differential {

void PeWriter::forms() {
  switch (random_.below(6)) {
    case 0: return jump_through_table();
    case 1: return work_through_view();
    case 2: return take_address();
    case 3: return take_role();
    case 4: return take_element();
    default: return call_library();
  }
}

// To one of three labels, at times to one that is not there.
void PeWriter::jump_through_table() {
  const std::uint32_t number = ++labels_;
  const std::string behind = fmt::format("entered{}", number);
  const bool calls = random_.one_in(2);
  std::string entries;
  for (int k = 0; k < 3; ++k) {
    entries += fmt::format("{}entry{}_{}", k == 0 ? "" : ", ", number, k);
  }
  directive(fmt::format(".table entries{} = {}", number, entries));
  line(fmt::format("mov32 noted, {}", random_.one_in(30) ? 3 : random_.below(3)));
  line(fmt::format("{} entries{}[noted]", calls ? "call r11," : "jmp", number));
  if (calls) line("jmp " + behind);
  for (int k = 0; k < 3; ++k) {
    header(fmt::format("entry{}_{}:", number, k));
    line(fmt::format("add32 {}, {}, {}", reg(), reg(), k));
    if (k < 2 || calls) line(calls ? "ret r11" : "jmp " + behind);
  }
  header(behind + ":");
}

// Floats as integers, words as halves, a flat array as rows.
void PeWriter::work_through_view() {
  if (!has_views_) {
    directive(".u32 bits[] = view(f32_2)");
    directive(".u16 halves[24] = view(i32_2[4:16])");
    directive(".f32 rows[3, 4] = view(f32_2[8:20])");
  }
  has_views_ = true;
  Use use;
  use.read = use.written = {"f32_2", "i32_2"};
  settle(use);
  const std::uint32_t count = random_.below(12);
  const std::uint32_t first = random_.below(12);
  switch (random_.below(4)) {
    case 0:
      return line(fmt::format("add32 bits[{}:{}], bits[{}:{}], {}", first, first + count, first,
                              first + count, random_.below(99)));
    case 1:
      return line(fmt::format("add16 {}, {}, halves[{}:{}]", reg(), reg(), first, first + count));
    case 2:
      return line(
          fmt::format("fadds rows[{}, :], rows[{}, :], 0.5", random_.below(3), random_.below(3)));
    default:
      line(fmt::format("mov32 noted, {}", first));
      line("mov16 r2, halves[noted]");
      line("mov16 halves[noted], r3");
      return line("mov32 r4, bits[noted]");
  }
}

void PeWriter::take_address() {
  Use use;
  use.read = {"i32_2"};
  settle(use);
  const std::uint32_t element = random_.below(50);
  line(fmt::format("mov32 {}, address(i32_2[{}])", reg(), element));
  line(fmt::format("setd d10, mem(address(i32_2[{}]), length=3)", element));
  line(fmt::format("add32 {}, {}, d10", reg(), reg()));
  if (!random_.one_in(3)) return;
  const std::string label = fmt::format("goal{}", ++labels_);
  line(fmt::format("mov32 noted, address({})", label));
  line("ret noted");
  header(label + ":");
}

// Where several registers say which one it is, or one holds its address.
void PeWriter::take_element() {
  Use use;
  use.read = use.written = {"i32_0", "i16_0", "i32_2"};
  settle(use);
  const auto first = [this] { line(fmt::format("mov32 noted, {}", random_.below(3))); };
  const std::string middle = std::to_string(random_.below(4));
  const std::string last = std::to_string(random_.below(5));
  switch (random_.below(4)) {
    case 0:
      first();
      line("mov32 seen, " + middle);
      return line(fmt::format("add32 {}, i32_0[noted, seen, {}], {}", reg(), last, reg()));
    case 1:
      first();
      line("mov32 seen, " + last);
      return line(fmt::format("add32 i32_0[noted, {}, seen], i32_0[noted, {}, seen], {}", middle,
                              middle, random_.below(9)));
    case 2:
      first();
      line(fmt::format("mov16 {}, i16_0[noted, {}, {}]", reg(), middle, last));
      return line(fmt::format("mov16 i16_0[2, noted, {}], {}", last, reg()));
    default:
      line(fmt::format("mov32 noted, address(i32_2[{}])", random_.below(40)));
      line(fmt::format("mov32 seen, {}", random_.below(20)));
      line(fmt::format("add32 mem(noted), mem(noted), {}", reg()));
      return line(fmt::format("max32 mem(noted, index=seen), mem(noted, index=seen), {}", reg()));
  }
}

// What is written for each role of a PE, and several times.
void PeWriter::take_role() {
  has_role_ = true;
  wait_all();  // what a block holds may not be there
  header(fmt::format(".if role == {}", random_.below(3)));
  scalars();
  header(".else if has(unused)");
  line("mov32 fabout(unused), 1");
  header(".else");
  header(fmt::format(".for k = 0..{} step 2", random_.below(6)));
  line(fmt::format("add32 {}, {}, k * (role + 1)", reg(), reg()));
  header(".end");
  header(".end");
}

// Of the function that every source of random programs has (mesh_writer.cpp).
void PeWriter::call_library() {
  line(fmt::format("call {}, shared_function, {}", reg(), scalar(isa::OperandType::I32)));
}

}  // namespace wse::differential
