// Descriptors: slices, lengths that differ from PE to PE, and which registers hold them.
#include "tests/unit/asm/support.h"

namespace wse::assembler {
namespace {

isa::DescriptorLiteral literal(std::string_view descriptor) {
  const isa::Program program = build("setd d0, " + std::string(descriptor));
  EXPECT_EQ(program.descriptors.size(), 1u);
  return program.descriptors.empty() ? isa::DescriptorLiteral{} : program.descriptors[0];
}

isa::DescriptorLiteral memory(std::uint32_t address, std::uint32_t length, std::int32_t stride) {
  isa::DescriptorLiteral made;
  made.address.value = address;
  made.length.value = length;
  made.stride = stride;
  return made;
}

TEST(Descriptor, SlicesAreHalfOpen) {
  EXPECT_EQ(literal("w"), memory(32, 8, 1));
  EXPECT_EQ(literal("w[2:5]"), memory(40, 3, 1));
  EXPECT_EQ(literal("w[:3]"), memory(32, 3, 1));
  EXPECT_EQ(literal("w[6:]"), memory(56, 2, 1));
  EXPECT_EQ(literal("w[0:8:3]"), memory(32, 3, 3));
  EXPECT_EQ(literal("w[1::2]"), memory(36, 4, 2));
  EXPECT_EQ(literal("w[::-1]"), memory(60, 8, -1));
  EXPECT_EQ(literal("w[7:0:-1]"), memory(60, 7, -1));
  EXPECT_EQ(literal("w[6::-3]"), memory(56, 3, -3));
  EXPECT_EQ(literal("w[5:2]"), memory(52, 0, 1));
  EXPECT_EQ(literal("w[8:8]"), memory(64, 0, 1));
}

TEST(Descriptor, BoundsMayDifferFromPeToPe) {
  const isa::Program program = build("fmovs v[x:m], 0\n fmovs v[:m:2], 0\n fmovs v[m::-2], 0");
  ASSERT_EQ(program.descriptors.size(), 3u);
  const auto value = [&](const isa::SlotValue& slot) {
    EXPECT_TRUE(slot.is_slot);
    const std::size_t index = slot.value - isa::kBuiltinSlotCount - program.parameters.size();
    return isa::to_text(program.derived.at(index).formula,
                        std::vector<std::string>{"alpha", "c", "m"}, {});
  };
  EXPECT_EQ(value(program.descriptors[0].address), "4 * x");
  EXPECT_EQ(value(program.descriptors[0].length), "max(0, m - x)");
  EXPECT_EQ(program.descriptors[1].address.value, 0u);
  EXPECT_EQ(value(program.descriptors[1].length), "max(0, (m + 1) / 2)");
  EXPECT_EQ(value(program.descriptors[2].address), "4 * m");
  EXPECT_EQ(value(program.descriptors[2].length), "max(0, (m - -1 + 1) / 2)");
}

TEST(Descriptor, FabricOperands) {
  const isa::DescriptorLiteral in = literal("fabin(blue)");
  EXPECT_EQ(in.kind, isa::DescriptorKind::FabricIn);
  EXPECT_EQ(in.colour.value, 1u);
  EXPECT_EQ(in.length.value, isa::kNoLength);
  const isa::DescriptorLiteral out = literal("fabout(c, length=4 * 2)");
  EXPECT_EQ(out.kind, isa::DescriptorKind::FabricOut);
  EXPECT_TRUE(out.colour.is_slot);
  EXPECT_EQ(out.colour.value, isa::kBuiltinSlotCount + 1);
  EXPECT_EQ(out.length.value, 8u);
}

// Only the word means it; whatever is computed is a number, also that of the vendor's SDK.
TEST(Descriptor, EndlessIsAWordAndNoNumber) {
  const isa::DescriptorLiteral endless = literal("fabin(red, length=endless)");
  EXPECT_TRUE(endless.options.endless);
  EXPECT_EQ(endless.length, (isa::SlotValue{false, isa::kNoLength}));
  for (const std::string_view length :
       {"32766 + 1", "0x8000 - 1", "(1 << 15) - 1", "min(32767, 9999999)"}) {
    const isa::DescriptorLiteral made = literal("fabout(red, length=" + std::string(length) + ")");
    EXPECT_FALSE(made.options.endless) << length;
    EXPECT_EQ(made.length, (isa::SlotValue{false, 32767})) << length;
  }
  EXPECT_EQ(literal("mem(0, length=32767)"), memory(0, 32767, 1));
}

TEST(Descriptor, ALoneFabricOperandMovesOneWord) {
  EXPECT_EQ(code_of("mov32 fabout(red), 7\n mov32 r1, fabin(c)"),
            (Texts{"setd d0, fabout(red, length=1)", "mov32 d0, 7", "setd d1, fabin(c, length=1)",
                   "mov32 r1, d1"}));
}

TEST(Descriptor, IsLoadedOncePerStraightLine) {
  EXPECT_EQ(code_of("fadds v, v, w\n fadds w, v, w"),
            (Texts{"setd d0, v", "setd d1, w", "fadds d0, d0, d1", "fadds d1, d0, d1"}));
  EXPECT_EQ(code_of("fmovs v, 0\n here:\n fmovs v, 0").size(), 4u);
  EXPECT_EQ(code_of("fmovs v, 0\n bne r1, 0, here\n fmovs v, 0\n here:").size(), 4u);
  EXPECT_EQ(code_of("fmovs v, 0\n jmp here\n fmovs v, 0\n here:").size(), 5u);
}

TEST(Descriptor, RegistersThatTheProgramMentionsAreLeftAlone) {
  EXPECT_EQ(code_of("setd d0, v\n fadds w, d0, 0\n fmovs d2, 0"),
            (Texts{"setd d0, v", "setd d1, w", "fadds d1, d0, 0.0", "fmovs d2, 0.0"}));
}

TEST(Descriptor, TheLeastRecentlyUsedRegisterIsReplaced) {
  std::string lines;
  for (int k = 0; k < 13; ++k) lines += "    setd d" + std::to_string(k) + ", v\n";
  // d13, d14, d15 are left: v, w, k take them; v is used again; so w goes first.
  lines += "    fmovs v, 0\n    fmovs w, 0\n    mov32 k, 0\n    fmovs v, 1\n    fmovs v[0:2], 0\n";
  const Texts code = code_of(lines);
  EXPECT_EQ(Texts(code.begin() + 13, code.end()),
            (Texts{"setd d13, v", "fmovs d13, 0.0", "setd d14, w", "fmovs d14, 0.0", "setd d15, k",
                   "mov32 d15, 0", "fmovs d13, 1.0", "setd d14, v[0:2]", "fmovs d14, 0.0"}));
}

TEST(Descriptor, MayHaveAName) {
  EXPECT_EQ(code_of("fmovs odd, fabin(red)", "  .dsd odd = v[1::2]\n"),
            (Texts{"setd d0, v[1:8:2]", "setd d1, fabin(red)", "fmovs d0, d1"}));
}

isa::DescriptorLiteral deep(const std::string& slice) {
  const isa::Program program = build("setd d0, deep[" + slice + "]", "  .f32 deep[2, 3, 4]\n");
  EXPECT_EQ(program.descriptors.size(), 1u);
  isa::DescriptorLiteral d = program.descriptors.at(0);
  d.address.value -= program.find_symbol("deep")->address;
  return d;
}

isa::DescriptorLiteral with_inner(isa::DescriptorLiteral d, std::uint32_t extent,
                                  std::int32_t stride) {
  d.inner[d.further++] = {{false, extent}, stride};
  return d;
}

TEST(Descriptor, DimensionsWithOneStrideBecomeOne) {
  EXPECT_EQ(deep(":, :, :"), memory(0, 24, 1));
  EXPECT_EQ(deep("1, :, :"), memory(48, 12, 1));
  EXPECT_EQ(deep(":, :, 0"), memory(0, 6, 4));
  EXPECT_EQ(deep("1, 1:3, 0:4"), memory(64, 8, 1));
  EXPECT_EQ(deep("0:1, 2, 1:3"), memory(36, 2, 1));
  EXPECT_EQ(deep("::-1, ::-1, ::-1"), memory(92, 24, -1));
  EXPECT_EQ(deep("0, 0, 1:2"), memory(4, 1, 1));
  EXPECT_EQ(deep(":, 1:1, :").length.value, 0u);
  EXPECT_EQ(deep(":, :, ::2"), memory(0, 12, 2));
  EXPECT_EQ(deep(":, 0, :"), with_inner(memory(0, 2, 12), 4, 1));
  EXPECT_EQ(deep("0, :, 1:3"), with_inner(memory(4, 3, 4), 2, 1));
  EXPECT_EQ(deep(":, 0:2, 3"), with_inner(memory(12, 2, 12), 2, 4));
  EXPECT_EQ(deep(":, ::2, 1::2"), with_inner(with_inner(memory(4, 2, 12), 2, 8), 2, 2));
}

TEST(Descriptor, DimensionsMayDifferFromPeToPe) {
  const isa::Program program = build("fmovs deep[x, :m, y:4], 0", "  .f32 deep[2, 3, 4]\n");
  const isa::DescriptorLiteral& d = program.descriptors.at(0);
  EXPECT_TRUE(d.address.is_slot);
  EXPECT_TRUE(d.length.is_slot);
  ASSERT_EQ(d.further, 1u);
  EXPECT_TRUE(d.inner[0].extent.is_slot);
  EXPECT_EQ(d.stride, 4);
  EXPECT_EQ(d.inner[0].stride, 1);
}

TEST(Descriptor, RingsAndSavedPositionsAreRead) {
  EXPECT_EQ(code_of("setd d0, save(w[0:3])\n setd d1, circular(w[1:7:2], length=9, start=2)\n"
                    " setd d2, save(circular(w, length=m, start=x))\n"
                    " setd d3, save(mem(0, length=[1, m], stride=[1, 60]))"),
            (Texts{"setd d0, save(w[0:3])", "setd d1, circular(w[1:6:2], length=9, start=2)",
                   "setd d2, save(circular(w, length=m, start=x))",
                   "setd d3, save(mem(0, length=[1, m], stride=[1, 60]))"}));
}

TEST(Descriptor, RegistersMayHaveNames) {
  EXPECT_EQ(
      code_of("setd walk, save(v)\n fmovs out, walk\n movd far, walk\n fmovs w, 0",
              "  .dsr walk, out = d1, far\n"),
      (Texts{"setd d0, save(v)", "fmovs d1, d0", "movd d2, d0", "setd d3, w", "fmovs d3, 0.0"}));
}

TEST(Descriptor, ElementsOfSeveralDimensionsAreLoadedAndStored) {
  EXPECT_EQ(
      code_of("fmovs r0, deep[1, 2, 3]\n fmovs deep[0, 1, col], r0\n fmovs r1, deep[1, 0, r0]",
              "  .reg col\n  .f32 deep[2, 3, 4]\n"),
      (Texts{"ld32 r0, deep[1, 2, 3]", "st32x deep[0, 1, r2], r0", "ld32x r1, deep[1, 0, r0]"}));
}

}  // namespace
}  // namespace wse::assembler
