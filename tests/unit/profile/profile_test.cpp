// Profile files: what a machine kept, as bytes and back; the same bytes however it was run; what is
// no profile is refused with the reason.
#include "vm/profile/profile.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "asm/assembler.h"
#include "tests/support/files.h"
#include "tests/support/simulation.h"
#include "vm/profile/collect.h"
#include "vm/profile/counts.h"
#include "vm/profile/routes_json.h"

namespace {

using namespace wse;
using Json = nlohmann::json;

// PE 0 sends eight words through PE 1 to PE 2, which takes six of them.
constexpr const char* kSends = R"(.grid 3, 2
.colour red
.program sends
  .i32 v[8] = i
  task main:
    mov32 fabout(red), v
.program takes
  .i32 v[6]
  task main:
    mov32 v, fabin(red)
.place sends at (0, 0)
.place takes at (2, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> east
.route red at (2, 0): west -> ramp
)";

struct Way {
  vm::TransportChoice transport = vm::TransportChoice::Stepper;
  std::uint32_t threads = 1;
  bool lines = true;
  std::uint32_t slices = 0;
};

vm::Profile profile_of(const std::string& text, const isa::Profile& machine_profile,
                       const Way& way = {}) {
  assembler::Output output =
      assembler::assemble({"test.wsa", text}, {.overrides = {}, .profile = machine_profile});
  EXPECT_TRUE(output.image) << isa::to_text(output.diagnostics, output.files);
  const auto machine = *vm::Machine::create(std::move(*output.image), machine_profile,
                                            {.threads = way.threads, .transport = way.transport});
  if (way.lines) {
    EXPECT_TRUE(machine->count_lines());
  }
  const vm::Record record = machine->run({.profile = true, .slices = way.slices});
  auto profile = vm::collect_profile(*machine, record, {"test.wsa", {{"P", "4"}}, &output.files});
  EXPECT_TRUE(profile);
  return std::move(*profile);
}

vm::Profile profile_of_sends(const Way& way = {}) {
  return profile_of(kSends, *isa::find_profile("wse2"), way);
}

std::uint64_t sum(const vm::Numbers& numbers) {
  std::uint64_t sum = 0;
  for (std::size_t k = 0; k < numbers.size(); ++k) sum += numbers[k];
  return sum;
}

const numpy::PackedArray& array_of(const vm::Profile& profile, std::string_view name) {
  return *profile.find(name);
}

// An array of bytes.
numpy::PackedArray packed_text(std::string name, std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return *numpy::packed({std::move(name), {"|u1", {bytes.size()}, {bytes.begin(), bytes.end()}}});
}

TEST(ProfileFile, HasTheArraysOfTheTable) {
  const vm::Profile profile = profile_of_sends();
  std::string names;
  for (const numpy::PackedArray& array : profile.arrays) names += array.name + " ";
  EXPECT_EQ(names,
            "meta busy memory_stall wait_output wait_input idle instructions elements flops sent "
            "received tasks halted_at link ramp queue_peak class program line_cycles line_most "
            "line_most_pe "
            "line_cause ");
  using Shape = std::vector<std::uint64_t>;
  EXPECT_EQ(array_of(profile, "busy").shape, (Shape{2, 3}));
  EXPECT_EQ(array_of(profile, "link").shape, (Shape{4, 2, 3}));
  EXPECT_EQ(array_of(profile, "ramp").shape, (Shape{2, 2, 3}));
  EXPECT_EQ(array_of(profile, "busy").dtype, "<u4");
}

TEST(ProfileFile, SaysWhatWasRun) {
  const vm::Profile profile = profile_of_sends();
  const Json meta = Json::parse(profile.meta);
  EXPECT_EQ(meta["file"], "test.wsa");
  EXPECT_EQ(meta["values"]["P"], "4");
  EXPECT_EQ(meta["ports"], (Json{"east", "west", "north", "south"}));
  EXPECT_EQ(meta["programs"], (Json{"sends", "takes"}));
  EXPECT_EQ(meta["record"]["cycles"], profile.cycles);
  for (const char* name : {"wall_seconds", "engine", "transport", "threads"}) {
    EXPECT_FALSE(meta["record"].contains(name)) << name;
  }
  const vm::Numbers link = profile.numbers("link");
  EXPECT_EQ(link[0], 8u);  // east of PE 0
  EXPECT_EQ(sum(link), meta["record"]["fabric"]["hops"].get<std::uint64_t>());
  const vm::Numbers program = profile.numbers("program");
  EXPECT_EQ(program[0], 0u);
  EXPECT_EQ(program[1], vm::kNoNumber);
  EXPECT_EQ(program[2], 1u);
}

// Words go to the east alone: slices have their ports in the order of `link`.
TEST(ProfileFile, HasThePortsOfSlicesInOneOrder) {
  const vm::Profile profile = profile_of_sends({.slices = 4});
  const vm::Numbers link = profile.numbers("link");
  const vm::Numbers over_time = profile.numbers("links_t");
  const std::size_t of_a_port = over_time.size() / profile.ports.size();
  ASSERT_EQ(profile.ports.front(), "east");
  for (std::size_t port = 0; port < profile.ports.size(); ++port) {
    std::uint64_t whole = 0;
    for (std::size_t pe = 0; pe < profile.pes(); ++pe) whole += link[port * profile.pes() + pe];
    std::uint64_t sum = 0;
    for (std::size_t k = 0; k < of_a_port; ++k) sum += over_time[port * of_a_port + k];
    EXPECT_EQ(sum, whole) << profile.ports[port];
    EXPECT_EQ(sum > 0, port == 0);
  }
}

TEST(ProfileFile, HasTheRoutes) {
  const Json routes = Json::parse(profile_of_sends().meta)["routes"];
  EXPECT_EQ(routes["total"], 3);
  ASSERT_EQ(routes["kinds"].size(), 3u);
  EXPECT_EQ(routes["kinds"][1]["colour"], 0);
  EXPECT_EQ(routes["kinds"][1]["positions"], Json::parse(R"([["west", ["east"]]])"));
  EXPECT_EQ(routes["kinds"][1]["where"], (Json{{1, 1, 1, 0, 0, 1}}));
  EXPECT_EQ(routes["kinds"][1]["pop"], "never");
}

// Routes that differ in their places alone are one; too many of them are left out.
TEST(ProfileFile, HasRoutesByKind) {
  const auto with_routes = [](std::size_t count) {
    isa::Image image;
    image.routes.resize(count);
    for (std::size_t k = 0; k < count; ++k) {
      image.routes[k].colour = k % 2;
      image.routes[k].routing.positions = {{isa::Port::West, isa::bit(isa::Port::East)},
                                           {isa::Port::Ramp, isa::bit(isa::Port::East)}};
    }
    return Json::parse(vm::routes_json(image).dump());
  };
  const Json five = with_routes(5);
  ASSERT_EQ(five["kinds"].size(), 2u);
  EXPECT_EQ(five["kinds"][0]["where"].size(), 3u);
  EXPECT_EQ(five["kinds"][1]["where"].size(), 2u);
  EXPECT_EQ(five["kinds"][0]["positions"],
            Json::parse(R"([["west", ["east"]], ["ramp", ["east"]]])"));
  EXPECT_EQ(with_routes(vm::kMostRouteRects)["kinds"].size(), 2u);
  const Json many = with_routes(vm::kMostRouteRects + 1);
  EXPECT_EQ(many["total"], vm::kMostRouteRects + 1);
  EXPECT_EQ(many["kinds"], nullptr);
}

TEST(ProfileFile, GivesEachCycleALine) {
  const vm::Profile profile = profile_of_sends();
  EXPECT_EQ(sum(profile.numbers("line_cycles")), 2 * profile.cycles);
  const auto takes = std::ranges::find(profile.lines, 10u, &vm::ProfileLine::line);
  ASSERT_NE(takes, profile.lines.end());
  EXPECT_EQ(takes->text, "    mov32 v, fabin(red)");
  EXPECT_EQ(takes->program, "takes");
  const auto row = static_cast<std::size_t>(takes - profile.lines.begin());
  EXPECT_GT(profile.numbers("line_most")[row], 0u);
  EXPECT_EQ(profile.numbers("line_most_pe")[row], 2u);
  EXPECT_TRUE(profile_of_sends({.lines = false}).numbers("line_cycles").empty());
}

TEST(ProfileFile, HasTheSameBytesHoweverTheProgramRuns) {
  const auto wanted = *vm::format_profile(profile_of_sends());
  for (const std::uint32_t threads : {1u, 2u}) {
    const Way way{.transport = vm::TransportChoice::Wafer, .threads = threads};
    EXPECT_EQ(*vm::format_profile(profile_of_sends(way)), wanted) << threads;
  }
}

TEST(ProfileFile, IsReadAsItWasWritten) {
  const vm::Profile profile = profile_of_sends();
  const auto again = vm::parse_profile(*vm::format_profile(profile));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->meta, profile.meta);
  EXPECT_EQ(again->width, 3u);
  EXPECT_EQ(again->height, 2u);
  EXPECT_EQ(again->cycles, profile.cycles);
  EXPECT_EQ(again->status, "halted");
  EXPECT_EQ(again->ports, profile.ports);
  EXPECT_EQ(again->programs, profile.programs);
  ASSERT_EQ(again->lines.size(), profile.lines.size());
  EXPECT_EQ(again->lines[1].text, profile.lines[1].text);
  EXPECT_EQ(*vm::format_profile(*again), *vm::format_profile(profile));
}

