// Macros: what an expansion means, where errors in it are shown, and that none explodes.
#include "tests/unit/asm/support.h"

namespace wse::assembler {
namespace {

// The code of program_with(lines), after the macros.
Texts code_with(std::string_view macros, std::string_view lines) {
  const isa::Image image = assemble_good(std::string(macros) + program_with(lines));
  Texts texts;
  if (image.programs.empty()) return texts;
  for (const isa::Instruction& instruction : decode_all(image.programs[0])) {
    texts.push_back(isa::instruction_text(image, image.programs[0], instruction));
  }
  texts.pop_back();  // halt
  return texts;
}

constexpr std::string_view kHalo =
    ".macro halo(buffer, from)\n  fmovs buffer, fabin(from)\n  fadds total, buffer, 1\n.end\n";

TEST(Macro, IsItsLines) {
  EXPECT_EQ(code_with(kHalo, "halo v[0:4], red\n halo w, c"),
            code_of("fmovs v[0:4], fabin(red)\n fadds total, v[0:4], 1\n"
                    "fmovs w, fabin(c)\n fadds total, w, 1"));
}

TEST(Macro, MayStandBelowItsUseAndHaveNoParameters) {
  const Texts code = code_of("add32 r1, r1, r1\n here: add32 r1, r1, r1\n jmp here\n halt");
  for (const std::string macro : {".macro twice", ".macro twice()"}) {
    const isa::Image image = assemble_good(program_with("twice\n here: twice\n jmp here\n halt") +
                                           macro + "\n add32 r1, r1, r1\n.end\n");
    ASSERT_EQ(image.programs.size(), 1u);
    EXPECT_EQ(decode_all(image.programs[0]).size(), code.size() + 1);
  }
}

TEST(Macro, ArgumentsStayTogether) {
  constexpr std::string_view kScale = ".macro scale(a, b)\n mov32 r1, a * b - -a\n.end\n";
  EXPECT_EQ(code_with(kScale, "scale 2 + 3, 1 ? 4 : 5"), code_of("mov32 r1, 25"));
  EXPECT_EQ(code_with(kScale, "scale x + 1, m"), code_of("mov32 r1, (x + 1) * m - -(x + 1)"));
}

TEST(Macro, ArgumentsMayBeOfAnyKind) {
  constexpr std::string_view kAny =
      ".macro any(register, array, place, thread, name, goal, side)\n"
      "  mov32 register, array[place]\n  fmovs array, fabin(red) async thread\n  wait thread\n"
      "  mark name\n  jmp goal\n  print \"{register} {array[place + 1]:f32}\"\n"
      "  assert side\n.end\n";
  EXPECT_EQ(code_with(kAny, "any r3, v, 2, 5, begin, on, r3 == 4\n on: mark end"),
            code_of("mov32 r3, v[2]\n fmovs v, fabin(red) async 5\n wait 5\n mark begin\n jmp on\n"
                    "print \"{r3} {v[3]:f32}\"\n assert r3 == 4\n on: mark end"));
}

TEST(Macro, WholeOperandsCalledXAreStillData) {
  const auto source = [](std::string_view line) {
    return ".macro put(a)\n mov32 r1, a\n.end\n.grid 1, 1\n.program p\n  .i32 x\n  task main:\n" +
           std::string(line) + "\n.place p at (0, 0)\n";
  };
  EXPECT_EQ(isa::write_image(assemble_good(source("put x"))),
            isa::write_image(assemble_good(source("mov32 r1, x"))));
  EXPECT_EQ(isa::write_image(assemble_good(source("put (x)"))),
            isa::write_image(assemble_good(source("mov32 r1, (x)"))));
}

TEST(Macro, LabelsAreLocal) {
  constexpr std::string_view kLoop =
      ".macro loop(k, goal)\n"
      "again:\n  add32 k, k, 1\n  beq k, 9, goal\n  blt k, 5, again\n  jmp done\n.end\n";
  EXPECT_EQ(code_with(kLoop, "again: loop r1, again\n loop r2, done\n done: halt"),
            code_of("again: a: add32 r1, r1, 1\n beq r1, 9, again\n blt r1, 5, a\n jmp done\n"
                    "b: add32 r2, r2, 1\n beq r2, 9, done\n blt r2, 5, b\n jmp done\n"
                    "done: halt"));
}

TEST(Macro, MayUseMacros) {
  constexpr std::string_view kNested =
      ".macro outer(a, b)\n here: inner b, a + 1, here\n.end\n"
      ".macro inner(a, b, goal)\n here: mov32 a, b * 2\n blt a, b, goal\n jmp here\n.end\n";
  EXPECT_EQ(code_with(kNested, "outer m, r1\n halt\n halt"),
            code_of("o: i: mov32 r1, (m + 1) * 2\n blt r1, m + 1, o\n jmp i\n halt\n halt"));
}

TEST(Macro, LinesAreThoseOfTheUse) {
  const isa::Image image = assemble_good(std::string(kHalo) + program_with("  halo v, red"));
  const isa::Program& program = image.programs[0];
  ASSERT_EQ(program.lines.size(), 1u);
  EXPECT_EQ(program.lines[0].where.line, 15u);
}

TEST(Macro, ErrorsShowBothPlaces) {
  const std::string errors =
      errors_of(std::string(kHalo) + program_with("  halo r99, red\n  halo v, rad\n  halo k, red"));
  const auto contains = [&errors](std::string_view part) {
    EXPECT_NE(errors.find(part), std::string::npos) << part << "\n" << errors;
  };
  contains("test.wsa:15:8: error[E060]");
  contains("test.wsa:2:9: note: it stands for 'buffer' here");
  contains("test.wsa:15:3: note: in the expansion of 'halo' here");
  contains("test.wsa:16:11: error[E020]: unknown name 'rad'");
  contains("test.wsa:2:23: note: it stands for 'from' here");
}

TEST(Macro, AnErrorOfItsOwnIsSaidOnce) {
  std::string uses;
  for (int k = 0; k < 1000; ++k) uses += "bad\n";
  const Output output = assemble_text(".macro bad\n  fmca v\n.end\n" + program_with(uses));
  ASSERT_EQ(output.diagnostics.size(), 2u) << isa::to_text(output.diagnostics, output.files);
  EXPECT_EQ(output.diagnostics[0].where.line, 2u);
  EXPECT_EQ(output.diagnostics[1].where.line, 14u);
}

TEST(Macro, ErrorsThroughIncludesAndMacros) {
  const Output output = assemble(
      {"main.wsa", ".include \"a.wsa\"\n" + program_with("outer 1")},
      {.overrides = {},
       .profile = *isa::find_profile("wse2"),
       .load =
           loader_of({{"a.wsa", ".include \"b.wsa\"\n.macro outer(k)\n inner k\n.end\n"},
                      {"b.wsa", ".macro inner(k)\n mov32 r1, k\n mov32 r1, nothing\n.end\n"}})});
  const std::string text = isa::to_text(output.diagnostics, output.files);
  const std::size_t error = text.find("b.wsa:3:12: error[E020]");
  const std::size_t inner = text.find("a.wsa:3:2: note: in the expansion of 'inner' here");
  const std::size_t outer = text.find("main.wsa:12:1: note: in the expansion of 'outer' here");
  EXPECT_LT(error, inner) << text;
  EXPECT_LT(inner, outer) << text;
  EXPECT_NE(outer, std::string::npos) << text;
}

std::string chain(int length, const std::string& uses) {
  std::string text;
  for (int k = 0; k < length; ++k) {
    const std::string next = std::to_string(k + 1);
    std::string body = uses;
    for (std::size_t at = body.find('#'); at != std::string::npos; at = body.find('#')) {
      body.replace(at, 1, next);
    }
    text += ".macro m" + std::to_string(k) + "(a)\n" + body + ".end\n";
  }
  return text + ".macro m" + std::to_string(length) + "(a)\n mov32 r1, a\n.end\n";
}

TEST(Macro, BombsAreRefused) {
  const auto contains = [](const std::string& text, std::string_view part) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text.substr(0, 2000);
    EXPECT_LT(text.size(), 20'000u);
  };
  const std::string use = program_with("m0 x");
  contains(errors_of(chain(25, "m# a\nm# a\n") + use), "test.wsa:114:1: error[E117]");
  contains(errors_of(chain(25, "m# a + a\n") + use), "error[E117]");
  contains(errors_of(chain(31, "m# abs(a)\nl: m# a\n") + use), "error[E117]");
  contains(errors_of(chain(32, "m# a\n") + use), "error[E116]");
  contains(errors_of(chain(500, "m# a\n") + use), "error[E116]");
  contains(errors_of(".macro m0(a)\n m1 a\n.end\n.macro m1(a)\n m0 a\n.end\n" + use),
           "error[E115]");
  assemble_good(chain(31, "m# a\n") + use);
  std::string many;
  for (int k = 0; k < 5000; ++k) many += "m0\n";
  const std::string text = ".macro m0\n print \"" + std::string(100'000, 'x') + "\"\n.end\n";
  contains(errors_of(text + program_with(many)), "error[E117]");
  const auto deep = [](const std::string& inner) {
    std::string value = inner;
    for (int k = 0; k < 150; ++k) value = "abs(" + value + ")";
    return value;
  };
  contains(errors_of(chain(1, "m# " + deep("a") + "\n") + program_with("m0 " + deep("x"))),
           "error[E016]");
}

TEST(Macro, ManyParametersAndUses) {
  std::string names;
  std::string values;
  for (int k = 0; k < 100; ++k) {
    names += (k == 0 ? "p" : ", p") + std::to_string(k);
    values += (k == 0 ? "" : ", ") + std::to_string(k);
  }
  EXPECT_EQ(code_with(".macro last(" + names + ")\n mov32 r1, p99\n.end\n", "last " + values),
            code_of("mov32 r1, 99"));
  std::string uses;
  for (int k = 0; k < 1000; ++k) uses += "skip\n";
  EXPECT_EQ(code_with(".macro skip\n jmp over\n over:\n.end\n", uses + "mov32 r1, 2").size(),
            1001u);
}

}  // namespace
}  // namespace wse::assembler
