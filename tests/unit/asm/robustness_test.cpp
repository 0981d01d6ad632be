// Any input ends in an image or in diagnostics, soon and within bounded memory.
#include <fmt/format.h>

#include <ctime>
#include <random>

#include "tests/unit/asm/support.h"

namespace wse::assembler {
namespace {

// Assembles; an image must be valid, errors must be few and placed.
void survive(const std::string& text) {
  const Output output = assemble_text(text);
  EXPECT_NE(output.image.has_value(), isa::has_errors(output.diagnostics));
  if (output.image) {
    const isa::Status verified = isa::verify(*output.image);
    EXPECT_TRUE(verified) << verified.error() << "\n" << text;
  }
  std::size_t errors = 0;
  for (const isa::Diagnostic& diagnostic : output.diagnostics) {
    if (diagnostic.severity == isa::Severity::Error) ++errors;
  }
  EXPECT_LE(errors, 50u);
  EXPECT_LT(isa::to_text(output.diagnostics, output.files).size(), 200'000u);
}

const std::string& good_source() {
  static const std::string kSource =
      ".macro twice(what, k)\n  again: add32 what, what, k\n  blt what, 9, again\n.end\n" +
      program_with(
          "  twice r2, m + 1\n  loop: fadds v, w[0:x:2], fabin(c, length=4) async 1\n    wait 1\n"
          "    fmacs total, v[m], w[r1], alpha\n    blt r1, n + 0 ? 3 : 4, loop\n"
          "    print \"{total:f32} \\\"{x + 1}\\\"\"\n    assert total >= 0.5\n    mark end",
          "  .reg a, b = r5\n  .microthread t\n  .dsd half = v[:4]\n") +
      ".colour scarlet = red, lilac = scarlet\n.lines 3 \"g\"\n"
      ".route red at (0..2, 0): [ramp -> east] [-> ramp] ring pop=always\n"
      ".route red at (3, 0): west -> ramp\n.expect v[1:3] at (0, 0) == i within 1e-3 on model\n";
  return kSource;
}

TEST(Robustness, RandomBytes) {
  std::mt19937 random(1);
  for (int k = 0; k < 2000; ++k) {
    std::string text(random() % 300, '\0');
    for (char& c : text) c = static_cast<char>(random());
    survive(text);
  }
}

constexpr std::string_view kWords[] = {".grid",      ".const",
                                       ".param",     ".colour",
                                       ".program",   ".place",
                                       ".route",     ".expect",
                                       ".line",      ".lines",
                                       ".reg",       ".microthread",
                                       ".dsd",       ".f32",
                                       ".i32",       ".macro",
                                       ".end",       ".include",
                                       "m",          "task",
                                       "main",       ":",
                                       "\n",         "\n",
                                       "\n",         "(",
                                       ")",          "[",
                                       "]",          ",",
                                       "=",          "->",
                                       "..",         "step",
                                       "at",         "with",
                                       "on",         "within",
                                       "ring",       "pop",
                                       "fadds",      "mov32",
                                       "setd",       "print",
                                       "assert",     "wait",
                                       "jmp",        "beq",
                                       "halt",       "fabin",
                                       "fabout",     "mem",
                                       "length",     "stride",
                                       "r1",         "d1",
                                       "x",          "y",
                                       "i",          "v",
                                       "p",          "c",
                                       "1",          "8",
                                       "-1",         "2.5",
                                       "\"{r1}\"",   "\"{v:\"",
                                       "async",      "cycles",
                                       "==",         "+",
                                       "*",          "/",
                                       "%",          "?",
                                       "-",          "!",
                                       "ramp",       "west",
                                       "exported",   "ld32",
                                       "mark",       "0x7fffffff",
                                       "4294967295", "9223372036854775807"};

TEST(Robustness, RandomWords) {
  std::mt19937 random(2);
  for (int k = 0; k < 3000; ++k) {
    std::string text = k % 2 == 0 ? ".macro m(v, x)\n fmovs v, x\n.end\n.grid 4, 1\n.colour "
                                    "c\n.program p\n.f32 v[8]\ntask main:\n"
                                  : "";
    for (unsigned n = static_cast<unsigned>(random() % 120); n > 0; --n) {
      text += std::string(kWords[random() % std::size(kWords)]) + " ";
    }
    survive(text);
  }
}

TEST(Robustness, ChangedPrograms) {
  survive(good_source());
  std::mt19937 random(3);
  for (int k = 0; k < 4000; ++k) {
    std::string text = good_source();
    for (unsigned n = 1 + static_cast<unsigned>(random() % 3); n > 0; --n) {
      const std::size_t at = random() % text.size();
      switch (random() % 4) {
        case 0: text[at] = static_cast<char>(random()); break;
        case 1: text.erase(at, 1 + random() % 20); break;
        case 2: text.insert(at, text.substr(random() % text.size(), random() % 30)); break;
        default: std::swap(text[at], text[random() % text.size()]); break;
      }
      if (text.empty()) text = "x";
    }
    survive(text);
  }
}

TEST(Robustness, EveryPrefix) {
  for (std::size_t length = 0; length < good_source().size(); ++length) {
    survive(good_source().substr(0, length));
  }
}

std::string repeated(std::string_view unit, std::size_t count) {
  std::string text;
  for (std::size_t k = 0; k < count; ++k) text += unit;
  return text;
}

TEST(Robustness, DeepNesting) {
  for (const std::string_view open : {"(", "-", "max(1, ", "x ? ", "1 ? 2 : ", "v[", "!~"}) {
    survive(program_with("mov32 r1, " + repeated(open, 100'000) + "1"));
  }
  survive(repeated("[", 300'000));
  survive(".program p\n" + repeated("a:", 100'000));
  survive(program_with("mov32 r1, 1" + repeated(" + 1", 100'000)));
}

TEST(Robustness, ManyErrors) {
  const Output output = assemble_text(program_with(repeated("    fmca v, rad, r99\n", 100'000)));
  EXPECT_EQ(output.diagnostics.size(), 51u);
  EXPECT_NE(output.diagnostics.back().message.find("99950 errors"), std::string::npos);
  survive(repeated("\x01 \x02 ", 200'000));
  survive(repeated("\"", 200'001));
  survive(repeated(".const a = b\n", 100'000));
}

// They are bounded as errors are, and never take the room of one.
TEST(Robustness, ManyWarnings) {
  std::string text = ".grid 1, 1\n.colour a\n";
  for (int k = 0; k < 2000; ++k) text += fmt::format(".program p{}\n  task main:\n    halt\n", k);
  const Output output = assemble_text(text);
  EXPECT_TRUE(output.image.has_value());
  EXPECT_EQ(output.diagnostics.size(), 51u);
  EXPECT_EQ(output.diagnostics.back().message, "1950 warnings more not shown");
  std::string sends = program_with(repeated("    mov32 fabout(red), control(1, nop)\n", 100));
  EXPECT_TRUE(errors_of(sends).contains("50 warnings more not shown"));
  sends += ".expect nothing at (0, 0) == 1\n";
  EXPECT_TRUE(errors_of(sends).starts_with("test.wsa:113:9: error[E099]")) << errors_of(sends);
}

// What only warns looks at a bounded part of a large source, and takes no longer than the rest.
TEST(Robustness, ManyPlacesRoutesAndLoops) {
  std::string text =
      ".grid 400, 200\n.colour a\n.program p\n  .i32 v[8]\n  .i32 w[8]\n  task main:\n";
  for (int k = 0; k < 500; ++k) {
    text += fmt::format("  l{}:\n    add32 v, v, w\n    blt r1, 9, l{}\n", k, k);
  }
  text += "    mov32 v, fabin(a)\n";
  for (int y = 0; y < 200; ++y) {
    for (int x = 0; x < 400; ++x) {
      text += fmt::format(".place p at ({}, {})\n.route a at ({}, {}): {} -> {}ramp\n", x, y, x, y,
                          x == 0 ? "ramp" : "west", x < 399 ? "east, " : "");
    }
  }
  survive(text);
}

TEST(Robustness, LongLinesAndManyNames) {
  survive(program_with("mov32 r1, " + std::string(2'000'000, '7')));
  survive(program_with("print \"" + std::string(2'000'000, 'x') + "\""));
  survive(program_with(std::string(2'000'000, 'y') + " r1"));
  survive("; " + std::string(2'000'000, ';'));
  std::string names = ".grid 1, 1\n.colour a";
  for (int k = 0; k < 100'000; ++k) names += ", n" + std::to_string(k);
  survive(names);
  std::string labels;
  for (int k = 0; k < 100'000; ++k) labels += "l" + std::to_string(k) + ":\n";
  survive(program_with(labels + "jmp l99\n jmp lxx"));
}

TEST(Robustness, HugeCounts) {
  for (const char* count :
       {"1000000000", "4294967295", "4294967296", "9223372036854775807", "-1"}) {
    survive(program_with("fmovs big, 1.0\n fmovs r1, big[5]",
                         "  .f32 big[" + std::string(count) + "] = i\n"));
  }
  survive(".grid 1, 1\n.program p\n" + repeated("  .f32 a[1000000000]\n", 10));
  survive(
      ".grid 4096, 4096\n.colour c\n.program p\n .f32 v = x * y\n task main:\n"
      ".place p at (0..4095, 0..4095)\n.route c at (0..4095, 0..4095): ramp -> ramp\n");
  survive(
      ".grid 4, 4\n.program p\n task main:\n"
      ".place p at (-2000000000..2000000000, 0)\n.place p at (3..2147483647 step 2147483647, 0)\n");
}

// What overlaps is looked at up to the first PE that was taken before, however often it comes.
TEST(Robustness, OverlapsCostNothing) {
  const std::string routes = repeated(".route red at (0..1022, 0..1023): west -> east\n", 20'000) +
                             ".route red at (1023, 0..1023): west -> ramp\n";
  const std::string places = repeated(".place p at (0..1023, 0..1023)\n", 20'000);
  const std::string head = ".grid 1024, 1024\n.colour red\n.program p\n  task main:\n";
  EXPECT_NE(errors_of(head + routes).find("error[E093]"), std::string::npos);
  EXPECT_NE(errors_of(head + places).find("error[E092]"), std::string::npos);
}

// Defaults make an image larger than its source; all together are bounded.
TEST(Robustness, ArgumentsAreBounded) {
  std::string text = ".grid 1, 1\n.program p(a: i32 = 0";
  for (int k = 0; k < 4'000; ++k) text += fmt::format(", p{}: i32 = {}", k, k);
  text += ")\n  task main:\n" + repeated(".place p at (1..0, 0)\n", 100'000);
  EXPECT_NE(errors_of(text).find("error[E083]: 'p' is one placement with so many arguments too "
                                 "many: there are 2097152 in all"),
            std::string::npos);
}

TEST(Robustness, TheCallerBoundsTheGrid) {
  const auto assembles = [](const std::string& text) {
    const isa::Profile profile = *isa::find_profile("wse2");
    const Options options{.overrides = {}, .profile = profile, .max_grid_side = 64};
    return assemble({"test.wsa", text}, options).image.has_value();
  };
  EXPECT_TRUE(assembles(".grid 64, 1\n"));
  EXPECT_FALSE(assembles(".grid 65, 1\n"));
  EXPECT_FALSE(assembles(".grid 1, 65\n"));
}

TEST(Robustness, ASourceCanBeTooLarge) {
  const std::string errors = errors_of(std::string(kMaxSourceBytes + 1, '\n'));
  EXPECT_NE(errors.find("error[E001]: the source has 16777217 bytes"), std::string::npos) << errors;
}

// What an image cannot hold is refused where the source says it, not when the image is read.
TEST(Robustness, WhatTheFormatAllows) {
  const auto print = [](const std::string& text) {
    return errors_of(program_with("  print \"" + text + "\""));
  };
  const auto mark = [](std::size_t length) {
    return errors_of(program_with("  mark " + std::string(length, 'm')));
  };
  const auto expect_breach = [](const std::string& errors, isa::Limit limit) {
    EXPECT_TRUE(errors.contains(isa::breach_text(limit, isa::most(limit) + 1))) << errors;
  };
  const std::size_t bytes = isa::most(isa::Limit::TextBytes);
  const std::size_t pieces = isa::most(isa::Limit::PrintPieces);
  EXPECT_EQ(print(std::string(bytes, 'x')), "");
  EXPECT_EQ(print(repeated("{r1}", pieces)), "");
  EXPECT_EQ(mark(bytes), "");
  expect_breach(print(std::string(bytes + 1, 'x')), isa::Limit::TextBytes);
  expect_breach(print(repeated("{r1}", pieces + 1)), isa::Limit::PrintPieces);
  expect_breach(mark(bytes + 1), isa::Limit::TextBytes);
}

// The line that a .line gives is in no text that could be shown.
TEST(Robustness, LimitsNameGivenLines) {
  const std::string print =
      "    print \"" + std::string(isa::most(isa::Limit::TextBytes) + 1, 'x') + "\"";
  const Output output = assemble_text(program_with(".line 12 \"row.lua\"\n" + print));
  EXPECT_FALSE(output.image);
  EXPECT_TRUE(
      isa::to_text(output.diagnostics, output.files).starts_with("error[E098]: row.lua:12: "))
      << isa::to_text(output.diagnostics, output.files);
}

// Each a further name of the one above it, or of the one below it, which is an error.
TEST(Robustness, ChainsOfColoursTakeLinearTime) {
  constexpr int kNames = 100'000;
  std::string down = ".grid 1, 1\n.colour c0\n";
  std::string up = down;
  for (int k = 1; k < kNames; ++k) {
    down += fmt::format(".colour c{} = c{}\n", k, k - 1);
    up += fmt::format(".colour c{} = c{}\n", k, k + 1);
  }
  const std::clock_t begin = std::clock();
  EXPECT_TRUE(assemble_text(down + ".program p\n task main:\n.place p at (0, 0)\n").image);
  const Output output = assemble_text(up);
  const std::clock_t end = std::clock();
  EXPECT_FALSE(output.image);
  EXPECT_LT((end - begin) / CLOCKS_PER_SEC, 5) << "seconds of the processor";
}

TEST(Robustness, TimeIsLinear) {
  const auto seconds = [](std::size_t lines) {
    const std::string text = program_with(repeated("    fadds v[0:4], w[4:8], 2.5\n", lines));
    const std::clock_t begin = std::clock();  // of the processor: other programs take none of it
    assemble_text(text);
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  };
  seconds(1000);
  EXPECT_LT(seconds(64'000), 64 * seconds(4'000) + 1.0);  // four times linear, and a second
}

}  // namespace
}  // namespace wse::assembler