TEST(ProfileFile, HasAPortForEachDimensionOfAHypercube) {
  const vm::Profile profile = profile_of(R"(.hypercube 3
.colour red
.program sends
  task main:
    mov32 fabout(red), 7
.program takes
  task main:
    mov32 r1, fabin(red)
.place sends at (0, 0)
.place takes at (4, 0)
.route red at (0, 0): ramp -> dim2
.route red at (4, 0): dim2 -> ramp
)",
                                         *isa::find_profile("cm200"));
  EXPECT_EQ(profile.ports, (std::vector<std::string>{"dim0", "dim1", "dim2"}));
  EXPECT_EQ(array_of(profile, "link").shape, (std::vector<std::uint64_t>{3, 1, 8}));
  EXPECT_EQ(profile.numbers("link")[2 * 8], 1u);
}

TEST(Counts, AreWideIfOneNeedsIt) {
  using Values = std::vector<std::uint64_t>;
  constexpr std::uint64_t kWide = std::uint64_t{1} << 32;
  EXPECT_EQ(vm::pack_counts("a", {2}, {1, kWide - 1})->dtype, "<u4");
  EXPECT_EQ(vm::pack_counts("a", {2}, {1, kWide})->dtype, "<u8");
  const std::vector<Values> parts = {{1, kWide - 1}, {3, kWide}, {5, 6}};
  const auto part = [&parts](std::size_t k) -> isa::Result<Values> { return parts[k]; };
  EXPECT_EQ(vm::pack_counts("a", {2}, 1, part)->dtype, "<u4");
  const auto array = vm::pack_counts("a", {3, 2}, 3, part);
  ASSERT_TRUE(array) << array.error();
  EXPECT_EQ(array->dtype, "<u8");
  const vm::Numbers numbers(*array);
  ASSERT_EQ(numbers.size(), 6u);
  for (std::size_t k = 0; k < 6; ++k) EXPECT_EQ(numbers[k], parts[k / 2][k % 2]);
  EXPECT_EQ(vm::pack_counts("a", {7}, 3, part).error(), "cannot hold 48 bytes as (7,) of '<u8'");
  const auto missing = [](std::size_t) -> isa::Result<Values> { return isa::fail("none"); };
  EXPECT_EQ(vm::pack_counts("a", {7}, 3, missing).error(), "none");
}

