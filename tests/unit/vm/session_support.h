// Sessions for tests: a row of PEs with tasks that a host launches.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <numeric>

#include "asm/assembler.h"
#include "vm/session/session.h"

namespace wse::test_sessions {

using isa::Number;
using vm::Session;
using State = vm::Session::State;

// PEs of a row that scale and count alone, and pass their numbers to the east.
constexpr const char* kCells = R"(
.const P = 4
.grid P, 1
.colour red, blue, lost
.program cell(to: colour, from: colour)
  .f32 x[6] exported = 10 * x + i
  .f32 got[6] exported
  .f16 half exported
  .i32 calls exported
  .reg n, alpha, k
  .microthread sending
  task main:
    mov32 calls, 100
  task scale exported (n: i32, alpha: f32):
    mark  scales
    fmuls x, x, alpha
    mov32 k, calls
    add32 k, k, n
    mov32 calls, k
  task halve exported (k: f16):
    fmovh half, k
  task pass exported:
    fmovs fabout(to), x async sending
    fmovs got, fabin(from)
  task stop exported:
    halt
  task lose exported:
    mov32 fabout(lost), 7
  task starve exported:
    fmovs got, fabin(from)
  task hold exported:
    block scale
  task free exported:
    unblock scale
  task crash exported (k: i32):
    assert k == 0
  task stamp exported:
    tsc   k
    mov32 calls, k
  task spin exported:
    mov32 k, 0
  again:
    add32 k, k, 1
    jmp   again
.place cell at (0..P-1, 0) with to = x % 2 ? red : blue, from = x % 2 ? blue : red
.route blue at (0..P-1 step 2, 0): ramp -> east
.route blue at (1..P-1 step 2, 0): west -> ramp
.route red at (1..P-1 step 2, 0): ramp -> west
.route red at (0..P-1 step 2, 0): east -> ramp
.route lost at (0..P-1, 0): ramp -> ramp
)";

struct On {
  std::string profile = "wse2";
  vm::TransportChoice transport = vm::TransportChoice::Stepper;
  std::uint32_t threads = 1;
  bool keeps_profile = false;
  std::uint32_t launch_cycles = 0;
};

inline std::unique_ptr<Session> session_of(std::string_view text, const On& on = {},
                                           const vm::RunOptions& options = {}) {
  isa::Profile profile = *isa::find_profile(on.profile);
  profile.launch_cycles = on.launch_cycles;
  assembler::Output output = assembler::assemble({"session.wsa", std::string(text)},
                                                 {.overrides = {}, .profile = profile});
  EXPECT_TRUE(output.image) << isa::to_text(output.diagnostics, output.files);
  vm::RunOptions with = options;
  with.profile = on.keeps_profile;
  return Session::of(
      std::move(*vm::Machine::create(std::move(*output.image), profile,
                                     {.threads = on.threads, .transport = on.transport})),
      with);
}

inline std::vector<float> floats(const Session& session, std::string_view name,
                                 const vm::ArrayPart& part = {}) {
  const auto shape = session.shape(name, part);
  EXPECT_TRUE(shape) << shape.error();
  std::vector<float> values(shape->elements());
  EXPECT_TRUE(session.read(name, part, std::as_writable_bytes(std::span(values))));
  return values;
}

inline std::int32_t calls(const Session& session, std::uint32_t x) {
  return static_cast<std::int32_t>(session.symbol(x, 0, "calls")->words[0]);
}

inline const std::array kArguments = {Number::of(std::int64_t{5}), Number::of(0.5)};

}  // namespace wse::test_sessions
