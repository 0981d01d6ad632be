// Record against record, symbol against symbol.
#include "tests/unit/vm/both_transports.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "asm/assembler.h"
#include "tests/support/engine.h"

namespace wse::both_transports {
namespace {

using vm::TransportChoice;

isa::Image assembled(const std::string& text, const isa::Profile& profile) {
  assembler::Output output =
      assembler::assemble({"fifo.wsa", text}, {.overrides = {}, .profile = profile});
  EXPECT_TRUE(output.image) << isa::to_text(output.diagnostics, output.files);
  return std::move(*output.image);
}

Ended run(const isa::Image& image, const isa::Profile& profile, TransportChoice transport,
          std::uint32_t threads, vm::Cycle limit) {
  auto machine = vm::Machine::create(
      image, profile,
      {.threads = threads, .transport = transport, .engine = test_support::test_engine()});
  EXPECT_TRUE(machine);
  Ended ended{std::move(*machine), {}};
  ended.record = ended.machine->run({.max_cycles = limit, .profile = true});
  return ended;
}

void expect_same(const isa::Image& image, const Ended& stepped, const Ended& moved) {
  const vm::Record& a = stepped.record;
  const vm::Record& b = moved.record;
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.message, b.message);
#define COUNTED(type, name, group, shown, joined) EXPECT_EQ(a.counters.name, b.counters.name);
#define TOTALLED(name, group, shown, joined) EXPECT_EQ(a.name, b.name);
#include "isa/machine/counters.def"
#undef COUNTED
#undef TOTALLED
  EXPECT_EQ(a.cycles, b.cycles);
  EXPECT_EQ(a.counters.pe_cycles, b.counters.pe_cycles);
  EXPECT_EQ(a.positions.size(), b.positions.size());
  for (const auto& [name, mark] : a.marks) {
    EXPECT_EQ(mark.first, b.marks.at(name).first) << name;
    EXPECT_EQ(mark.last, b.marks.at(name).last) << name;
    EXPECT_EQ(mark.count, b.marks.at(name).count) << name;
  }
  for (const std::string& name : stepped.machine->profile_arrays()) {
    EXPECT_EQ(*stepped.machine->profile_array(name), *moved.machine->profile_array(name)) << name;
  }
  for (const isa::Placement& placement : image.placements) {
    isa::for_each(placement.rect, [&](std::uint32_t x, std::uint32_t y) {
      for (const isa::Symbol& symbol : image.programs[placement.program].symbols) {
        EXPECT_EQ(stepped.words(x, y, symbol.name.c_str()), moved.words(x, y, symbol.name.c_str()))
            << symbol.name << " at (" << x << ", " << y << ")";
      }
    });
  }
}

}  // namespace

std::vector<std::uint32_t> Ended::words(std::uint32_t x, std::uint32_t y, const char* name) const {
  const auto array = machine->read_symbol(x, y, name);
  return array ? array->words : std::vector<std::uint32_t>();
}

Ended expect_same_ends(const std::string& text, const std::string& name, vm::RunStatus status) {
  return expect_same_ends(text, *isa::find_profile(name), status);
}

Ended expect_same_ends(const std::string& text, const isa::Profile& profile, vm::RunStatus status) {
  const isa::Image image = assembled(text, profile);
  Ended whole = run(image, profile, TransportChoice::Stepper, 1, vm::kNever);
  EXPECT_EQ(whole.record.status, status) << whole.record.message;
  const auto compare = [&](const Ended& stepped, std::uint32_t threads, vm::Cycle limit) {
    SCOPED_TRACE(fmt::format("{}, {} threads, limit {}", profile.name, threads, limit));
    const Ended moved = run(image, profile, TransportChoice::Wafer, threads, limit);
    EXPECT_EQ(moved.record.transport, "wafer");
    expect_same(image, stepped, moved);
  };
  for (const std::uint32_t threads : {1, 2, 3}) compare(whole, threads, vm::kNever);
  const vm::Cycle cycles = whole.record.cycles;
  for (const vm::Cycle limit : {cycles / 3, cycles / 2, cycles - 1, cycles + 9}) {
    compare(run(image, profile, TransportChoice::Stepper, 1, limit), 2, limit);
  }
  return whole;
}

}  // namespace wse::both_transports