TEST(ProfileFile, CountsBeyond32Bits) {
  isa::Profile slow = *isa::find_profile("model");
  slow.link_interval_cycles = isa::kMostCycles;
  const vm::Profile profile = profile_of(R"(.grid 2, 1
.colour red
.program sends
  .i32 v[1000]
  task main:
    mov32 fabout(red), v
.program takes
  .i32 v[1000]
  task main:
    mov32 v, fabin(red)
.place sends at (0, 0)
.place takes at (1, 0)
.route red at (0, 0): ramp -> east
.route red at (1, 0): west -> ramp
)",
                                         slow);
  EXPECT_GT(profile.cycles, std::uint64_t{1} << 33);
  EXPECT_EQ(array_of(profile, "wait_input").dtype, "<u8");
  EXPECT_EQ(array_of(profile, "link").dtype, "<u4");
  EXPECT_GT(profile.numbers("wait_input")[1], std::uint64_t{1} << 33);
  EXPECT_EQ(sum(profile.numbers("line_cycles")), 2 * profile.cycles);
  const vm::Numbers most = profile.numbers("line_most");
  std::uint64_t longest = 0;
  for (std::size_t k = 0; k < most.size(); ++k) longest = std::max(longest, most[k]);
  EXPECT_GT(longest, std::uint64_t{1} << 33);
}

