// A source of a million lines, made once.
#include <fmt/format.h>

#include <algorithm>

#include "tests/bench/workloads.h"

namespace wse::bench {
namespace {

constexpr std::size_t kSourceBytes = 15'500'000;  // of a million lines
constexpr int kBodies = 200;                      // of a program: they fit into a PE

// Code as people write it: labels and branches back and ahead, comments, arithmetic, loads and
// stores, vectors in memory and on the fabric, uses of a macro, values of a placement. Lines are
// short, since a million of them must fit into the largest source that is accepted.
constexpr std::string_view kHead =
    ".grid 1,1\n"
    ".colour red,blue\n"
    ".const B=8\n"
    ".macro step(v,k)\n"
    "  add32 v,v,k*2\n"
    "  xor32 v,v,r2\n"
    ".end\n";
constexpr std::string_view kProgram =
    ".program p{}(a: i32=3)\n"
    "  .i32 n\n"
    "  .f32 v[B]=x+i\n"
    "  .f32 w[B]\n"
    "  .reg sum,k=r4\n"
    "  .dsd odd=v[1::2]\n"
    "task main:\n";
constexpr std::string_view kBody[] = {"l{}:            ; a loop\n",
                                      "  add32 r1,r1,1\n",
                                      "  mov32 r2,0x1f\n",
                                      "  step r1,a\n",
                                      "  xor32 k,r2,r1\n",
                                      "  ; a comment\n",
                                      "  mov32 r5,v[3]\n",
                                      "  fmuls r3,r3,sum\n",
                                      "  mov32 n,r1\n",
                                      "  beq k,0,m{}\n",
                                      "  fadds w,v,v\n",
                                      "  mov32 r7,x*4+a\n",
                                      "  fmovs fabout(red),v\n",
                                      "  fadds sum,sum,1.5\n",
                                      "m{}:\n",
                                      "  fmovs odd,fabin(blue)\n",
                                      "  mov32 r6,v[k]\n",
                                      "\n",
                                      "  sub32 k,k,n\n",
                                      "  blt r1,B,l{}\n"};

std::size_t lines_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

std::string million_lines() {
  std::string text(kHead);
  for (int program = 0; text.size() < kSourceBytes; ++program) {
    text += fmt::format(kProgram, program);
    for (int body = 0; body < kBodies; ++body) {
      for (const std::string_view line : kBody) text += fmt::format(fmt::runtime(line), body);
    }
    text += "  halt\n";
  }
  return text;
}

}  // namespace

Row assembly() {
  const auto text = made_once(million_lines);
  return {"assembler, 10^6 lines",
          "lines/s",
          "labels, data, macros, comments; close to the largest source",
          steps(),
          [text] {
            std::string copy = text();
            const double seconds = seconds_of(
                [&] { assembled("bench.wsa", std::move(copy), measured_profile(), {}); });
            return Work{static_cast<double>(lines_of(text())), seconds};
          },
          true};
}

}  // namespace wse::bench
