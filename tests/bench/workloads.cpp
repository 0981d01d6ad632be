// The programs, made or read once, and what one run of each does.
#include "tests/bench/workloads.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "asm/assembler.h"
#include "tests/support/files.h"
#include "vm/machine.h"

namespace wse::bench {
namespace {

constexpr std::size_t kSourceBytes = 15'500'000;  // of a million lines
constexpr int kBodies = 200;                      // of a program: they fit into a PE

[[noreturn]] void give_up(const std::string& why) {
  fmt::print(stderr, "bench: {}\n", why);
  std::exit(1);
}

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

isa::Image assembled(const std::string& name, std::string text, const isa::Profile& profile,
                     const std::vector<std::pair<std::string, std::string>>& values) {
  assembler::Output output =
      assembler::assemble({name, std::move(text)}, {.overrides = values, .profile = profile});
  if (!output.image) give_up(isa::to_text(output.diagnostics, output.files));
  return std::move(*output.image);
}

}  // namespace

Row assembly() {
  const auto text = std::make_shared<std::string>(million_lines());
  return {"assemble 10^6 lines", "lines", [text] {
            assembled("bench.wsa", *text, *isa::find_profile("wse2"), {});
            return static_cast<double>(lines_of(*text));
          }};
}

Row program(const std::string& name,
            const std::vector<std::pair<std::string, std::string>>& values) {
  const isa::Profile profile = *isa::find_profile("wse2");
  const std::string file = name + ".wsa";
  const auto image = std::make_shared<isa::Image>(assembled(
      file,
      test_support::read_text(std::filesystem::path(WSE_SOURCE_DIR) / "programs" / name / file),
      profile, values));
  std::string title = name;
  for (const auto& [key, value] : values) title += fmt::format(" {}={}", key, value);
  return {title, "PE-cycles", [image, profile] {
            auto machine = vm::Machine::create(*image, profile);
            if (!machine) give_up(machine.error());
            const vm::Record record = (*machine)->run({});
            if (record.status != vm::RunStatus::Halted) give_up(record.message);
            return static_cast<double>(record.cycles) * static_cast<double>(record.placed_pes);
          }};
}

}  // namespace wse::bench
