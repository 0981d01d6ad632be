// Tasks and functions: what headers become, which ids are chosen, what is added, and the loop of
// map. assemble_good() also takes each image apart and assembles it again.
#include <algorithm>

#include "tests/unit/asm/support.h"

namespace wse::assembler {
namespace {

using isa::TaskKind;

isa::Program program_of(std::string_view body, std::string_view top = "") {
  isa::Image image =
      assemble_good(".grid 2, 1\n.colour red, blue\n.entry finish, stop = 40\n" + std::string(top) +
                    ".program p(c: colour = blue, t: i32 = 24)\n"
                    "  .i32 v[8]\n  .i32 w[8]\n  .i16 h[8]\n" +
                    std::string(body) + "\n.place p at (0..1, 0)\n");
  return image.programs.empty() ? isa::Program{} : std::move(image.programs[0]);
}

std::vector<std::string> texts_of(std::string_view body) {
  const isa::Program program = program_of(body);
  isa::Image image;
  image.colours = {"red", "blue"};
  std::vector<std::string> texts;
  for (const isa::Instruction& i : decode_all(program)) {
    texts.push_back(isa::instruction_text(image, program, i));
  }
  return texts;
}

TEST(Tasks, HeadersOfAllKinds) {
  const isa::Program program = program_of(R"(
  .reg value, index = r9
  task main:
  task step:
    halt
  task pinned = 3 high:
  task take on red (value, index):
  task serve on c (r4) high:
  task moved on (x % 2 ? 5 : 6):
  task last control finish (r7):
  task other control stop:
  task redo teardown (red + 1):
)");
  ASSERT_EQ(program.tasks.size(), 9u);
  const auto expect = [&program](std::size_t k, TaskKind kind, isa::SlotValue id, bool high,
                                 const std::vector<std::uint32_t>& arguments) {
    const isa::Task& task = program.tasks[k];
    EXPECT_EQ(task.kind, kind) << k;
    EXPECT_EQ(task.id, id) << k;
    EXPECT_EQ(task.high, high) << k;
    EXPECT_EQ(task.arguments, arguments) << k;
    EXPECT_EQ(task.entry, k) << k;  // each is one word long
  };
  expect(0, TaskKind::Main, {}, false, {});
  expect(1, TaskKind::Local, {false, 24}, false, {});
  expect(2, TaskKind::Local, {false, 3}, true, {});
  expect(3, TaskKind::Data, {false, 0}, false, {0, 9});
  expect(4, TaskKind::Data, {true, isa::kBuiltinSlotCount}, true, {4});
  expect(5, TaskKind::Data, {true, isa::kBuiltinSlotCount + 2}, false, {});
  expect(6, TaskKind::Control, {false, 2}, false, {7});  // 0 and 1 are colours
  expect(7, TaskKind::Control, {false, 40}, false, {});
  expect(8, TaskKind::Teardown, {false, 1}, false, {});
}

TEST(Tasks, ExportedOnesAreLocalAndHaveTypedArguments) {
  const isa::Program program = program_of(R"(
  .reg n, alpha = r9
  task main:
  task step exported (n: i32, alpha: f32, r3: u16):
  task pinned = 3 exported high:
  task bare exported ():
)");
  using enum isa::Type;
  ASSERT_EQ(program.tasks.size(), 4u);
  EXPECT_TRUE(program.exports_tasks());
  EXPECT_FALSE(program.tasks[0].exported);
  const isa::Task& step = program.tasks[1];
  EXPECT_EQ(step.kind, TaskKind::Local);
  EXPECT_EQ(step.id.value, 24u);
  EXPECT_EQ(step.arguments, (std::vector<std::uint32_t>{0, 9, 3}));
  EXPECT_EQ(step.argument_types, (std::vector{I32, F32, U16}));
  EXPECT_EQ(isa::argument_text(step), "i32, f32, u16");
  EXPECT_TRUE(program.tasks[2].exported && program.tasks[2].high);
  EXPECT_EQ(program.tasks[2].id.value, 3u);
  EXPECT_TRUE(program.tasks[3].exported && program.tasks[3].arguments.empty());
}

TEST(Tasks, LocalTasksTakeIdsThatNoColourHasFirst) {
  std::string body = "  task main:\n    halt\n  task data on red:\n  task pinned = 25:\n";
  for (int k = 0; k < 8; ++k) body += "  task t" + std::to_string(k) + ":\n";
  const isa::Program program = program_of(body + "  task entry control 3:\n");
  const std::uint32_t kIds[] = {24, 26, 27, 28, 30, 1, 2, 4};  // 0 is red, 3 an entry
  for (std::size_t k = 0; k < 8; ++k) EXPECT_EQ(program.tasks[3 + k].id.value, kIds[k]) << k;
}

// Seven local tasks, a data task on a parameter and a control task, placed as the lines say.
std::string seven_tasks(std::string_view place, std::string_view top = "") {
  std::string text =
      ".grid 4, 1\n" + std::string(top) + ".program p(c: colour = 0)\n  task main:\n";
  for (int k = 0; k < 7; ++k) text += "  task t" + std::to_string(k) + ":\n    halt\n";
  return text + "  task take on c:\n" + std::string(place);
}

// The id of the first task beyond those that no colour can have.
std::uint32_t seventh_id(std::string_view place, std::string_view top = "") {
  const isa::Image image = assemble_good(seven_tasks(place, top));
  return image.programs.empty() ? ~0u : image.programs[0].tasks[7].id.value;
}

TEST(Tasks, ChosenIdsGoAroundTheColoursOfParameters) {
  EXPECT_EQ(seventh_id(".place p at (0, 0)\n"), 1u);
  EXPECT_EQ(seventh_id(".place p at (0, 0) with c = 3\n"), 0u);
  EXPECT_EQ(seventh_id(".place p at (0..3, 0) with c = x\n"), 4u);
  EXPECT_EQ(seventh_id(".place p at (0..3 step 2, 0) with c = x\n"), 1u);
  EXPECT_EQ(seventh_id(".place p at (0..1, 0)\n.place p at (2..3, 0) with c = 4 - x\n"), 3u);
  EXPECT_EQ(seventh_id(".place p at (0..3, 0) with c = red\n", ".colour blue, red\n"), 0u);
}

TEST(Tasks, AColourThatARunCanChangeMayBeAny) {
  const std::string param = ".param shift: i32 = 1\n";
  const std::string place = ".place p at (0, 0) with c = 2 + shift\n";
  EXPECT_NE(errors_of(seven_tasks(place, param)).find("E164"), std::string::npos);
  std::string pinned = seven_tasks(place, param);
  pinned.replace(pinned.find("task t3:"), 8, "task t3 = 9:");
  const isa::Image image = assemble_good(pinned);
  ASSERT_FALSE(image.programs.empty());
  EXPECT_EQ(image.programs[0].tasks[7].id.value, 30u);
}

// Values are looked at in no more PEs than the grid has, however many placements cover it.
TEST(Tasks, PlacementsThatOverlapDoNotMakeTheSearchLong) {
  const std::string whole = ".place p at (0..3, 0) with c = 0 * x\n";
  const std::string no_colour = ".place p at (0..3, 0) with c = 40 + x\n";
  EXPECT_NE(errors_of(seven_tasks(no_colour)).find("is no colour"), std::string::npos);
  const std::string errors = errors_of(seven_tasks(whole + whole + no_colour));
  EXPECT_NE(errors.find("two programs"), std::string::npos);
  EXPECT_EQ(errors.find("is no colour"), std::string::npos);
}

// The number chosen for `stop`, whose control task is beside the tasks of the lines.
std::uint32_t number_of_stop(std::string_view tasks, std::string_view with = "") {
  const isa::Image image = assemble_good(
      ".grid 4, 1\n.entry first, stop\n.program p(c: colour = 1)\n  task main:\n"
      "    unblock 20\n    halt\n  task ended control stop:\n" +
      std::string(tasks) + ".place p at (0..3, 0)" + std::string(with) + "\n");
  return image.programs.empty() ? ~0u : image.programs[0].tasks[1].id.value;
}

TEST(Tasks, NumbersOfEntriesGoAroundTheTasksBesideTheirs) {
  EXPECT_EQ(number_of_stop(""), 1u);  // 0 is `first`
  EXPECT_EQ(number_of_stop("  task t = 1:\n"), 2u);
  EXPECT_EQ(number_of_stop("  task t = 2:\n"), 1u);
  EXPECT_EQ(number_of_stop("  task t on 1:\n  task u = 2:\n"), 3u);
  EXPECT_EQ(number_of_stop("  task t on c:\n"), 2u);
  EXPECT_EQ(number_of_stop("  task t on c:\n", " with c = 2"), 1u);
  EXPECT_EQ(number_of_stop("  task t on c:\n", " with c = 5 + x"), 1u);
}

TEST(Tasks, SectionsEndWhereTheyHaveNoEnd) {
  EXPECT_EQ(texts_of("  task main:\n"), (std::vector<std::string>{"halt"}));
  EXPECT_EQ(texts_of("  task main:\n    call f\n  function f link r3:\n"),
            (std::vector<std::string>{"call r3, L2", "halt", "ret r3"}));
  EXPECT_EQ(texts_of("  function f link r3:\n  task main:\n    call f\n"),
            (std::vector<std::string>{"ret r3", "call r3, L0", "halt"}));
  EXPECT_EQ(texts_of("  task main:\n  task step:\n    end\n  task more:\n    halt\n"),
            (std::vector<std::string>{"end", "end", "halt"}));
}

TEST(Tasks, OperandsNameTasksAndColours) {
  const std::vector<std::string> texts = texts_of(R"(
  task main:
    activate step
    activate t
    activate r3
    block take
    unblock blue
    unblock c
    block serve
    unblock redo
    mov32 v, fabin(red) async 1 activate step
    mov32 w, fabin(c) async 2 unblock serve
    mov32 w, fabin(c) async 2 unblock take
    halt
  task step:
  task take on red:
  task serve on c:
  task redo teardown blue:
)");
  const std::vector<std::string> kExpected = {"activate step",
                                              "activate (t)",
                                              "activate r3",
                                              "block take",
                                              "unblock 1",
                                              "unblock serve",
                                              "block serve",
                                              "unblock 29",
                                              "setd d0, v",
                                              "setd d1, fabin(red)",
                                              "mov32 d0, d1 async 1 activate step",
                                              "setd d2, w",
                                              "setd d3, fabin(c)",
                                              "mov32 d2, d3 async 2 unblock serve",
                                              "mov32 d2, d3 async 2 unblock take",
                                              "halt"};
  ASSERT_GE(texts.size(), kExpected.size());
  for (std::size_t k = 0; k < kExpected.size(); ++k) {
    // A fabric operand takes its length from the array here; its text may say so.
    EXPECT_EQ(texts[k], kExpected[k]);
  }
}

TEST(Tasks, EntriesAreConstants) {
  const isa::Program program = program_of("  .i32 a[finish + stop]\n  task main:\n");
  EXPECT_EQ(program.symbols.back().count, 42u);
}

TEST(Map, GoesThroughSlicesAndTheFabric) {
  const std::string function = "  function f (r1) -> r2 link r9:\n";
  EXPECT_EQ(texts_of("  task main:\n    map h[7:-1:-1], f, v\n" + function),
            (std::vector<std::string>{"mov32 r0, 7", "mov32 r3, 0", "ld32x r1, v[r3]",
                                      "call r9, L10", "st16x h[r0], r2", "add32 r0, r0, -1",
                                      "add32 r3, r3, 1", "bne r0, -1, L2", "halt", "ret r9"}));
  EXPECT_EQ(
      texts_of("  task main:\n    map fabout(red), f, fabin(blue, length=5)\n" + function),
      (std::vector<std::string>{"mov32 r0, 0", "setd d0, fabin(blue, length=1)", "mov32 r1, d0",
                                "call r9, L12", "setd d0, fabout(red, length=1)", "mov32 d0, r2",
                                "add32 r0, r0, 1", "bne r0, 5, L1", "halt", "ret r9"}));
  EXPECT_EQ(texts_of("  task main:\n    map v[0:0], f, w[0:0]\n" + function),
            (std::vector<std::string>{"halt", "ret r9"}));
}

TEST(Map, ItsRegistersAreItsAlone) {
  // The function's own scratch register is another one than the index of the loop.
  const isa::Program program = program_of(R"(
  task main:
    map v, f, w
    halt
  function f (r1) -> r2 link r9:
    add32 r2, r1, v[3]
)");
  const std::vector<isa::Instruction> code = decode_all(program);
  EXPECT_EQ(code[0].destination, 0u);
  const auto load = std::ranges::find(code, isa::Op::Load32, &isa::Instruction::op);
  ASSERT_NE(load, code.end());
  EXPECT_EQ(load->destination, 15u);
}

}  // namespace
}  // namespace wse::assembler
