// What an image asks for and a machine does not have: on the sample image, part by part.
#include "isa/image/machine_limits.h"

#include <gtest/gtest.h>

#include "isa/instruction/codec.h"

namespace wse::isa {
namespace {

Program program_of(std::vector<DescriptorLiteral> descriptors) {
  Program program;
  program.name = "p";
  program.descriptors = std::move(descriptors);
  return program;
}

DescriptorLiteral fabric(DescriptorKind kind, SlotValue colour,
                         SlotValue length = {false, kNoLength}) {
  DescriptorLiteral made;
  made.kind = kind;
  made.colour = colour;
  made.length = length;
  return made;
}

Task task(std::string name, TaskKind kind, std::uint32_t id) {
  Task made;
  made.name = std::move(name);
  made.kind = kind;
  made.id = {false, id};
  return made;
}

Image with(Program program) {
  Image image;
  image.width = 3;
  image.programs.push_back(std::move(program));
  return image;
}

std::vector<std::string> texts(const Image& image, const Profile& machine) {
  std::vector<std::string> all;
  for (const auto& breaches : {machine_breaches(image, machine), placed_breaches(image, machine)}) {
    for (const MachineBreach& breach : breaches) all.push_back(text(breach, image, machine));
  }
  return all;
}

std::vector<std::string> texts(const Image& image, std::string_view profile) {
  return texts(image, *find_profile(profile));
}

using Texts = std::vector<std::string>;

TEST(MachineLimits, ColoursAreListedInRanges) {
  EXPECT_EQ(colour_list(0), "");
  EXPECT_EQ(colour_list(1), "0");
  EXPECT_EQ(colour_list(0b110), "1, 2");
  EXPECT_EQ(colour_list(0b111), "0..2");
  EXPECT_EQ(colour_list(find_profile("wse3")->switch_colours), "0..9, 12, 13, 16, 17, 20, 21");
  EXPECT_EQ(colour_list(find_profile("wse2")->switch_colours), "0..23");
}

TEST(MachineLimits, UsesOfColoursCountOnce) {
  Program program = program_of(
      {fabric(DescriptorKind::FabricIn, {false, 3}), fabric(DescriptorKind::Indexed, {false, 3}),
       fabric(DescriptorKind::FabricOut, {true, 4}), fabric(DescriptorKind::Memory, {false, 9})});
  program.tasks.push_back(task("t", TaskKind::Data, 5));
  program.tasks.push_back(task("u", TaskKind::Teardown, 6));
  const ColourUses uses = colour_uses(program);
  EXPECT_EQ(uses.received, (std::vector<SlotValue>{{false, 3}, {false, 5}}));
  EXPECT_EQ(uses.sent, (std::vector<SlotValue>{{true, 4}}));
  EXPECT_TRUE(uses.has_slots());
  const std::uint32_t slots[] = {0, 0, 0, 0, 7};
  EXPECT_EQ(colours_of(uses.received, slots), 0b101000u);
  EXPECT_EQ(colours_of(uses.sent, slots), 1u << 7);
  const std::uint32_t none[] = {0, 0, 0, 0, 24};
  EXPECT_EQ(colours_of(uses.sent, none), 0u);
}

// Eight colours have a queue each, the ninth has none; on WSE-2 colours share.
TEST(MachineLimits, AQueueHasOneColour) {
  std::vector<DescriptorLiteral> out;
  for (std::uint32_t k = 0; k < 8; ++k) {
    out.push_back(fabric(DescriptorKind::FabricOut, {false, k}));
    out.push_back(fabric(DescriptorKind::FabricIn, {false, k}));
  }
  EXPECT_EQ(texts(with(program_of(out)), "wse3"), Texts{});
  out.push_back(fabric(DescriptorKind::FabricOut, {false, 8}));
  EXPECT_EQ(texts(with(program_of(out)), "wse3"),
            Texts{"program p sends 9 colours; wse3 has 8 output queues, each for one colour"});
  out.push_back(fabric(DescriptorKind::FabricIn, {false, 8}));
  EXPECT_EQ(texts(with(program_of(out)), "wse3").size(), 2u);
  EXPECT_EQ(texts(with(program_of(out)), "wse2"), Texts{});
  EXPECT_EQ(texts(with(program_of(out)), "model"), Texts{});
}

// What moves no word needs no queue, unless the program may give it another length.
TEST(MachineLimits, ALengthOfZeroNeedsNoQueue) {
  std::vector<DescriptorLiteral> out;
  for (std::uint32_t k = 0; k < 8; ++k) {
    out.push_back(fabric(DescriptorKind::FabricIn, {false, k}));
  }
  out.push_back(fabric(DescriptorKind::FabricIn, {false, 8}, {false, 0}));
  EXPECT_EQ(texts(with(program_of(out)), "wse3"), Texts{});
  Program sets = program_of(out);
  encode({.op = Op::SetLength}, sets.code);
  EXPECT_EQ(texts(with(sets), "wse3").size(), 1u);
  out.push_back(fabric(DescriptorKind::FabricIn, {false, 8}, {true, 1}));  // slot 1 is y
  Image image = with(program_of(out));
  image.height = 2;
  image.placements.emplace_back().rect = {{0, 2, 1}, {0, 0, 1}};
  EXPECT_EQ(texts(image, "wse3"), Texts{});
  image.placements[0].rect.y = {0, 1, 1};
  EXPECT_EQ(texts(image, "wse3"),
            Texts{"program p at PE(0, 1) receives 9 colours; wse3 has 8 input queues, each for one "
                  "colour"});
}

// The ninth colour is the x of the PE: 0, 1 and 2 have queues already, 9 and 10 not.
TEST(MachineLimits, ParametersCountWhereTheyAre) {
  std::vector<DescriptorLiteral> out;
  for (std::uint32_t k = 0; k < 8; ++k) {
    out.push_back(fabric(DescriptorKind::FabricOut, {false, k}));
  }
  out.push_back(fabric(DescriptorKind::FabricOut, {true, 0}));  // slot 0 is x
  Image image = with(program_of(out));
  image.width = 12;
  image.placements.emplace_back().rect = {{0, 7, 1}, {0, 0, 1}};
  EXPECT_EQ(texts(image, "wse3"), Texts{});
  image.placements[0].rect.x = {0, 11, 3};
  EXPECT_EQ(texts(image, "wse3"),
            Texts{"program p at PE(9, 0) sends 9 colours; wse3 has 8 output queues, each for one "
                  "colour"});
  EXPECT_EQ(texts(image, "wse2"), Texts{});
}

TEST(MachineLimits, AMachineMayHaveFewerColours) {
  Profile four = *find_profile("model");
  four.colours = 4;
  Image image = with(program_of({fabric(DescriptorKind::FabricOut, {false, 4}),
                                 fabric(DescriptorKind::FabricIn, {true, 0})}));  // slot 0 is x
  image.width = 12;
  image.placements.emplace_back().rect = {{0, 3, 1}, {0, 0, 1}};
  image.routes.resize(2);
  image.routes[0].colour = 3;
  image.routes[1].colour = 23;
  const Texts route_and_send{
      "the route of colour 23 uses colour number 23; model has colours 0 to 3",
      "program p uses colour number 4; model has colours 0 to 3"};
  EXPECT_EQ(texts(image, four), route_and_send);
  EXPECT_EQ(texts(image, "model"), Texts{});
  image.routes.clear();
  image.programs[0].descriptors.erase(image.programs[0].descriptors.begin());
  image.placements[0].rect.x = {0, 11, 1};
  EXPECT_EQ(texts(image, four),
            Texts{"program p at PE(4, 0) uses colour number 4; model has colours 0 to 3"});
}

TEST(MachineLimits, SomeColoursHaveNoSwitch) {
  Image image = with(program_of({}));
  Route route;
  route.routing.positions = {{Port::Ramp, bit(Port::East)}, {Port::West, bit(Port::Ramp)}};
  for (std::uint32_t colour = 0; colour < kMaxColours; ++colour) {
    route.colour = colour;
    image.routes.push_back(route);
  }
  const Texts found = texts(image, "wse3");
  ASSERT_EQ(found.size(), 8u);  // 10, 11, 14, 15, 18, 19, 22, 23
  EXPECT_EQ(found[0],
            "the route of colour 10 gives several switch positions to colour 10; on wse3 the "
            "colours with switches are 0..9, 12, 13, 16, 17, 20, 21");
  EXPECT_EQ(texts(image, "model"), Texts{});
  const Texts sides = texts(image, "wse2");
  ASSERT_EQ(sides.size(), 24u);
  EXPECT_EQ(sides[0],
            "the route of colour 0: position 1 changes both where wavelets come from and where "
            "they go; on wse2 a position can change one of them");
  for (Route& one : image.routes) one.routing.positions.resize(1);
  EXPECT_EQ(texts(image, "wse3"), Texts{});
}

TEST(MachineLimits, LocalTasksBeginAtEight) {
  Program program = program_of({});
  for (const std::uint32_t id : {0u, 7u, 8u, 30u}) {
    program.tasks.push_back(task("t", TaskKind::Local, id));
  }
  program.tasks.push_back(task("c", TaskKind::Control, 3));
  const Image image = with(program);
  EXPECT_EQ(texts(image, "wse3"),
            (Texts{"task t of program p has the id 0; on wse3 local tasks have ids from 8 on",
                   "task t of program p has the id 7; on wse3 local tasks have ids from 8 on"}));
  EXPECT_EQ(texts(image, "wse2"), Texts{});
}

TEST(MachineLimits, CodeChangesNoColours) {
  Program program = program_of({});
  encode({.op = Op::SetColour}, program.code);
  encode({.op = Op::SetLength}, program.code);
  EXPECT_EQ(texts(with(program), "wse3"),
            Texts{"program p gives a descriptor another colour; on wse3 a queue has one colour"});
  EXPECT_EQ(texts(with(program), "wse2"), Texts{});
}

}  // namespace
}  // namespace wse::isa