// The error of a profile whose meta has another value at `pointer`, a JSON pointer.
std::string error_with(const char* pointer, const Json& value) {
  vm::Profile profile = profile_of_sends();
  Json meta = Json::parse(profile.meta);
  meta[Json::json_pointer(pointer)] = value;
  const std::string text = meta.dump();
  profile.arrays[0] = packed_text("meta", text);
  const auto parsed = vm::parse_profile(*vm::format_profile(profile));
  return parsed ? "no error" : parsed.error().message;
}

TEST(ProfileFile, IsRefusedIfItsTextIsWrong) {
  EXPECT_EQ(error_with("/format", "something else"), "is no profile of wsevm");
  EXPECT_EQ(error_with("/version", 9), "has version 9 of the profile format, 1 is known");
  EXPECT_EQ(error_with("/record/grid", Json{3}), "is no profile: 'meta' has no grid of PEs");
  EXPECT_EQ(error_with("/record/grid", Json{0, 2}), "is no profile: 'meta' has no grid of PEs");
  EXPECT_EQ(error_with("/record/grid", Json{4, 2}),
            "is no profile: 'busy' has the shape (2, 3), (2, 4) is wanted");
  EXPECT_EQ(error_with("/ports", Json{"east"}),
            "is no profile: 'link' has the shape (4, 2, 3), (1, 2, 3) is wanted");
  for (const char* pointer : {"/record/cycles", "/record", "/lines", "/lines/0/line", "/programs",
                              "/machine", "/format"}) {
    for (const Json& value : {Json(nullptr), Json("x"), Json{1.5, "x"}}) {
      const std::string error = error_with(pointer, value);
      EXPECT_TRUE(error.starts_with("is no profile")) << pointer << " " << value << ": " << error;
    }
  }
}

TEST(ProfileFile, IsRefusedIfItsArraysAreWrong) {
  const auto error_of = [](const std::vector<numpy::PackedArray>& arrays) {
    const auto parsed = vm::parse_profile(*numpy::format_npz(arrays));
    return parsed ? "no error" : parsed.error().message;
  };
  const vm::Profile good = profile_of_sends();
  auto arrays = good.arrays;
  arrays[1] = *numpy::packed({"busy", {"<i4", {2, 3}, std::vector<std::byte>(24)}});
  EXPECT_EQ(error_of(arrays), "is no profile: 'busy' has dtype '<i4', an unsigned one is wanted");
  arrays = good.arrays;
  arrays[0] = *numpy::packed({"meta", {"<u2", {3}, std::vector<std::byte>(6)}});
  EXPECT_EQ(error_of(arrays), "is no profile: 'meta' is no text");
  arrays.erase(arrays.begin());
  EXPECT_EQ(error_of(arrays), "is no profile: it has no array 'meta'");
  arrays = good.arrays;
  arrays[1].name = "an array of another version";
  EXPECT_EQ(error_of(arrays), "no error");
  arrays[0] = packed_text("meta", "{[!");
  EXPECT_EQ(error_of(arrays), "is no profile: 'meta' is no JSON object");
}

