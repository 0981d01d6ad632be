// The programs, assembled once, and what one run of each does.
#include "tests/bench/workloads.h"

#include <fmt/format.h>

#include <cstdlib>
#include <memory>

#include "asm/assembler.h"
#include "tests/support/files.h"
#include "vm/machine.h"

namespace wse::bench {
namespace {

double count(const vm::Record& record, Counted counted) {
  switch (counted) {
    case Counted::PeCycles:
      return static_cast<double>(record.cycles) * static_cast<double>(record.placed_pes);
    case Counted::Hops: return static_cast<double>(record.counters.hops);
    case Counted::Instructions: return static_cast<double>(record.counters.instructions);
    case Counted::Elements: return static_cast<double>(record.counters.elements);
  }
  return 0;
}

std::string unit_of(Counted counted) {
  switch (counted) {
    case Counted::PeCycles: return "PE-cycles/s";
    case Counted::Hops: return "hops/s";
    case Counted::Instructions: return "instructions/s";
    case Counted::Elements: return "elements/s";
  }
  return {};
}

std::string command_of(const ProgramRow& row) {
  std::string text = row.file;
  for (const auto& [key, value] : row.values) text += fmt::format(" {}={}", key, value);
  return text;
}

constexpr std::string_view kHeat = "programs/heat/heat.wsa";
constexpr std::string_view kBroadcast = "programs/broadcast-2d/broadcast-2d.wsa";
constexpr std::string_view kSparse = "tests/bench/programs/sparse.wsa";
constexpr std::string_view kIntegers = "tests/bench/programs/integers.wsa";

std::vector<Row> vector_rows() {
  constexpr std::string_view kKinds[] = {
      "add i16",          "add i32",          "add f16",           "add f32",
      "multiply-add f16", "multiply-add f32", "multiply-add mixed"};
  struct Length {
    int elements;
    int rounds;  // so that a run takes some hundredths of a second
  };
  constexpr Length kLengths[] = {{8, 100'000}, {64, 60'000}, {1024, 10'000}};
  std::vector<Row> rows;
  for (std::size_t kind = 0; kind < std::size(kKinds); ++kind) {
    for (const auto& [length, rounds] : kLengths) {
      rows.push_back(program({.name = fmt::format("{}, {} elements", kKinds[kind], length),
                              .file = "tests/bench/programs/vectors.wsa",
                              .values = {{"kind", std::to_string(kind)},
                                         {"N", std::to_string(length)},
                                         {"rounds", std::to_string(rounds)}},
                              .counted = Counted::Elements,
                              .against = Yardstick::Adds,
                              .headline = kind == 3 && length == 1024}));
    }
  }
  return rows;
}

}  // namespace

void give_up(const std::string& why) {
  fmt::print(stderr, "bench: {}\n", why);
  std::exit(1);
}

std::filesystem::path in_checkout(const std::string& file) {
  return std::filesystem::path(WSE_SOURCE_DIR) / file;
}

const isa::Profile& measured_profile() {
  static const isa::Profile profile = *isa::find_profile("wse2");
  return profile;
}

isa::Image assembled(const std::string& name, std::string text, const isa::Profile& profile,
                     const Values& values) {
  assembler::Output output =
      assembler::assemble({name, std::move(text)}, {.overrides = values, .profile = profile});
  if (!output.image) give_up(isa::to_text(output.diagnostics, output.files));
  return std::move(*output.image);
}

Row program(ProgramRow of) {
  const auto image = std::make_shared<isa::Image>(assembled(
      of.file, test_support::read_text(in_checkout(of.file)), measured_profile(), of.values));
  return {of.name,
          unit_of(of.counted),
          command_of(of),
          of.against,
          [image, counted = of.counted] {
            auto machine = vm::Machine::create(*image, measured_profile());
            if (!machine) give_up(machine.error());
            vm::Record record;
            const double seconds = seconds_of([&] { record = (*machine)->run({}); });
            if (record.status != vm::RunStatus::Halted) give_up(record.message);
            return Work{count(record, counted), seconds};
          },
          of.headline};
}

std::vector<Row> all_rows(const std::string& self) {
  const std::string heat(kHeat);
  const std::string broadcast(kBroadcast);
  const std::string integers(kIntegers);
  const std::string sparse(kSparse);
  const Values message = {{"B", "4000"}};
  const Values flood = {{"W", "256"}, {"H", "256"}, {"B", "64"}};
  std::vector<Row> rows = {
      loading("loading 755 x 994 PEs, one line", "tests/bench/programs/one-line.wsa", self),
      loaded_bytes("their memory, one line", "tests/bench/programs/one-line.wsa", self),
      loading("loading 755 x 994 PEs, 4 kB", "tests/bench/programs/four-kilobytes.wsa", self),
      loaded_bytes("their memory, 4 kB", "tests/bench/programs/four-kilobytes.wsa", self),
      assembly(),
      program({.name = "routers: message over 510 links",
               .file = sparse,
               .values = message,
               .counted = Counted::Hops,
               .headline = true}),
      program({.name = "routers: flood of 256 x 256 PEs",
               .file = broadcast,
               .values = flood,
               .counted = Counted::Hops}),
      program({.name = "dense: flood of 256 x 256 PEs", .file = broadcast, .values = flood}),
      program({.name = "dense: heat, 64 x 64 PEs",
               .file = heat,
               .values = {{"W", "64"}, {"H", "64"}, {"steps", "20"}},
               .headline = true}),
      program({.name = "dense: heat, 16 x 16 PEs",
               .file = heat,
               .values = {{"W", "16"}, {"H", "16"}, {"steps", "200"}}}),
      program({.name = "sparse: 2 of 256 x 256 PEs",
               .file = sparse,
               .values = message,
               .headline = true}),
      program({.name = "sparse: chain of 512 PEs",
               .file = "programs/reduce-chain/reduce-chain.wsa",
               .values = {{"P", "512"}, {"B", "256"}}}),
      program({.name = "scalar code, one PE",
               .file = integers,
               .values = {{"rounds", "2000000"}},
               .counted = Counted::Instructions,
               .headline = true}),
      program({.name = "scalar code, 64 x 64 PEs",
               .file = integers,
               .values = {{"W", "64"}, {"H", "64"}, {"rounds", "500"}},
               .counted = Counted::Instructions})};
  for (Row& row : vector_rows()) rows.push_back(std::move(row));
  return rows;
}

Row wafer_row() {
  return program({.name = "dense: heat, 755 x 994 PEs",
                  .file = std::string(kHeat),
                  .values = {{"W", "755"}, {"H", "994"}, {"steps", "4"}}});
}

}  // namespace wse::bench
