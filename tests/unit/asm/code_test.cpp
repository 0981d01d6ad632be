// Instructions: how each form of operand is encoded, which set-ups are added, where values lie.
#include <bit>

#include "tests/unit/asm/support.h"

namespace wse::assembler {
namespace {

using isa::Instruction;
using isa::Op;
using isa::ScalarKind;
using isa::SourceKind;

constexpr auto kImmediate = static_cast<std::uint32_t>(ScalarKind::Immediate);
constexpr auto kLiteral = static_cast<std::uint32_t>(ScalarKind::Literal);
constexpr auto kSlot = static_cast<std::uint32_t>(ScalarKind::Slot);
constexpr auto kDescriptor = static_cast<std::uint32_t>(SourceKind::Descriptor);
constexpr auto kScalar = static_cast<std::uint32_t>(SourceKind::Scalar);

Instruction only(std::string_view line) {
  const std::vector<Instruction> code = decode_all(build(line));
  EXPECT_EQ(code.size(), 2u) << line;
  return code.front();
}

TEST(Code, EncodesScalarOperands) {
  EXPECT_EQ(only("add32 r1, r2, r3"),
            (Instruction{.op = Op::Add32, .destination = 1, .source_a = 2, .scalar = 3}));
  EXPECT_EQ(only("add32 r1, r2, -1"), (Instruction{.op = Op::Add32,
                                                   .destination = 1,
                                                   .source_a = 2,
                                                   .scalar_kind = kImmediate,
                                                   .scalar = 0x3fff}));
  EXPECT_EQ(only("mov32 r4, 8191").immediate(), 8191);
  EXPECT_EQ(only("mov32 r4, -8192").immediate(), -8192);
  EXPECT_EQ(only("mov32 r4, 8192").scalar_kind, kLiteral);
  EXPECT_EQ(
      only("fmacs r1, r2, r3, r4"),
      (Instruction{.op = Op::FMacS, .destination = 1, .source_a = 2, .source_b = 3, .scalar = 4}));
  EXPECT_EQ(only("tsc r9"), (Instruction{.op = Op::ReadTsc, .destination = 9}));
}

TEST(Code, ValuesTakeTheTypeOfTheInstruction) {
  const auto literal = [](std::string_view line) {
    const isa::Program program = build(line);
    return program.literals.empty() ? 0 : program.literals[0];
  };
  EXPECT_EQ(literal("fmovs r1, 2"), std::bit_cast<std::uint32_t>(2.0f));
  EXPECT_EQ(literal("mov32 r1, 2.0"), std::bit_cast<std::uint32_t>(2.0f));
  EXPECT_EQ(literal("mov32 r1, 0xffff0000"), 0xffff0000u);
  EXPECT_EQ(literal("and32 r1, r1, 0x80000000"), 0x80000000u);
  EXPECT_EQ(only("fmovs r1, 0").scalar_kind, kImmediate);
  EXPECT_EQ(build("fmovs r1, 1.5\n fadds r2, r1, 1.5\n fmovs r3, 2.5").literals.size(), 2u);
}

TEST(Code, ParametersAreSlots) {
  EXPECT_EQ(only("mov32 r1, y"),
            (Instruction{.op = Op::Mov32, .destination = 1, .scalar_kind = kSlot, .scalar = 1}));
  EXPECT_EQ(only("fmovs r1, alpha").scalar, isa::kBuiltinSlotCount);
  EXPECT_EQ(only("mov32 r1, m").scalar, isa::kBuiltinSlotCount + 2);
  const isa::Program program = build(
      "fmovs r1, m\n mov32 r1, m + x\n mov32 r2, x + m\n add32 r3, r3, m + x\n"
      "mov32 r4, m * alpha\n mov32 r5, int(m * alpha)\n fmovs r6, g");
  ASSERT_EQ(program.derived.size(), 6u);  // m + x twice is one
  EXPECT_EQ(program.derived[0].type, isa::Type::F32);
  EXPECT_EQ(program.derived[1].type, isa::Type::I32);
  EXPECT_EQ(program.derived[3].type, isa::Type::F32);
  EXPECT_EQ(program.derived[4].type, isa::Type::I32);
  EXPECT_EQ(program.derived[5].type, isa::Type::F32);
}

TEST(Code, MovesFromAndToMemoryAreLoadsAndStores) {
  EXPECT_EQ(code_of("mov32 r1, n"), Texts{"ld32 r1, n"});
  EXPECT_EQ(code_of("fmovs total, r1"), Texts{"st32 total, r1"});
  EXPECT_EQ(code_of("fmovs r1, v[3]"), Texts{"ld32 r1, v[3]"});
  EXPECT_EQ(code_of("fmovs r1, v[r2]"), Texts{"ld32x r1, v[r2]"});
  EXPECT_EQ(code_of("fmovs v[r2], r1"), Texts{"st32x v[r2], r1"});
  EXPECT_EQ(code_of("mov32 n, 5"), (Texts{"mov32 r15, 5", "st32 n, r15"}));
  EXPECT_EQ(code_of("fmovs total, v[2]"), (Texts{"ld32 r15, v[2]", "st32 total, r15"}));
  EXPECT_EQ(code_of("fmovs r1, v[x + 1]"), Texts{"ld32 r1, mem(4 * (x + 1))"});
  EXPECT_EQ(code_of("fmovs r1, w[x]"), Texts{"ld32 r1, mem(32 + 4 * x)"});
}

TEST(Code, OtherInstructionsGetLoadsAndStoresAround) {
  EXPECT_EQ(code_of("fadds total, v[0], w[1]"),
            (Texts{"ld32 r14, v[0]", "ld32 r13, w[1]", "fadds r15, r14, r13", "st32 total, r15"}));
  EXPECT_EQ(code_of("fadds r1, 2.5, total"),
            (Texts{"fmovs r15, 2.5", "ld32 r14, total", "fadds r1, r15, r14"}));
  EXPECT_EQ(code_of("here:\n blt n, 3, here"), (Texts{"ld32 r15, n", "blt r15, 3, L0"}));
  EXPECT_EQ(code_of("add32 r15, r14, n"), (Texts{"ld32 r13, n", "add32 r15, r14, r13"}));
}

TEST(Code, NamedRegistersAreTheLowestFree) {
  EXPECT_EQ(code_of("add32 a, b, e\n mov32 r1, f", "  .reg a, b, f = r5, e\n"),
            (Texts{"add32 r0, r2, r3", "mov32 r1, r5"}));
}

TEST(Code, VectorRowsAreChosenByTheirOperands) {
  const std::vector<Instruction> code = decode_all(build("fadds v, w, 0.0"));
  ASSERT_EQ(code.size(), 4u);
  EXPECT_EQ(code[2], (Instruction{.op = Op::VFAddS,
                                  .destination = 0,
                                  .destination_kind = 1,
                                  .source_a = 1,
                                  .source_a_kind = kDescriptor,
                                  .source_b_kind = kScalar,
                                  .scalar_kind = kImmediate}));
  EXPECT_EQ(code_of("fadds r1, v, r2"), (Texts{"setd d0, v", "fadds r1, d0, r2"}));
  EXPECT_EQ(code_of("fadds total, v, 0"),
            (Texts{"setd d0, v", "fadds r15, d0, 0.0", "st32 total, r15"}));
  EXPECT_EQ(code_of("fmacs v, v, w, alpha"),
            (Texts{"setd d0, v", "setd d1, w", "fmacs d0, d0, d1, alpha"}));
  EXPECT_EQ(code_of("fmacs v, 1.0, w, 2.0"),
            (Texts{"setd d0, v", "fmovs r15, 1.0", "setd d1, w", "fmacs d0, r15, d1, 2.0"}));
  EXPECT_EQ(code_of("fsubs v, 1.0, 2.0"),
            (Texts{"setd d0, v", "fmovs r15, 2.0", "fsubs d0, 1.0, r15"}));
  EXPECT_EQ(code_of("mov32 v, k"), (Texts{"setd d0, v", "setd d1, k", "mov32 d0, d1"}));
}

TEST(Code, AsyncNamesItsMicrothread) {
  EXPECT_EQ(code_of("fmovs v, fabin(red) async b\n wait a\n wait b\n fmovs w, fabin(c) async 0",
                    "  .microthread a, b\n"),
            (Texts{"setd d0, v", "setd d1, fabin(red)", "fmovs d0, d1 async 2", "wait 1", "wait 2",
                   "setd d2, w", "setd d3, fabin(c)", "fmovs d2, d3 async 0"}));
}

TEST(Code, AssertionsCompareAsTheirOperands) {
  EXPECT_EQ(code_of("assert r1 == 5"), Texts{"assert r1 == 5"});
  EXPECT_EQ(code_of("assert total >= 5"), (Texts{"ld32 r15, total", "assert r15 >= 5.0 : f32"}));
  EXPECT_EQ(code_of("assert r1 < 0.5"), Texts{"assert r1 < 0.5 : f32"});
  EXPECT_EQ(code_of("assert r1 != r2 : f32"), Texts{"assert r1 != r2 : f32"});
  EXPECT_EQ(code_of("assert alpha > 1"), (Texts{"fmovs r15, alpha", "assert r15 > 1.0 : f32"}));
  EXPECT_EQ(code_of("assert x <= m"), (Texts{"mov32 r15, x", "assert r15 <= m"}));
}

TEST(Code, MarksAreSharedAndNumberedByUse) {
  const isa::Image image = assemble_good(
      ".grid 1, 1\n.program a\n task main:\n mark end\n mark begin\n.program b\n task main:\n"
      " mark begin\n.place a at (0, 0)\n.place b at (1..0, 0)\n");
  EXPECT_EQ(image.marks, (std::vector<std::string>{"end", "begin"}));
  EXPECT_EQ(decode_all(image.programs[1])[0].target, 1u);
}

TEST(Code, EndsByItself) {
  EXPECT_EQ(build("add32 r1, r1, 1").code.size(), 2u);
  EXPECT_EQ(build("halt").code.size(), 1u);
  EXPECT_EQ(build("loop:\n jmp loop").code.size(), 1u);
  EXPECT_EQ(build("jmp done\n done:").code.size(), 2u);
  EXPECT_EQ(build("").code.size(), 1u);
}

TEST(Code, BranchesReachLabelsBothWays) {
  const isa::Program program = build("a: beq r1, 0, b\n jmp a\n b: halt");
  const std::vector<Instruction> code = decode_all(program);
  EXPECT_EQ(code[0].target, 3u);
  EXPECT_EQ(code[1].target, 0u);
}

TEST(Code, DataNamedLikeCoordinates) {
  constexpr std::string_view kArrays = "  .f32 x[4] = x + i\n  .i32 y\n";
  EXPECT_EQ(code_of("fmovs x, 0", kArrays), (Texts{"setd d0, x", "fmovs d0, 0.0"}));
  EXPECT_EQ(code_of("mov32 r1, y\n mov32 r2, (y)\n mov32 r3, y + 1\n fmovs r4, (x)", kArrays),
            (Texts{"ld32 r1, y", "mov32 r2, (y)", "mov32 r3, y + 1", "fmovs r4, (x)"}));
}

}  // namespace
}  // namespace wse::assembler
