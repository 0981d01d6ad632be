// What verify() refuses: the rich image with one thing made impossible, and the reason it gives.
// The neighbours that are still legal are accepted.
#include <gtest/gtest.h>

#include "isa/instruction/codec.h"
#include "tests/unit/isa/image_samples.h"

namespace wse::isa {
namespace {

using Change = void (*)(Image&);

std::string verdict(Change change) {
  Image image = rich_image();
  change(image);
  const Status status = verify(image);
  return status ? "fine" : status.error();
}

std::string malformed(std::string_view what) {
  return "the image is malformed: " + std::string(what);
}

struct Refusal {
  std::string_view what;
  Change change;
};

constexpr std::string_view kGrid = "the grid is empty";

// Arguments of a launch, all in one register.
void give_arguments(Task& task, std::size_t count) {
  task.arguments.assign(count, 5);
  task.argument_types.assign(count, Type::U16);
}

// With an array of one word at that address, a second name.
Program& add_view(Image& image, std::uint32_t address) {
  Program& program = image.programs[0];
  program.symbols.push_back({.name = "second",
                             .type = Type::U32,
                             .is_array = true,
                             .count = 1,
                             .address = address,
                             .initial = {},
                             .is_view = true,
                             .where = {1, 5}});
  return program;
}

constexpr Refusal kRefusals[] = {
    // clang-format off
    {kGrid, [](Image& i) { i.width = 0; }},
    {kGrid, [](Image& i) { i.height = 0; }},
    {"a name", [](Image& i) { i.colours[0] = "a b"; }},
    {"a name", [](Image& i) { i.colours[0] = "1a"; }},
    {"a parameter", [](Image& i) { i.parameters[0].name = ""; }},
    {"a parameter", [](Image& i) { i.parameters[0].type = Type::Colour; }},
    {"a parameter", [](Image& i) { i.parameters[1].value = Number::of(0.5); }},
    {"the name of a mark", [](Image& i) { i.marks[0] = "\n"; }},
    {"the name of a program", [](Image& i) { i.programs[0].name = "a-b"; }},
    {"the role of a program", [](Image& i) { i.programs[0].role = "a\n"; }},
    {"the name of a parameter", [](Image& i) { i.programs[0].parameters[0].name = "a,b"; }},
    // symbols
    {"a symbol", [](Image& i) { i.programs[0].symbols[0].name = "?"; }},
    {"a symbol", [](Image& i) { i.programs[0].symbols[0].type = Type::Colour; }},
    {"the address of a symbol", [](Image& i) { i.programs[0].symbols[1].address = 9; }},
    {"the address of a symbol", [](Image& i) { i.programs[0].symbols[1].address = 0; }},
    {"the size of a scalar symbol", [](Image& i) { i.programs[0].symbols[0].count = 2; }},
    {"the size of a symbol", [](Image& i) { i.programs[0].symbols[1].count = 0x40000000; }},
    {"a formula is no tree", [](Image& i) { i.programs[0].symbols[1].initial->nodes[2].operand[0] = 2; }},
    {"the list of values of a symbol", [](Image& i) { i.programs[0].symbols[2].values.resize(1); }},
    {"the list of values of a symbol", [](Image& i) { i.programs[0].symbols[2].values.resize(6); }},
    {"the list of values of a symbol", [](Image& i) { i.programs[0].symbols[2].initial = Formula::of(Number::of(std::int64_t{1})); }},
    {"a listed value", [](Image& i) { i.programs[0].symbols[2].type = Type::F16; i.programs[0].symbols[2].values[0] = 0x7c00; }},
    {"the element of a listed formula", [](Image& i) { i.programs[0].symbols[2].formulas[0].element = 3; }},
    {"the element of a listed formula", [](Image& i) { i.programs[0].symbols[2].formulas.push_back(i.programs[0].symbols[2].formulas[0]); }},
    {"the value of a listed formula", [](Image& i) { i.programs[0].symbols[2].values[1] = 1; }},
    {"a listed formula that is constant", [](Image& i) { i.programs[0].symbols[2].formulas[0].formula = Formula::of(Number::of(std::int64_t{1})); }},
    {"a formula is no tree", [](Image& i) { i.programs[0].symbols[2].formulas[0].formula.nodes[2].operand[0] = 2; }},
    {"the number of a source file", [](Image& i) { i.programs[0].symbols[1].where.file = 2; }},
    // symbols 0 and 1 are 40 bytes of data, the third ends at 50
    {"a view", [](Image& i) { add_view(i, 8).symbols.push_back(i.programs[0].symbols[0]); }},
    {"a view", [](Image& i) { add_view(i, 48); }},
    {"a view", [](Image& i) { add_view(i, 8).symbols.back().count = 0; }},
    {"a view", [](Image& i) { add_view(i, 8).symbols.back().initial = Formula::of(Number::of(std::int64_t{1})); }},
    {"the address of a symbol", [](Image& i) { add_view(i, 9); }},
    // descriptors, slots
    {"a descriptor of no kind", [](Image& i) { i.programs[0].descriptors[0].kind = DescriptorKind::None; }},
    {"the number of a slot", [](Image& i) { i.programs[0].descriptors[1].colour.value = 10; }},
    {"the number of a slot", [](Image& i) { i.programs[0].descriptors[0].address = {true, 10}; }},
    {"the number of a slot", [](Image& i) { i.programs[0].descriptors[0].ring = {true, 10}; }},
    {"the number of a slot", [](Image& i) { i.programs[0].descriptors[0].start = {true, 10}; }},
    {"the number of a slot", [](Image& i) { i.programs[0].descriptors[0].inner[2].extent = {true, 10}; }},
    {"the stride of a descriptor", [](Image& i) { i.programs[0].descriptors[0].stride = kMaxStride + 1; }},
    {"the stride of a descriptor", [](Image& i) { i.programs[0].descriptors[0].inner[0].stride = -kMaxStride - 1; }},
    {"a descriptor that saves no position", [](Image& i) { i.programs[0].descriptors[1].saves = true; }},
    {"the dimensions of a descriptor", [](Image& i) { i.programs[0].descriptors[1].further = 1; }},
    {"the length of a descriptor", [](Image& i) { i.programs[0].descriptors[0].length.value = kNoLength; }},
    {"the length of a descriptor", [](Image& i) { i.programs[0].descriptors[3].length.value = 0x7fff; }},
    {"the length of a descriptor", [](Image& i) { i.programs[0].descriptors[3].length = {true, 4}; }},
    {"the options of a descriptor", [](Image& i) { i.programs[0].descriptors[0].options.endless = true; }},
    // seeds
    {"a formula is no tree", [](Image& i) { i.programs[0].seed->value.nodes[2].operand[0] = 2; }},
    {"a formula names a parameter that does not exist",
     [](Image& i) { i.programs[0].seed->value.nodes[0] = {.op = FormulaOp::Parameter, .index = 4, .constant = {}}; }},
    {"the number of a source file", [](Image& i) { i.programs[0].seed->where.file = 2; }},
    {"the shape of a symbol", [](Image& i) { i.programs[0].symbols[1].shape = {8}; }},
    {"the shape of a symbol", [](Image& i) { i.programs[0].symbols[1].shape = {2, 3}; }},
    {"the shape of a symbol", [](Image& i) { i.programs[0].symbols[1].shape = {1, 2, 2, 2, 1}; }},
    {"the shape of a symbol", [](Image& i) { i.programs[0].symbols[1].shape = {65536, 65536, 8}; }},
    {"a formula names a parameter that does not exist",
     [](Image& i) { i.programs[0].derived[0].formula.nodes[0].index = 4; }},
    {"a formula names a parameter that does not exist", [](Image& i) { i.parameters.pop_back(); }},
    // code
    {"code word 0 of small", [](Image& i) { i.programs[1].code[0] = 0; }},
    {"code word 0 of small", [](Image& i) { i.programs[1].code = {0x41000000}; }},
    {"a literal", [](Image& i) { i.programs[0].literals.resize(1); }},
    {"a descriptor literal", [](Image& i) { i.programs[0].descriptors.clear(); }},
    {"a mark", [](Image& i) { i.marks.clear(); }},
    {"a print text", [](Image& i) { i.programs[0].prints.clear(); }},
    {"the target of a branch or task", [](Image& i) { i.programs[1].code[0] = 0x40000003; }},
    {"the target of a branch or task", [](Image& i) { i.programs[1].tasks[1].entry = 3; }},
    {"the target of a branch or task", [](Image& i) { i.programs[1].tasks[0].entry = 0xffffffff; }},
    {"the name of a task", [](Image& i) { i.programs[1].tasks[0].name = ""; }},
    {"the name of a task", [](Image& i) { i.programs[1].tasks[1].name = "main"; }},
    {"the name of a task", [](Image& i) { i.programs[1].tasks[0].name = "start"; }},
    {"the id of a task", [](Image& i) { i.programs[1].tasks[1].id.value = 31; }},
    {"the id of a task", [](Image& i) { i.programs[1].tasks[1].id.value = 29; }},
    {"the id of a task", [](Image& i) { i.programs[0].tasks[3].id.value = 31; }},
    {"the id of a task", [](Image& i) { i.programs[0].tasks[1].id = {true, 6}; }},
    {"the id of a task", [](Image& i) { i.programs[0].tasks[2].id = {false, 24}; }},
    {"the id of a task", [](Image& i) { i.programs[0].tasks[3].id = {false, 64}; }},
    {"the id of a task", [](Image& i) { i.programs[0].tasks[4].id = {false, 24}; }},
    {"the id of a task", [](Image& i) { i.programs[0].tasks[0].id = {false, 1}; }},
    {"the number of a slot", [](Image& i) { i.programs[0].tasks[2].id = {true, 10}; }},
    {"the arguments of a task", [](Image& i) { i.programs[0].tasks[2].arguments.push_back(5); }},
    {"the arguments of a task", [](Image& i) { i.programs[0].tasks[2].arguments[0] = 16; }},
    {"the arguments of a task", [](Image& i) { i.programs[0].tasks[3].arguments.push_back(1); }},
    {"the arguments of a task", [](Image& i) { i.programs[0].tasks[1].arguments.push_back(1); }},
    {"an exported task", [](Image& i) { give_arguments(i.programs[1].tasks[1], 16); }},
    {"the arguments of a task", [](Image& i) { i.programs[1].tasks[1].arguments[1] = 16; }},
    {"an exported task", [](Image& i) { i.programs[1].tasks[1].argument_types.pop_back(); }},
    {"an exported task", [](Image& i) { i.programs[1].tasks[1].argument_types[0] = Type::Colour; }},
    {"an exported task", [](Image& i) { i.programs[0].tasks[1].argument_types.push_back(Type::I32); }},
    {"an exported task", [](Image& i) { i.programs[0].tasks[2].exported = true; }},
    {"an exported task", [](Image& i) { i.programs[0].tasks[0].exported = true; }},
    {"code that runs past its end", [](Image& i) { i.programs[0].code.pop_back(); }},
    {"the order of the line table", [](Image& i) { std::swap(i.programs[0].lines[0], i.programs[0].lines[1]); }},
    {"the order of the line table", [](Image& i) { i.programs[0].lines[1].pc = i.programs[0].lines[0].pc; }},
    {"the number of a source file", [](Image& i) { i.programs[0].lines[3].where.file = 9; }},
    // prints
    {"a print text", [](Image& i) { i.programs[0].prints[0][0].value = 16; }},
    {"a print text", [](Image& i) { i.programs[0].prints[0][1].value = 13; }},
    {"a print text", [](Image& i) { i.programs[0].prints[0][1].value = 52; }},
    {"a print text", [](Image& i) { i.programs[0].prints[0][1].value = 0xfffffffc; }},
    {"a print text", [](Image& i) { i.programs[0].prints[0][2].value = 10; }},
    // placements
    {"the program of a placement", [](Image& i) { i.placements[0].program = 2; }},
    {"the arguments of a placement", [](Image& i) { i.placements[0].arguments.pop_back(); }},
    {"a formula names a parameter that does not exist",
     [](Image& i) { i.placements[0].arguments[0].nodes[0].op = FormulaOp::Parameter; }},
    {"an empty formula", [](Image& i) { i.placements[0].arguments[0].nodes.clear(); }},
    {"a range outside the grid", [](Image& i) { i.placements[0].rect.x.last = 4; }},
    {"a range outside the grid", [](Image& i) { i.placements[0].rect.y.first = -1; }},
    {"a step below 1", [](Image& i) { i.placements[0].rect.x.step = 0; }},
    {"a step below 1", [](Image& i) { i.placements[0].rect.y.step = -1; }},
    {"the number of a source file", [](Image& i) { i.placements[0].where.file = 2; }},
    // routes
    {"the colour of a route", [](Image& i) { i.routes[0].colour = 24; }},
    {"a route without positions", [](Image& i) { i.routes[0].routing.positions.clear(); }},
    {"the ports of a route", [](Image& i) { i.routes[0].routing.positions[0].tx = 0; }},
    {"the ports of a route", [](Image& i) { i.routes[0].routing.positions[0].tx = 32; }},
    {"the ports of a route", [](Image& i) { i.routes[0].routing.positions[0].rx = Port::Dim0; }},
    {"a range outside the grid", [](Image& i) { i.routes[0].rect.y.last = 2; }},
    {"a route without positions", [](Image& i) { i.programs[0].routings[0].routing.positions.clear(); }},
    {"the name of a routing", [](Image& i) { i.programs[0].routings[0].name = ""; }},
    {"a routing", [](Image& i) { i.programs[0].routings.clear(); }},
    // filters and streams
    {"the name of a filter", [](Image& i) { i.programs[0].filters[1].name = "a b"; }},
    {"the values of a filter", [](Image& i) { i.programs[0].filters[0].values.pop_back(); }},
    {"a value of a filter", [](Image& i) { i.programs[0].filters[0].values[1].value = 0x10000; }},
    {"the number of a slot", [](Image& i) { i.programs[0].filters[0].values[0].value = 99; }},
    {"a filter", [](Image& i) { i.programs[0].filters.clear(); }},
    {"the colour of a filter", [](Image& i) { i.filters[0].colour = 24; }},
    {"the values of a filter", [](Image& i) { i.filters[1].values.pop_back(); }},
    {"the options of a filter", [](Image& i) { i.filters[0].shape.control_filtered = true; }},
    {"an empty formula", [](Image& i) { i.filters[0].values[0].nodes.clear(); }},
    {"a range outside the grid", [](Image& i) { i.filters[0].rect.y.last = 2; }},
    {"the name of a stream", [](Image& i) { i.streams[0].name = ""; }},
    {"a stream", [](Image& i) { i.streams[1].count = 2; }},
    {"a stream", [](Image& i) { i.streams[0].type = Type::Colour; }},
    {"the colour of a stream", [](Image& i) { i.streams[0].colour = 24; }},
    {"a stream inside the grid", [](Image& i) { i.streams[0].side = Port::East; }},
    {"a stream inside the grid", [](Image& i) { i.streams[1].rect.y = {1, 1, 1}; }},
    {"the side of a stream", [](Image& i) { i.streams[0].side = Port::Ramp; }},
    // expectations
    {"a tolerance", [](Image& i) { i.expectations[0].within = -1; }},
    {"a tolerance", [](Image& i) { i.expectations[0].within = 1e308 * 10; }},
    {"a range outside the grid", [](Image& i) { i.expectations[0].rect.x.last = 100; }},
    {"an empty formula", [](Image& i) { i.expectations[1].value.nodes.clear(); }},
    // clang-format on
};

TEST(IsaImageVerify, RefusesWhatIsImpossible) {
  for (const Refusal& refusal : kRefusals) {
    EXPECT_EQ(verdict(refusal.change), malformed(refusal.what)) << &refusal - kRefusals;
  }
}

constexpr Refusal kHypercubeRefusals[] = {
    // clang-format off
    {"the dimensions of the hypercube", [](Image& i) { i.hypercube_dimensions = 13; }},
    {"the dimensions of the hypercube", [](Image& i) { i.hypercube_dimensions = ~0u; }},
    {"the grid of a hypercube", [](Image& i) { i.hypercube_dimensions = 4; }},
    {"the grid of a hypercube", [](Image& i) { i.height = 2; }},
    {"the ports of a route", [](Image& i) { i.routes[0].routing.positions[0].rx = Port::West; }},
    {"the ports of a route", [](Image& i) { i.routes[0].routing.positions[0].tx = bit(Port::East); }},
    {"the ports of a route", [](Image& i) { i.routes[0].routing.positions[0].tx = bit(Port::Dim0) << 3; }},
    {"the ports of a route", [](Image& i) { i.hypercube_dimensions = 0; }},
    {"a stream of a hypercube", [](Image& i) { i.streams = rich_image().streams; }},
    // clang-format on
};

Image hypercube_image() {
  Image image;
  image.width = 8;
  image.hypercube_dimensions = 3;
  image.routes.push_back({.colour = 0, .rect = {{0, 7, 1}, {0, 0, 1}}, .routing = {}, .where = {}});
  image.routes[0].routing.positions = {{Port::Dim0, bit(Port::Dim0) << 2 | bit(Port::Ramp)}};
  return image;
}

TEST(IsaImageVerify, RefusesWhatIsImpossibleOnAHypercube) {
  EXPECT_TRUE(verify(hypercube_image()));
  for (const Refusal& refusal : kHypercubeRefusals) {
    Image image = hypercube_image();
    refusal.change(image);
    const Status status = verify(image);
    EXPECT_EQ(status ? "fine" : status.error(), malformed(refusal.what))
        << &refusal - kHypercubeRefusals;
  }
}

constexpr Change kLegal[] = {
    // clang-format off
    [](Image& i) { i.programs[0].symbols[1].address = 4; },
    [](Image& i) { i.programs[0].symbols[1].count = 0; i.programs[0].prints.assign(1, {}); },
    [](Image& i) { i.programs[0].prints[0][1].value = 36; },
    [](Image& i) { i.programs[1].tasks[1].id.value = 0; },
    [](Image& i) { give_arguments(i.programs[1].tasks[1], 15); },
    [](Image& i) { give_arguments(i.programs[1].tasks[1], 0); },
    [](Image& i) { i.programs[0].tasks[1].exported = true; },
    [](Image& i) { i.programs[0].tasks[2].id = {false, 23}; },
    [](Image& i) { i.programs[0].tasks[2].arguments.clear(); },
    [](Image& i) { i.placements[0].rect.x = {5, 4, 1}; },
    [](Image& i) { i.placements[0].rect.x = {0, 5, 3}; },
    [](Image& i) { i.placements[0].where = {9, 0}; },
    [](Image& i) { i.routes[0].routing.positions[0].tx = 31; },
    [](Image& i) { i.expectations[0].within = 0; },
    // clang-format on
};

TEST(IsaImageVerify, AcceptsWhatIsJustPossible) {
  for (const Change& change : kLegal) EXPECT_EQ(verdict(change), "fine") << &change - kLegal;
}

// A step of 0 must not be divided by, nor counted with.
TEST(IsaImageVerify, AStepOfZeroIsRefusedEverywhere) {
  constexpr Change kSteps[] = {[](Image& i) { i.placements[1].rect.y.step = 0; },
                               [](Image& i) { i.routes[0].rect.x.step = 0; },
                               [](Image& i) { i.expectations[0].rect.y.step = 0; }};
  for (const Change& change : kSteps) EXPECT_EQ(verdict(change), malformed("a step below 1"));
}

}  // namespace
}  // namespace wse::isa
