// The programs, made or read once, and what one run of each does.
#include "tests/bench/workloads.h"

#include <fmt/format.h>

#include <cstdlib>
#include <memory>

#include "asm/assembler.h"
#include "tests/support/files.h"
#include "vm/machine.h"

namespace wse::bench {
namespace {

constexpr int kLines = 1'000'000;
constexpr int kLinesOfAProgram = 8'000;  // fit into a PE

[[noreturn]] void give_up(const std::string& why) {
  fmt::print(stderr, "bench: {}\n", why);
  std::exit(1);
}

// Code as people write it: arithmetic, loads, stores, branches, vectors; short lines, since a
// million of them must fit into the largest source that is accepted.
std::string million_lines() {
  constexpr std::string_view kBody[] = {
      "  add32 r1,r1,1\n",  "  mov32 r2,0x1f\n", "  xor32 r4,r2,r1\n", "  mov32 r5,v[3]\n",
      "  fmuls r3,r3,r6\n", "  mov32 n,r1\n",    "  ; a comment\n",    "  blt r1,9,l\n",
      "  fadds w,v,v\n",    "  mov32 r7,x*4\n"};
  std::string text = ".grid 1,1\n";
  int lines = 1;
  for (int k = 0; lines < kLines; ++k) {
    text += fmt::format(".program p{}\n.i32 n\n.f32 v[8]\n.f32 w[8]\n task main:\n l:\n", k);
    lines += 6;
    for (int i = 0; i < kLinesOfAProgram && lines < kLines; ++i, ++lines) {
      text += kBody[static_cast<std::size_t>(i) % std::size(kBody)];
    }
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
            return double{kLines};
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
