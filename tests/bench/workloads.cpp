// The programs, assembled once, and what one run of each does.
#include "tests/bench/workloads.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "asm/assembler.h"
#include "jit/engines.h"
#include "jit/load_compiler.h"
#include "tests/support/files.h"

namespace wse::bench {
namespace {

double count(const vm::Record& record, Counted counted) {
  switch (counted) {
    case Counted::PeCycles:
      return static_cast<double>(record.cycles) * static_cast<double>(record.placed_pes);
    case Counted::Hops: return static_cast<double>(record.counters.hops);
    case Counted::Instructions: return static_cast<double>(record.counters.instructions);
    case Counted::Elements: return static_cast<double>(record.counters.elements);
    case Counted::Seconds: break;
  }
  return 0;
}

Work work(const vm::Record& record, double seconds, Counted counted) {
  if (counted == Counted::Seconds) return {seconds, 1};
  return {count(record, counted), seconds};
}

std::string unit_of(Counted counted) {
  switch (counted) {
    case Counted::PeCycles: return "PE-cycles/s";
    case Counted::Hops: return "hops/s";
    case Counted::Instructions: return "instructions/s";
    case Counted::Elements: return "elements/s";
    case Counted::Seconds: return "s";
  }
  return {};
}

std::string command_of(const ProgramRow& row) {
  std::string text = row.file;
  for (const auto& [key, value] : row.values) text += fmt::format(" {}={}", key, value);
  if (row.compiled) text += " --engine=jit";
  return text;
}

constexpr std::string_view kHeat = "tests/bench/programs/heat.wsa";
constexpr std::string_view kBroadcast = "programs/broadcast-2d/broadcast-2d.wsa";
constexpr std::string_view kSparse = "tests/bench/programs/sparse.wsa";
constexpr std::string_view kIntegers = "tests/bench/programs/integers.wsa";
constexpr std::string_view kStencil = "tests/bench/programs/stencil-25.wsa";

std::vector<Row> router_rows() {
  return {program({.name = "routers: message over 510 links",
                   .file = std::string(kSparse),
                   .values = {{"B", "4000"}},
                   .counted = Counted::Hops,
                   .headline = true}),
          program({.name = "routers: flood of 128 x 128 PEs",
                   .file = std::string(kBroadcast),
                   .values = {{"W", "128"}, {"H", "128"}, {"B", "1024"}},
                   .counted = Counted::Hops}),
          program({.name = "routers: 25-point step of 64 x 64 PEs, two threads",
                   .file = std::string(kStencil),
                   .values = {{"W", "64"}, {"H", "64"}, {"B", "334"}},
                   .counted = Counted::Hops,
                   .threads = 2})};
}

// On one thread, and on two and with compiled code beside that.
std::vector<Row> heat(const std::string& side, const std::string& steps) {
  ProgramRow of{.name = fmt::format("dense: heat, {0} x {0} PEs", side),
                .file = std::string(kHeat),
                .values = {{"W", side}, {"H", side}, {"steps", steps}},
                .headline = true};
  const Row one = program(of);
  of.name += ", two threads";
  of.threads = 2;
  Row two = program(of);
  two.against = {"of one thread", one.run};
  of.name = fmt::format("dense: heat, {0} x {0} PEs, compiled", side);
  of.threads = 1;
  of.compiled = true;
  of.against = {"interpreted", one.run};
  std::vector<Row> rows = {one, std::move(two)};
  if (can_compile()) rows.push_back(program(of));
  return rows;
}

std::vector<Row> other_mesh_rows() {
  return {program({.name = "dense: flood of 256 x 256 PEs",
                   .file = std::string(kBroadcast),
                   .values = {{"W", "256"}, {"H", "256"}, {"B", "64"}}}),
          program({.name = "dense: heat, 16 x 16 PEs",
                   .file = std::string(kHeat),
                   .values = {{"W", "16"}, {"H", "16"}, {"steps", "200"}}}),
          program({.name = "sparse: 2 of 256 x 256 PEs",
                   .file = std::string(kSparse),
                   .values = {{"B", "4000"}},
                   .headline = true}),
          program({.name = "sparse: chain of 512 PEs",
                   .file = "programs/reduce-chain/reduce-chain.wsa",
                   .values = {{"P", "512"}, {"B", "256"}}})};
}

std::vector<Row> mesh_rows() {
  std::vector<Row> rows = heat("64", "20");
  std::ranges::move(heat("512", "2"), std::back_inserter(rows));
  std::ranges::move(other_mesh_rows(), std::back_inserter(rows));
  return rows;
}

std::vector<Row> scalar_rows() {
  const auto accesses = [](const std::string& name, const std::string& stores) {
    return program({.name = "scalar code, " + name,
                    .file = "tests/bench/programs/accesses.wsa",
                    .values = {{"stores", stores}, {"rounds", "1000000"}},
                    .counted = Counted::Instructions});
  };
  const Row loads = accesses("loads", "0");
  Row stores = accesses("stores", "1");
  stores.against = {"loads", loads.run};
  return {program({.name = "scalar code, one PE",
                   .file = std::string(kIntegers),
                   .values = {{"rounds", "2000000"}},
                   .counted = Counted::Instructions,
                   .headline = true}),
          program({.name = "scalar code, 64 x 64 PEs",
                   .file = std::string(kIntegers),
                   .values = {{"W", "64"}, {"H", "64"}, {"rounds", "500"}},
                   .counted = Counted::Instructions}),
          loads, std::move(stores)};
}

std::vector<Row> compiled_rows() {
  if (!can_compile()) return {};
  return {program({.name = "scalar code, one PE, compiled",
                   .file = std::string(kIntegers),
                   .values = {{"rounds", "20000000"}},
                   .counted = Counted::Instructions,
                   .headline = true,
                   .compiled = true})};
}

}  // namespace

bool can_compile() { return jit::llvm_version() != "none"; }

const vm::Engine& compiling_engine() {
  static const std::unique_ptr<vm::Engine> kEngine = [] {
    auto engine = jit::make_engine("jit", {});
    if (!engine) give_up(engine.error());
    return std::move(*engine);
  }();
  return *kEngine;
}

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

Run run_of(const isa::Image& image, const vm::MachineOptions& options,
           const isa::Profile& profile) {
  auto machine = vm::Machine::create(image, profile, options);
  if (!machine) give_up(machine.error().message);
  Run run;
  run.seconds = seconds_of([&] { run.record = (*machine)->run({}); });
  if (run.record.status != vm::RunStatus::Halted) give_up(run.record.message);
  return run;
}

Row program(const ProgramRow& of) {
  const isa::Profile& profile = of.machine != nullptr ? *of.machine : measured_profile();
  const auto image = made_once([of, &profile] {
    return assembled(of.file, test_support::read_text(in_checkout(of.file)), profile, of.values);
  });
  return {of.name,
          unit_of(of.counted),
          command_of(of),
          of.against,
          [image, of, &profile] {
            const Run run = run_of(image(),
                                   {.threads = of.threads,
                                    .transport = of.transport,
                                    .engine = of.compiled ? &compiling_engine() : nullptr},
                                   profile);
            return work(run.record, run.seconds, of.counted);
          },
          of.headline};
}

std::vector<Row> all_rows(const std::string& self) {
  std::vector<Row> rows;
  const auto add = [&rows](auto more) { std::ranges::move(more, std::back_inserter(rows)); };
  add(loading("one line", "tests/bench/programs/one-line.wsa", self));
  add(loading("4 kB", "tests/bench/programs/four-kilobytes.wsa", self));
  add(loading("4 kB alike", "tests/bench/programs/four-kilobytes-alike.wsa", self));
  rows.push_back(assembly());
  add(router_rows());
  add(mesh_rows());
  add(scalar_rows());
  add(compiled_rows());
  add(vector_rows());
  add(profile_rows());
  return rows;
}

std::vector<Row> wafer_rows() {
  static const isa::Profile kModel = *isa::find_profile("model");
  const auto on_wafer = [](const std::string& what, const std::string& file, Values values) {
    return program({.name = "wafer: " + what,
                    .file = file,
                    .values = std::move(values),
                    .counted = Counted::Seconds,
                    .machine = &kModel,
                    .transport = vm::TransportChoice::Wafer});
  };
  const std::string stencil(kStencil);
  return {
      program({.name = "dense: heat, 755 x 994 PEs",
               .file = std::string(kHeat),
               .values = {{"W", "755"}, {"H", "994"}, {"steps", "4"}}}),
      on_wafer("chain on each of 512 rows", "tests/bench/programs/chain-rows.wsa",
               {{"P", "512"}, {"H", "512"}, {"B", "4096"}}),
      on_wafer("flood of 512 x 512 PEs", std::string(kBroadcast),
               {{"W", "512"}, {"H", "512"}, {"B", "1024"}}),
      on_wafer("tree of 512 PEs", "programs/reduce-tree/reduce-tree.wsa",
               {{"P", "512"}, {"B", "4096"}}),
      on_wafer("25-point step, 75 x 99 PEs", stencil, {{"W", "75"}, {"H", "99"}, {"B", "334"}}),
      on_wafer("25-point step in a corner of 755 x 994 PEs", stencil,
               {{"W", "75"}, {"H", "99"}, {"B", "334"}, {"COLUMNS", "755"}, {"ROWS", "994"}}),
      on_wafer("25-point step, 512 x 512 PEs", stencil, {{"W", "512"}, {"H", "512"}, {"B", "334"}}),
      on_wafer("25-point step, 755 x 994 PEs", stencil,
               {{"W", "755"}, {"H", "994"}, {"B", "334"}})};
}

}  // namespace wse::bench