// A profile with arrays that machines may keep beside those that every profile has.
vm::Profile with_more(const Json& more) {
  vm::Profile profile = profile_of_sends();
  Json meta = Json::parse(profile.meta);
  meta.update(more);
  const std::string text = meta.dump();
  profile.arrays[0] = packed_text("meta", text);
  return profile;
}

std::string error_with_array(vm::Profile profile, const std::string& name,
                             std::vector<std::uint64_t> shape) {
  std::erase_if(profile.arrays, [&](const auto& array) { return array.name == name; });
  numpy::NpyArray array{"<u4", std::move(shape), {}};
  array.data.resize(*numpy::data_bytes(array.dtype, array.shape));
  profile.arrays.push_back(*numpy::packed({name, std::move(array)}));
  const auto parsed = vm::parse_profile(*vm::format_profile(profile));
  return parsed ? "no error" : parsed.error().message;
}

TEST(ProfileFile, MayHaveSlicesCausesClassesAndMarks) {
  const Json more = {
      {"marks", {"begin"}}, {"classes", {"one"}}, {"slices", {{"count", 3}, {"tile", 2}}}};
  const vm::Profile profile = with_more(more);
  const std::uint64_t lines = profile.lines.size();
  const std::uint64_t causes = profile.causes.size();
  using Shape = std::vector<std::uint64_t>;
  const std::pair<const char*, Shape> arrays[] = {
      {"queue_peak", {2, 3}},          {"class", {2, 3}},
      {"mark_first", {1, 2, 3}},       {"slices", {4}},
      {"line_cause", {lines, causes}}, {"activity", {5, 3, 1, 2}},
      {"links_t", {4, 3, 1, 2}}};
  for (const auto& [name, shape] : arrays) {
    EXPECT_EQ(error_with_array(profile, name, shape), "no error") << name;
    Shape other = shape;
    ++other.back();
    EXPECT_TRUE(error_with_array(profile, name, other)
                    .starts_with(fmt::format("is no profile: '{}' has the shape ", name)));
  }
  const auto with_slices = [](std::int64_t count, std::int64_t tile) {
    const Json slices = {{"slices", {{"count", count}, {"tile", tile}}}};
    const auto parsed = vm::parse_profile(*vm::format_profile(with_more(slices)));
    return parsed ? "no error" : parsed.error().message;
  };
  EXPECT_EQ(with_slices(4096, 1), "no error");
  for (const auto& [count, tile] : {std::pair{4097, 1}, {1, 0}, {1, 1 << 20}}) {
    EXPECT_EQ(with_slices(count, tile), "is no profile: 'meta' has impossible slices");
  }
}

TEST(ProfileFile, IsNamedInErrors) {
  const test_support::ScratchFolder scratch;
  isa::InputList inputs;
  const std::string path = scratch.path() / "a.npz";
  ASSERT_TRUE(vm::write_profile(path, inputs, profile_of_sends()));
  EXPECT_TRUE(vm::read_profile(path, inputs));
  test_support::write_text(path, "not a zip");
  const auto damaged = vm::read_profile(path, inputs);
  ASSERT_FALSE(damaged);
  EXPECT_TRUE(damaged.error().message.starts_with("'" + path + "' is no NumPy zip: "));
  EXPECT_FALSE(vm::read_profile(scratch.path() / "missing.npz", inputs));
}

}  // namespace
