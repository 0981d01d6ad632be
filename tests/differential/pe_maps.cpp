// Mapped vector instructions: operands that begin again with each scalar, and some that continue.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/differential/pe_writer.h"

namespace wse::differential {

// A vector operand of `count` elements for each of `scalars`, or of so many in all if it continues,
// in a register of its own.
std::string PeWriter::mapped_memory(isa::OperandType type, const MapShape& shape, std::uint32_t d,
                                    bool written, Use& use) {
  const Array array = some_array(type, 1);
  const bool is_free =
      !use.written.contains(array.name) && !(written && use.read.contains(array.name));
  const bool goes_on = is_free && random_.one_in(2) && shape.count > 0 && shape.scalars > 0;
  if (!goes_on) return memory(type, shape.count, written, use);
  (written ? use.written : use.read).insert(array.name);
  const std::uint32_t all = shape.count * shape.scalars;
  if (random_.one_in(4)) {
    const std::uint32_t ring = 1 + random_.below(all + 3);
    line(fmt::format("setd d{}, save(circular({}[2:{}], length={}))", d, array.name, 2 + ring,
                     shape.count));
  } else {
    const std::uint32_t from = random_.below(10);
    line(fmt::format("setd d{}, save({}[{}:{}])", d, array.name, from, from + all));
    line(fmt::format("setdlen d{}, {}", d, shape.count));
  }
  return fmt::format("d{}", d);
}

// What is in flight may write descriptors and arrays that the set-ups name, so it ends first.
void PeWriter::map() {
  wait_all();
  const isa::InstructionInfo& row = vector_row();
  const MapShape shape{.count = random_.below(9), .scalars = random_.below(6)};
  Use use;
  const std::size_t last = row.last_source();
  std::vector<std::string> sources;
  for (std::size_t k = 0; k < last; ++k) {
    const auto d = static_cast<std::uint32_t>(11 + k);
    sources.push_back(mapped_memory(row.types.source[k], shape, d, false, use));
  }
  std::string scalars = memory(row.types.source[last], shape.scalars, false, use);
  const bool saves = random_.one_in(3);
  if (saves) {
    line(fmt::format("setd d14, save({})", scalars));
    scalars = "d14";
  }
  std::string destination = last > 0 ? sources.front() : "";
  const bool in_place = last > 0 && row.types.result == row.types.source[0] && random_.one_in(3);
  const std::string sum = reg();
  if (!in_place && random_.one_in(4)) {
    destination = sum;
    if (random_.one_in(2) && last == 2) sources.front() = sum;
  } else if (!in_place) {
    destination = mapped_memory(row.types.result, shape, 13, true, use);
  }
  sources.push_back(scalars);
  line(fmt::format("map {}, {}, {}", destination, row.mnemonic, fmt::join(sources, ", ")));
  if (saves) line("getdpos r1, d14");
}

}  // namespace wse::differential
