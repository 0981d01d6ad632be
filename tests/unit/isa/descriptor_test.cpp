// Descriptor registers: what loads, copies, stores and changes of one field do to them, and what
// they refuse. Words of memory are never trusted.
#include <gtest/gtest.h>

#include "tests/support/random.h"
#include "tests/unit/isa/cases.h"

namespace wse::isa {
namespace {

using test_support::Random;

Descriptor matrix() {
  Descriptor d{.kind = DescriptorKind::Memory, .address = 8, .length = 12, .stride = 8};
  d.saves = true;
  d.further = 2;
  d.inner = {{{3, -2}, {2, 1}, {}}};
  d.position = 5;
  return d;
}
Descriptor ring() {
  Descriptor d{.kind = DescriptorKind::Circular, .address = 16, .length = 9, .stride = -1};
  d.ring = 4;
  d.position = 3;
  return d;
}
Descriptor output() {
  return {.kind = DescriptorKind::FabricOut,
          .colour = 7,
          .length = kNoLength,
          .stride = 1,
          .options = {.advance = true, .indexed = true},
          .index = 0xabcd};
}
Descriptor gather() {
  Descriptor d{.kind = DescriptorKind::Indexed,
               .colour = 3,
               .address = 12,
               .length = 5,
               .stride = -2,
               .options = {.on_control = OnControl::Activate}};
  d.task = 30;
  d.ring = 9;
  return d;
}
Descriptor fifo() {
  Descriptor d{.kind = DescriptorKind::Fifo, .length = kNoLength, .stride = 1};
  d.fifo = 15;
  return d;
}

// The step leaves everything but trap and its register as it was.
void expect_refused(Bench& bench, const Instruction& i, Trap trap, std::uint32_t number) {
  Bench before;
  for (std::size_t k = 0; k < kDescriptorRegisters; ++k) before.d.set(k, bench.d[k]);
  std::copy(std::begin(bench.state.r), std::end(bench.state.r), before.state.r);
  before.memory = bench.memory;
  ASSERT_EQ(bench.run(i), Step::Trap);
  EXPECT_EQ(bench.state.trap, trap);
  EXPECT_EQ(bench.state.trap_address, number);
  EXPECT_EQ(bench.changes_since(before), "");
}

void loads_memory(Op op) {
  Bench bench;
  DescriptorLiteral literal;
  literal.address = {false, 8};
  literal.length = {true, 2};
  literal.stride = -3;
  bench.descriptors = {{}, literal};
  ASSERT_EQ(bench.run({.op = op, .destination = 15, .target = 1}), Step::Next);
  const Descriptor expected{
      .kind = DescriptorKind::Memory, .address = 8, .length = 10, .stride = -3};
  EXPECT_EQ(bench.d[15], expected);
  EXPECT_EQ(bench.d[0], Descriptor{});
  EXPECT_EQ(bench.state.pc, 101u);
  expect_charge(bench, 1);
}

void loads_fabric(Op op) {
  Bench bench;
  DescriptorLiteral& literal = bench.descriptors[0];
  literal.kind = DescriptorKind::FabricOut;
  literal.length = {false, kNoLength};
  literal.colour = {true, 1};
  literal.options = {.indexed = true};
  literal.index = {true, 4};
  bench.slots[4] = 0xd0001234;
  ASSERT_EQ(bench.run({.op = op}), Step::Next);
  const Descriptor expected{.kind = DescriptorKind::FabricOut,
                            .colour = 4,
                            .length = kNoLength,
                            .stride = 1,
                            .options = {.indexed = true},
                            .index = 0x1234};
  EXPECT_EQ(bench.d[0], expected);
}

void loads_dimensions(Op op) {
  Bench bench;
  DescriptorLiteral& literal = bench.descriptors[0];
  literal.length = {true, 2};
  literal.stride = 6;
  literal.saves = true;
  literal.further = 2;
  literal.inner = {{{{false, 3}, 2}, {{true, 0}, -1}, {}}};
  ASSERT_EQ(bench.run({.op = op}), Step::Next);
  const Descriptor& d = bench.d[0];
  EXPECT_EQ(d.length, 10u * 3 * 3);
  EXPECT_EQ(d.further, 2);
  EXPECT_TRUE(d.saves);
  EXPECT_EQ(d.inner, (decltype(d.inner){{{3, 2}, {3, -1}, {}}}));
  EXPECT_EQ(d.innermost_stride(), -1);
  expect_charge(bench, 1 + 2 * 3);
}

void loads_a_gather(Op op) {
  Bench bench;
  DescriptorLiteral& literal = bench.descriptors[0];
  literal.kind = DescriptorKind::Indexed;
  literal.address = {true, 2};
  literal.ring = {true, 4};
  literal.length = {false, kNoLength};
  literal.colour = {false, 9};
  literal.options = {.on_control = OnControl::Unblock};
  literal.task = {true, 4};
  bench.slots[4] = 300;  // no id: it must not become a small one
  ASSERT_EQ(bench.run({.op = op}), Step::Next);
  const Descriptor& d = bench.d[0];
  EXPECT_EQ(d.address, 10u);
  EXPECT_EQ(d.ring, 300u);
  EXPECT_EQ(d.colour, 9u);
  EXPECT_EQ(d.task, 255u);
  EXPECT_EQ(d.options, literal.options);
  expect_charge(bench, 1);
}

void loads_a_fifo(Op op) {
  Bench bench;
  DescriptorLiteral& literal = bench.descriptors[0];
  literal.kind = DescriptorKind::Fifo;
  literal.length = {false, kNoLength};
  literal.fifo = 15;
  ASSERT_EQ(bench.run({.op = op}), Step::Next);
  EXPECT_EQ(bench.d[0], fifo());
}

void loads_a_ring(Op op) {
  Bench bench;
  DescriptorLiteral& literal = bench.descriptors[0];
  literal.kind = DescriptorKind::Circular;
  literal.length = {false, 20};
  literal.ring = {true, 1};
  literal.start = {true, 0};
  ASSERT_EQ(bench.run({.op = op}), Step::Next);
  EXPECT_EQ(bench.d[0].ring, 4u);
  EXPECT_EQ(bench.d[0].position, 3u);
  expect_charge(bench, 1);
}

// Extents whose product does not fit stay longer than any instruction.
void keeps_long_lengths_long(Op op) {
  Bench bench;
  DescriptorLiteral& literal = bench.descriptors[0];
  literal.length = {false, 0x10000};
  literal.further = 3;
  for (DescriptorLiteral::Inner& inner : literal.inner) inner.extent = {false, 0x10000};
  ASSERT_EQ(bench.run({.op = op}), Step::Next);
  EXPECT_EQ(bench.d[0].length, kNoLength - 1);
}

void copies(Op op) {
  Bench bench;
  bench.d.set(3, matrix());
  ASSERT_EQ(bench.run({.op = op, .destination = 9, .source_a = 3}), Step::Next);
  EXPECT_EQ(bench.d[9], matrix());
  EXPECT_EQ(bench.d[3], matrix());
  expect_charge(bench, 1);
}

void come_back_from_memory(Op op) {
  for (const Descriptor& d : {matrix(), ring(), output(), gather(), fifo()}) {
    Bench bench;
    bench.d.set(2, d);
    ASSERT_EQ(
        bench.run(
            {.op = Op::StoreDescriptor, .source_a = 2, .scalar_kind = kImmediate, .scalar = 8}),
        Step::Next);
    ASSERT_EQ(
        bench.run(
            {.op = Op::FetchDescriptor, .destination = 4, .scalar_kind = kImmediate, .scalar = 8}),
        Step::Next);
    EXPECT_EQ(bench.d[4], d);
    EXPECT_EQ(bench.word_at(4), 0xb0000001u);
    EXPECT_EQ(bench.state.cycles_charged, 2u * (11 + 3 * d.further)) << info(op).name;
  }
}

void stays_in_memory(Op op) {
  Bench bench;
  bench.d.set(1, matrix());
  const std::uint32_t last = Bench::kMemoryBytes - sizeof(StoredDescriptor);
  for (const std::uint32_t address : {last + 4, Bench::kMemoryBytes, ~3u & 0x1fffu}) {
    expect_refused(
        bench,
        {.op = op, .destination = 1, .source_a = 1, .scalar_kind = kImmediate, .scalar = address},
        Trap::OutsideMemory, address);
  }
  expect_refused(
      bench, {.op = op, .destination = 1, .source_a = 1, .scalar_kind = kImmediate, .scalar = 2},
      Trap::Misaligned, 2);
}

void store_wants_a_set_register(Op op) {
  Bench bench;
  expect_refused(bench, {.op = op, .source_a = 6, .scalar_kind = kImmediate}, Trap::UnsetDescriptor,
                 6);
}

void put(Bench& bench, const StoredDescriptor& words) {
  for (std::uint32_t k = 0; k < words.size(); ++k) bench.set_word(4 * k, words[k]);
}

void fetch_refuses_what_no_register_holds(Op op) {
  const auto refused = [op](Descriptor d) {
    Bench bench;
    put(bench, stored(d));
    expect_refused(bench, {.op = op, .destination = 3, .scalar_kind = kImmediate},
                   Trap::BadDescriptor, 3);
  };
  refused({});
  const auto changed = [&refused](Descriptor d, auto change) {
    change(d);
    refused(d);
  };
  changed(matrix(), [](Descriptor& d) { d.kind = static_cast<DescriptorKind>(kDescriptorKinds); });
  changed(matrix(), [](Descriptor& d) { d.further = kMaxDimensions; });
  changed(matrix(), [](Descriptor& d) { d.stride = kMaxStride + 1; });
  changed(matrix(), [](Descriptor& d) { d.inner[2].stride = -kMaxStride - 1; });
  changed(matrix(), [](Descriptor& d) { d.ring = 1; });
  changed(matrix(), [](Descriptor& d) { d.colour = 1; });
  changed(matrix(), [](Descriptor& d) { d.options.packed = true; });
  changed(ring(), [](Descriptor& d) { d.further = 1; });
  changed(output(), [](Descriptor& d) { d.colour = kMaxColours; });
  changed(output(), [](Descriptor& d) { d.index = 0x10000; });
  changed(output(), [](Descriptor& d) { d.options.packed = true; });
  changed(output(), [](Descriptor& d) { d.kind = DescriptorKind::FabricIn; });
  changed(output(), [](Descriptor& d) { d.saves = true; });
  changed(output(), [](Descriptor& d) { d.address = 4; });
  changed(output(), [](Descriptor& d) { d.options.on_control = OnControl::Terminate; });
  changed(gather(), [](Descriptor& d) { d.options.packed = true; });
  changed(gather(), [](Descriptor& d) { d.options.on_control = OnControl::Terminate; });
  changed(gather(), [](Descriptor& d) { d.position = 1; });
  changed(fifo(), [](Descriptor& d) { d.fifo = 16; });
  changed(fifo(), [](Descriptor& d) { d.length = 4; });
  changed(fifo(), [](Descriptor& d) { d.colour = 4; });
}

// Any words: either they are refused, or the register stores the same words again.
void fetch_trusts_no_word(Op op) {
  Random random(1);
  int accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    const Descriptor samples[] = {matrix(), ring(), output(), gather(), fifo()};
    StoredDescriptor words = stored(samples[random.below(5)]);
    const std::uint32_t bit = random.below(32);
    words[random.below(kStoredDescriptorWords)] ^= 1u << bit;
    if (random.one_in(4)) words[random.below(kStoredDescriptorWords)] = random.word();
    Bench bench;
    put(bench, words);
    if (bench.run({.op = op, .scalar_kind = kImmediate}) == Step::Trap) continue;
    ++accepted;
    ASSERT_EQ(stored(bench.d[0]), words) << "round " << round;
  }
  EXPECT_GT(accepted, 1000);
}

struct Field {
  Op set;
  Op get;
  std::string_view kinds;  // that have it: m memory and rings, f fabric, g gathers; FIFOs have none
  std::uint32_t legal;
  std::optional<std::uint32_t> illegal;
};
constexpr Field kFields[] = {
    {Op::SetLength, Op::GetLength, "mfg", 0xffffff, ~0u},
    {Op::SetBase, Op::GetBase, "mg", 0xfffffffe, {}},
    {Op::SetPosition, Op::GetPosition, "m", 0x80000000, {}},
    {Op::SetStride, Op::GetStride, "mg", 0xff000001, 0xff000000},
    {Op::SetColour, Op::GetColour, "fg", 23, 24},
};
char letter_of(DescriptorKind kind) {
  switch (kind) {
    case DescriptorKind::Memory:
    case DescriptorKind::Circular: return 'm';
    case DescriptorKind::FabricIn:
    case DescriptorKind::FabricOut: return 'f';
    case DescriptorKind::Indexed: return 'g';
    default: return '-';
  }
}
bool has(const Descriptor& d, const Field& field) {
  return field.kinds.find(letter_of(d.kind)) != std::string_view::npos;
}
const Field& field_of(Op op) {
  return *std::ranges::find_if(kFields,
                               [op](const Field& f) { return f.set == op || f.get == op; });
}

// What is set is read back, and nothing else changes.
void set_and_get(Op op) {
  const Field& field = field_of(op);
  for (const Descriptor& d : {matrix(), ring(), output(), gather()}) {
    if (!has(d, field)) continue;
    Bench bench;
    bench.d.set(5, d);
    bench.state.r[7] = field.legal;
    ASSERT_EQ(bench.run({.op = field.set, .destination = 5, .scalar = 7}), Step::Next);
    EXPECT_NE(bench.d[5], d);
    ASSERT_EQ(bench.run({.op = field.get, .destination = 8, .source_a = 5}), Step::Next);
    EXPECT_EQ(bench.state.r[8], field.legal);
    EXPECT_EQ(bench.state.cycles_charged, 2u);
    bench.state.r[7] = 1;  // nothing but the field was another
    bench.d.set(6, d);
    ASSERT_EQ(bench.run({.op = field.set, .destination = 5, .scalar = 7}), Step::Next);
    ASSERT_EQ(bench.run({.op = field.set, .destination = 6, .scalar = 7}), Step::Next);
    EXPECT_EQ(bench.d[5], bench.d[6]);
  }
}

void wants_its_kind(Op op) {
  const Field& field = field_of(op);
  for (const Descriptor& d : {Descriptor{}, matrix(), ring(), output(), gather(), fifo()}) {
    if (has(d, field)) continue;
    Bench bench;
    bench.d.set(5, d);
    expect_refused(bench, {.op = op, .destination = 5, .source_a = 5, .scalar_kind = kImmediate},
                   Trap::UnsetDescriptor, 5);
  }
}

void refuses_impossible_values(Op op) {
  const Field& field = field_of(op);
  ASSERT_TRUE(field.illegal.has_value());
  Bench bench;
  bench.d.set(5, gather());
  bench.state.r[7] = *field.illegal;
  expect_refused(bench, {.op = op, .destination = 5, .scalar = 7}, Trap::BadDescriptor, 5);
}

constexpr Effect kEffects[] = {
    {"Memory", Op::LoadDescriptor, loads_memory},
    {"Fabric", Op::LoadDescriptor, loads_fabric},
    {"Dimensions", Op::LoadDescriptor, loads_dimensions},
    {"Ring", Op::LoadDescriptor, loads_a_ring},
    {"Gather", Op::LoadDescriptor, loads_a_gather},
    {"Fifo", Op::LoadDescriptor, loads_a_fifo},
    {"LongLengths", Op::LoadDescriptor, keeps_long_lengths_long},
    {"Copies", Op::CopyDescriptor, copies},
    {"ComeBack", Op::FetchDescriptor, come_back_from_memory},
    {"ComeBack", Op::StoreDescriptor, come_back_from_memory},
    {"StaysInMemory", Op::FetchDescriptor, stays_in_memory},
    {"StaysInMemory", Op::StoreDescriptor, stays_in_memory},
    {"WantsASetRegister", Op::StoreDescriptor, store_wants_a_set_register},
    {"RefusesOthers", Op::FetchDescriptor, fetch_refuses_what_no_register_holds},
    {"TrustsNoWord", Op::FetchDescriptor, fetch_trusts_no_word},
    {"SetAndGet", Op::SetLength, set_and_get},
    {"SetAndGet", Op::SetBase, set_and_get},
    {"SetAndGet", Op::SetPosition, set_and_get},
    {"SetAndGet", Op::SetStride, set_and_get},
    {"SetAndGet", Op::SetColour, set_and_get},
    {"WantsItsKind", Op::SetLength, wants_its_kind},
    {"WantsItsKind", Op::SetBase, wants_its_kind},
    {"WantsItsKind", Op::SetPosition, wants_its_kind},
    {"WantsItsKind", Op::SetStride, wants_its_kind},
    {"WantsItsKind", Op::SetColour, wants_its_kind},
    {"WantsItsKind", Op::GetLength, wants_its_kind},
    {"WantsItsKind", Op::GetBase, wants_its_kind},
    {"WantsItsKind", Op::GetPosition, wants_its_kind},
    {"WantsItsKind", Op::GetStride, wants_its_kind},
    {"WantsItsKind", Op::GetColour, wants_its_kind},
    {"ImpossibleValues", Op::SetLength, refuses_impossible_values},
    {"ImpossibleValues", Op::SetStride, refuses_impossible_values},
    {"ImpossibleValues", Op::SetColour, refuses_impossible_values},
};

class IsaDescriptor : public testing::TestWithParam<Effect> {};
TEST_P(IsaDescriptor, Holds) { GetParam().check(GetParam().op); }

INSTANTIATE_TEST_SUITE_P(Rows, IsaDescriptor, testing::ValuesIn(kEffects), [](const auto& effect) {
  return std::string(isa::info(effect.param.op).name) + std::string(effect.param.what);
});

}  // namespace

std::span<const Effect> descriptor_effects() { return kEffects; }

}  // namespace wse::isa
