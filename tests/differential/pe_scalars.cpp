// Scalar code of one PE: arithmetic, loops, memory and descriptor registers.
#include <fmt/format.h>

#include "tests/differential/pe_writer.h"

namespace wse::differential {
namespace {

bool is_arithmetic(const isa::InstructionInfo& row) {
  return row.format == isa::Format::Reg2 || row.format == isa::Format::Reg3 ||
         row.format == isa::Format::Reg4;
}

bool is_branch(const isa::InstructionInfo& row) { return row.format == isa::Format::Branch; }

// Registers hold any bits, so a divisor from one would trap too often.
bool divides_integers(const isa::InstructionInfo& row) {
  return row.cost == isa::CostClass::Divide && !isa::is_float(row.types.result);
}

}  // namespace

void PeWriter::scalars() {
  const std::uint32_t count = 1 + random_.below(5);
  for (std::uint32_t k = 0; k < count; ++k) {
    const isa::InstructionInfo& row = some_row(is_arithmetic);
    std::string operands = reg();
    for (const char letter : isa::info(row.format).operands) {
      if (letter == 'a' || letter == 'b') operands += ", " + reg();
    }
    const bool divisor = divides_integers(row);
    const std::size_t last = isa::info(row.format).operands.size() - 2;
    operands +=
        ", " + (divisor ? std::to_string(1 + random_.below(9)) : scalar(row.types.source[last]));
    line(fmt::format("{} {}", row.mnemonic, operands));
  }
  if (random_.one_in(2)) branch();
  if (random_.one_in(8)) line("random16 " + reg());
  if (random_.one_in(8)) line("tsch " + reg());
  if (random_.one_in(8)) {
    line("mov32 noted, 2");
    line("assert noted > 1");
  }
  if (random_.one_in(4)) line(fmt::format("mark m{}", random_.below(4)));
  if (random_.one_in(8)) line("print \"{r1}\"");
  if (!random_.one_in(3)) return;
  Use use;
  const bool loads = random_.one_in(2);
  const bool half = random_.one_in(2);
  const std::string array = half ? "i16_1" : "i32_1";
  (loads ? use.read : use.written).insert(array);
  settle(use);
  const std::string index = fmt::format("{}[{}]", array, random_.below(60));
  const std::string move = half ? "mov16" : "mov32";
  line(loads ? fmt::format("{} {}, {}", move, reg(), index)
             : fmt::format("{} {}, {}", move, index, reg()));
  line("mov32 noted, " + std::to_string(random_.below(60)));
  line(loads ? fmt::format("{} {}, {}[noted]", move, reg(), array)
             : fmt::format("{} {}[noted], {}", move, array, reg()));
}

// Over one instruction, if some comparison holds.
void PeWriter::branch() {
  const isa::InstructionInfo& row = some_row(is_branch);
  const std::string label = fmt::format("over{}", ++labels_);
  line(fmt::format("{} {}, {}, {}", row.mnemonic, reg(), scalar(row.types.source[1]), label));
  line(fmt::format("add32 {}, {}, 1", reg(), reg()));
  header(label + ":");
}

void PeWriter::delay() {
  const std::string label = fmt::format("delay{}", ++labels_);
  line(fmt::format("mov32 noted, {}", 1 + random_.below(in_task_ ? 8 : 90)));
  header(label + ":");
  line("sub32 noted, noted, 1");
  if (random_.one_in(4)) line("fsqrts r7, r6");
  line(fmt::format("bgt noted, 0, {}", label));
}

void PeWriter::call() {
  const std::string label = fmt::format("routine{}", ++labels_);
  const std::string behind = fmt::format("behind{}", labels_);
  line(fmt::format("call r11, {}", label));
  line("jmp " + behind);
  header(label + ":");
  line(fmt::format("add32 {}, {}, 3", reg(), reg()));
  line("ret r11");
  header(behind + ":");
}

void PeWriter::stamp() {
  Use use;
  use.written.insert("stamps");
  settle(use);
  line("tsc noted");
  line(fmt::format("mov32 stamps[{}], noted", stamps_++ % kStamps));
}

void PeWriter::keep_registers() {
  Use use;
  use.written.insert("kept");
  settle(use);
  for (int k = 0; k < 8; ++k) line(fmt::format("mov32 kept[{}], r{}", k, k));
  stamp();
}

void PeWriter::control(const std::string& to, const std::string& word, bool advance) {
  Use use;
  use.to.insert(to);
  settle(use);
  line("mov32 seen, " + word);
  line(fmt::format("mov32 fabout({}, control{}), seen", colour(to), advance ? ", advance" : ""));
}

// A walk with a position of its own, changed, copied, kept in memory and read back.
void PeWriter::descriptors() {
  Use use;
  use.read = {"i32_1", "i32_2", "stored"};
  use.written = {"f32_1", "i32_1", "stored"};
  settle(use);
  const std::uint32_t count = 1 + random_.below(6);
  line(fmt::format("setd d10, save(i32_2[0:{}])", count));
  line(
      fmt::format("setd d11, save(circular(i32_1[0:{}], length={}))", 1 + random_.below(8), count));
  const std::uint32_t rounds = 1 + random_.below(3);
  for (std::uint32_t k = 0; k < rounds; ++k) line("add32 d11, d10, 5");
  line("getdpos r1, d10");
  line("movd d9, d10");
  if (random_.one_in(2)) {
    line("getdbase r3, d11");
    line("setdbase d9, r3");
  }
  line(fmt::format("setd d12, fabin({})", colour("own")));
  line("getdcolour r4, d12");
  if (machine_.queue_colours == 0) line("setdcolour d12, r4");
  if (random_.one_in(2)) line(fmt::format("setdpos d9, {}", random_.below(9)));
  if (random_.one_in(2)) line(fmt::format("setdstride d9, {}", 1 + random_.below(4)));
  if (random_.one_in(2)) line(fmt::format("setdlen d9, {}", random_.below(9)));
  line("std stored[0], d9");
  line("ldd d8, stored[0]");
  line("getdlen r2, d8");
  line("getdbase r3, d8");
  line("getdstride r4, d8");
  line(random_.one_in(2) ? "add32 r5, r5, d8" : "neg32 r5, d8");
  line("setd d9, f32_1");
  line("setdlen d9, 3");
  line("setdlen d8, 3");
  line("mov32 d9, d8");
}

}  // namespace wse::differential
