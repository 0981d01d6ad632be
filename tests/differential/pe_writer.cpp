// Operands and instructions of one PE.
#include "tests/differential/pe_writer.h"

#include <fmt/format.h>

#include <algorithm>

namespace wse::differential {
namespace {

constexpr std::uint32_t kExtents[] = {3, 4, 5};  // of the first array of each type
constexpr std::uint32_t kArrayElements = 60;     // of all arrays
constexpr std::uint32_t kArraysPerType = 5;      // so that one is free beside three sources
constexpr std::string_view kTypes[] = {"i32", "f32", "i16", "f16"};
constexpr std::string_view kInitial[] = {"i * 791977 - 20000000", "i * 0.75 - 11.0",
                                         "i * 37 - 1150", "i * 0.25 - 7.0"};
constexpr std::uint32_t kBytes[] = {4, 4, 2, 2};

// A list of values for the first elements of an array, some of them formulas; or nothing.
std::string list_of(std::size_t type, test_support::Random& random) {
  if (random.one_in(2)) return "";
  constexpr std::string_view kFormulas[] = {"x * 791977 + i", "x * 0.5 - y", "i * 3 - x",
                                            "y * 0.25 + i"};
  const bool is_float = type % 2 == 1;
  std::string list;
  for (std::uint32_t k = 2 + random.below(12); k > 0; --k) {
    const std::int32_t value = static_cast<std::int32_t>(random.below(4000)) - 2000;
    const std::string number = fmt::format("{}{}", value, is_float ? ".25" : "");
    list += fmt::format("{}{}", list.empty() ? " = " : ", ",
                        random.one_in(4) ? kFormulas[type] : std::string_view(number));
  }
  return list;
}

// Writes a seed that has a one among its lowest bits at every PE.
std::string seed_of(test_support::Random& random) {
  constexpr std::string_view kFormulas[] = {"x * 791977 + 2 * y + 1", "0xffffffff - 65536 * y - x",
                                            "(x + y) % 2 ? 77 : 0x80400000 + width"};
  const std::uint32_t choice = random.below(std::size(kFormulas) + 1);
  if (choice < std::size(kFormulas)) return std::string(kFormulas[choice]);
  return fmt::format("{}", random.word() | 1);
}

std::size_t type_index(isa::OperandType type, test_support::Random& random) {
  switch (type) {
    case isa::OperandType::Any32: return random.below(2);
    case isa::OperandType::Any16: return 2 + random.below(2);
    case isa::OperandType::I32: return 0;
    case isa::OperandType::F32: return 1;
    case isa::OperandType::I16: return 2;
    case isa::OperandType::F16: return 3;
  }
  return 0;
}

// Arrays lie one after the other from address 0 on.
std::uint32_t array_address(std::size_t type, std::uint32_t number) {
  std::uint32_t address = 0;
  for (std::size_t k = 0; k < type; ++k) address += kArraysPerType * kArrayElements * kBytes[k];
  return address + number * kArrayElements * kBytes[type];
}

std::string array_name(std::size_t type, std::uint32_t number) {
  return fmt::format("{}_{}", kTypes[type], number);
}

bool meet(const std::set<std::string>& left, const std::set<std::string>& right) {
  return std::ranges::any_of(left, [&right](const auto& name) { return right.contains(name); });
}

}  // namespace

PeWriter::PeWriter(test_support::Random& random, const isa::Profile& machine, std::string name,
                   const std::string& everywhere, bool may_lack)
    : random_(random),
      machine_(machine),
      name_(std::move(name)),
      has_forbidden_(!may_lack || random.one_in(3)) {
  for (std::size_t type = 0; type < std::size(kTypes); ++type) {
    for (std::uint32_t k = 0; k < kArraysPerType; ++k) {
      const std::string shape =
          k == 0 ? fmt::format("{}", fmt::join(kExtents, ", ")) : std::to_string(kArrayElements);
      const std::string initial =
          k == kArraysPerType - 1 ? list_of(type, random) : fmt::format(" = {}", kInitial[type]);
      directive(fmt::format(".{} {}[{}] address={}{}", kTypes[type], array_name(type, k), shape,
                            array_address(type, k), initial));
    }
  }
  directive(fmt::format(".i32 stamps[{}]", kStamps));
  directive(".i32 kept[10]");
  directive(".u32 names[40] = i * 7 % 20");
  directive(".u32 stored[14]");
  directive(".routing everywhere = " + everywhere);
  directive(".i32 forbidden_store[4]");
  if (has_forbidden_) directive(".fifo forbidden = forbidden_store");
  directive(".reg taken = r8, noted = r9, seen = r10");
  if (random.one_in(2)) directive(".seed " + seed_of(random));
}

std::string PeWriter::text() const {
  std::string parameters;
  for (const auto& [name, here] : colours_) {
    if (here == name) continue;
    parameters += fmt::format("{}{}: colour", parameters.empty() ? "(" : ", ", here);
  }
  if (has_role_) {
    parameters += fmt::format("{}role: const = (x + y) % 3, unused: colour?",
                              parameters.empty() ? "(" : ", ");
  }
  if (!parameters.empty()) parameters += ")";
  return fmt::format(".program {}{}\n{}{}", name_, parameters, data_, code_);
}

std::string PeWriter::placement() const {
  std::string arguments;
  for (const auto& [name, here] : colours_) {
    if (here == name) continue;
    arguments += fmt::format("{}{} = {}", arguments.empty() ? " with " : ", ", here, name);
  }
  return arguments;
}

std::string PeWriter::colour(const std::string& name) {
  const auto known = colours_.find(name);
  if (known != colours_.end()) return known->second;
  return colours_[name] = random_.one_in(4) ? "via_" + name : name;
}

std::size_t PeWriter::sources_of(const isa::InstructionInfo& row) {
  return isa::info(row.format).operands.size() - 1;
}

PeWriter::Array PeWriter::some_array(isa::OperandType type, std::uint32_t first) {
  Array array{.type = type_index(type, random_), .number = first, .name = ""};
  array.number += random_.below(kArraysPerType - first);
  array.name = array_name(array.type, array.number);
  return array;
}

const isa::InstructionInfo& PeWriter::vector_row() {
  return some_row([](const isa::InstructionInfo& row) { return row.is_vector(); });
}

// Elements with some stride, of a ring, or through the dimensions of the first array of a type.
std::string PeWriter::elements(const Array& array, std::uint32_t count) {
  if (count > 0 && random_.one_in(7)) {
    const std::uint32_t ring = 1 + random_.below(count + 4);
    const std::uint32_t first = random_.below(kArrayElements - ring);
    return fmt::format("circular({}[{}:{}], length={}, start={})", array.name, first, first + ring,
                       count, random_.below(ring));
  }
  static constexpr std::uint32_t kStrides[] = {1, 1, 1, 2, 3, 4, 7, 8};
  std::uint32_t stride = kStrides[random_.below(std::size(kStrides))];
  while (stride > 1 && count * stride > kArrayElements) --stride;
  const std::uint32_t extent = count == 0 ? 0 : (count - 1) * stride + 1;
  const std::uint32_t first = random_.below(kArrayElements - extent + 1);
  if (count > 0 && random_.one_in(6)) {
    const std::uint32_t last =
        array_address(array.type, array.number) + (first + extent - 1) * kBytes[array.type];
    return fmt::format("mem({}, length={}, stride=-{})", last, count, stride);
  }
  if (random_.one_in(5)) return counted(array, first, count, stride);
  return fmt::format("{}[{}:{}:{}]", array.name, first, first + extent, stride);
}

// A register that holds the value where the next instruction begins: none that one in flight may
// change (landing()).
std::string PeWriter::holding(std::uint32_t value) {
  const std::string name = fmt::format("r{}", places_++ % 4);
  line(fmt::format("mov32 {}, {}", name, value));
  return name;
}

// Its begin, its length or its step may be in a register, or the address of its first element.
std::string PeWriter::counted(const Array& array, std::uint32_t first, std::uint32_t count,
                              std::uint32_t stride) {
  const std::uint32_t which = random_.below(5);
  if (which == 4) {
    const std::uint32_t address =
        array_address(array.type, array.number) + first * kBytes[array.type];
    return fmt::format("mem({}, length={}, stride={})", holding(address), count, stride);
  }
  const std::string begin = which == 1 ? holding(first) : std::to_string(first);
  const std::string length = which == 2 ? holding(count) : std::to_string(count);
  if (count > 0 && which < 2 && random_.one_in(8)) {
    return fmt::format("{}[{} :+ {} : 0]", array.name, begin, length);
  }
  const std::string step = which == 3 ? holding(stride) : std::to_string(stride);
  return fmt::format("{}[{} :+ {} : {}]", array.name, begin, length, step);
}

// As many elements of an array of several dimensions, if some box of it has so many.
std::optional<std::string> PeWriter::box(const std::string& array, std::uint32_t count) {
  std::string slices;
  for (const std::uint32_t extent : kExtents) {
    std::vector<std::uint32_t> divisors;
    for (std::uint32_t n = 1; n <= extent; ++n) {
      if (count > 0 && count % n == 0) divisors.push_back(n);
    }
    if (divisors.empty()) return std::nullopt;
    const std::uint32_t n = divisors[random_.below(static_cast<std::uint32_t>(divisors.size()))];
    const std::uint32_t first = random_.below(extent - n + 1);
    slices += slices.empty() ? "" : ", ";
    const bool holds = !slices.contains(":+") && random_.one_in(6);
    slices +=
        holds ? fmt::format("{} :+ {}", holding(first), n) : fmt::format("{}:{}", first, first + n);
    count /= n;
  }
  if (count != 1) return std::nullopt;
  return fmt::format("{}[{}]", array, slices);
}

std::string PeWriter::memory(isa::OperandType type, std::uint32_t count, bool written, Use& use) {
  for (;;) {
    const Array array = some_array(type, 0);
    if (use.written.contains(array.name) || (written && use.read.contains(array.name))) continue;
    const std::optional<std::string> text =
        array.number == 0 ? box(array.name, count) : elements(array, count);
    if (!text) continue;
    (written ? use.written : use.read).insert(array.name);
    return *text;
  }
}

std::string PeWriter::scalar(isa::OperandType type) {
  if (random_.one_in(2)) return reg();
  if (isa::is_float(type)) {
    return fmt::format("{}.5", static_cast<std::int32_t>(random_.below(9)) - 4);
  }
  return std::to_string(static_cast<std::int32_t>(random_.below(70)) - 20);
}

// Source k in memory, or a scalar where there may be one.
std::string PeWriter::source(const isa::InstructionInfo& row, std::size_t k, std::uint32_t count,
                             Use& use) {
  if (row.format == isa::Format::Vector3 && k == 2) return scalar(row.types.source[k]);
  return memory(row.types.source[k], count, false, use);
}

// Waits for every microthread that still uses what the next instruction wants to use.
void PeWriter::settle(const Use& use) {
  for (std::size_t thread = 0; thread < in_flight_.size(); ++thread) {
    std::optional<Use>& other = in_flight_[thread];
    if (!other) continue;
    const bool clash = meet(use.written, other->read) || meet(use.written, other->written) ||
                       meet(use.read, other->written) || meet(use.from, other->from) ||
                       meet(use.to, other->to);
    if (!clash) continue;
    line(fmt::format("wait {}", thread));
    other.reset();
  }
}

void PeWriter::wait_all() {
  for (std::size_t thread = 0; thread < in_flight_.size(); ++thread) {
    if (in_flight_[thread]) line(fmt::format("wait {}", thread));
    in_flight_[thread].reset();
  }
}

// " async U" for some free microthread, or nothing.
std::string PeWriter::asynchronous(const Use& use, bool must, const std::string& completion) {
  if (in_task_ || (!must && !random_.one_in(3))) return "";
  std::uint32_t thread = random_.below(isa::kMicrothreads);
  for (std::uint32_t k = 0; k < isa::kMicrothreads && in_flight_[thread]; ++k) {
    thread = (thread + 1) % isa::kMicrothreads;
  }
  if (in_flight_[thread]) line(fmt::format("wait {}", thread));
  in_flight_[thread] = use;
  return fmt::format(" async {}{}", thread, completion);
}

// What is after the colour of a fabric operand. Packed operands have two elements in each
// wavelet, so the number of elements changes with the options.
std::string PeWriter::options(isa::OperandType type, bool out, std::uint32_t& count) {
  if (isa::info(type).bytes != 2) return "";
  if (random_.one_in(3)) {
    count = 2 * count - (count > 0 && random_.one_in(2) ? 1 : 0);
    return ", packed";
  }
  if (out && random_.one_in(3)) return fmt::format(", index={}", random_.below(8));
  return "";
}

void PeWriter::send(const End& to, bool must_be_asynchronous) {
  const isa::InstructionInfo& row = vector_row();
  Use use;
  use.to.insert(to.colour);
  std::uint32_t count = to.wavelets;
  std::string extra = options(row.types.result, true, count);
  if (to.advance) extra += ", advance";
  const bool scalars_only = row.format == isa::Format::Vector1 && random_.one_in(5);
  std::string sources;
  if (scalars_only) {
    extra += fmt::format(", length={}", count);
    sources = ", " + scalar(row.types.source[0]);
  } else {
    for (std::size_t k = 0; k < sources_of(row); ++k) {
      sources += ", " + source(row, k, count, use);
    }
  }
  settle(use);
  const std::string thread = asynchronous(use, must_be_asynchronous);
  line(fmt::format("{} fabout({}{}){}{}", row.mnemonic, colour(to.colour), extra, sources, thread));
}

void PeWriter::receive(const End& from) {
  const isa::InstructionInfo& row = vector_row();
  Use use;
  use.from.insert(from.colour);
  std::uint32_t count = from.wavelets;
  const std::size_t wire = row.format == isa::Format::Vector1 ? 0 : random_.below(2);
  const std::string extra = options(row.types.source[wire], false, count);
  std::string sources;
  for (std::size_t k = 0; k < sources_of(row); ++k) {
    sources += ", ";
    sources += k == wire ? fmt::format("fabin({}{}, length={})", colour(from.colour), extra, count)
                         : source(row, k, count, use);
  }
  const bool reduces = random_.one_in(5);
  const std::string destination = reduces ? landing() : memory(row.types.result, count, true, use);
  settle(use);
  const std::string thread = asynchronous(use, false);
  line(fmt::format("{} {}{}{}", row.mnemonic, destination, sources, thread));
}

void PeWriter::relay(const End& from, const End& to) {
  const isa::InstructionInfo& row = vector_row();
  Use use;
  use.from.insert(from.colour);
  use.to.insert(to.colour);
  const std::size_t wire = row.format == isa::Format::Vector1 ? 0 : random_.below(2);
  std::string sources;
  for (std::size_t k = 0; k < sources_of(row); ++k) {
    sources += ", ";
    sources += k == wire ? fmt::format("fabin({}, length={})", colour(from.colour), from.wavelets)
                         : source(row, k, from.wavelets, use);
  }
  settle(use);
  const std::string thread = asynchronous(use, false);
  line(fmt::format("{} fabout({}){}{}", row.mnemonic, colour(to.colour), sources, thread));
}

void PeWriter::compute() {
  if (random_.one_in(6)) return map();
  const isa::InstructionInfo& row = vector_row();
  Use use;
  const std::uint32_t count = random_.below(24);
  std::string first;
  std::string sources;
  for (std::size_t k = 0; k < sources_of(row); ++k) {
    const std::string text = source(row, k, count, use);
    if (k == 0) first = text;
    sources += ", " + text;
  }
  std::string destination = first;
  const bool one_source = sources_of(row) == 1 || row.format == isa::Format::Vector3;
  if (row.types.result == row.types.source[0] && random_.one_in(one_source ? 5 : 25)) {  // in place
    use.written = use.read;
  } else {
    destination = random_.one_in(5) ? landing() : memory(row.types.result, count, true, use);
  }
  settle(use);
  line(fmt::format("{} {}{}", row.mnemonic, destination, sources));
}

// Words that come back by the PE's own loop; what they complete starts the next task.
void PeWriter::loop_back(const std::string& completion) {
  const std::uint32_t count = random_.below(5);
  Use use;
  use.from = use.to = {"own"};
  const std::string destination = memory(isa::OperandType::I32, count, true, use);
  settle(use);
  line(fmt::format("mov32 fabout({}, length={}), {}", colour("own"), count, reg()));
  const std::string thread = asynchronous(use, true, completion);
  line(fmt::format("mov32 {}, fabin({}, length={}){}", destination, colour("own"), count, thread));
}

}  // namespace wse::differential
