// Messages that the guess counts as long, and whom it takes for a link of a chain.
#include "vm/run/wafer_worth.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "asm/assembler.h"
#include "isa/machine/profile.h"
#include "vm/run/machine.h"

namespace {

using namespace wse;

// Returns what --transport=auto takes for so many rows of 16 PEs with this code, each of which
// sends to itself.
vm::Record automatic_loopback(std::string_view code, int rows = 8) {
  const isa::Profile profile = *isa::find_profile("model");
  const std::string text = fmt::format(R"(
.grid 16, {0}
.colour red, blue, green
.program p
  .i32 v[66] = i
  .i32 w[66]
  .i32 u[66]
  .microthread first, second, third
  task main:
{1}.place p at (0..15, 0..{0} - 1)
.route red at (0..15, 0..{0} - 1): ramp -> ramp
.route blue at (0..15, 0..{0} - 1): ramp -> ramp
.route green at (0..15, 0..{0} - 1): ramp -> ramp
)",
                                       rows, code);
  assembler::Output output =
      assembler::assemble({"loopback.wsa", text}, {.overrides = {}, .profile = profile});
  EXPECT_TRUE(output.image) << isa::to_text(output.diagnostics, output.files);
  const auto machine = vm::Machine::create(*output.image, profile);
  vm::Record record = (*machine)->run({});
  EXPECT_EQ(record.status, vm::RunStatus::Halted) << record.message;
  return record;
}

// Two of six instructions are long: so that all are on average, the others must not be too short.
TEST(WaferWorth, CountsWordsWhereFewMessagesAreLong) {
  const auto transport = [](int words) {
    return automatic_loopback(fmt::format("    mov32 fabout(red), v async first\n"
                                          "    mov32 fabout(blue), v[0:{0}] async second\n"
                                          "    mov32 fabout(green), v[0:{0}] async third\n"
                                          "    mov32 w, fabin(red)\n"
                                          "    mov32 u[0:{0}], fabin(blue)\n"
                                          "    mov32 u[0:{0}], fabin(green)\n",
                                          words))
        .transport;
  };
  EXPECT_EQ(transport(15), "wafer");  // twice 66 and four times 15: 32 on average
  EXPECT_EQ(transport(14), "stepper");
}

// Where 1024 PEs work, messages of 4 words are long, and any where no instruction runs twice.
TEST(WaferWorth, WantsFewWordsWhereManyPesWork) {
  const auto transport = [](std::string_view words, bool repeats, int rows) {
    return automatic_loopback(
               fmt::format(
                   "    mov32 r1, 0\n  again:\n    mov32 fabout(red), v[0:{0}] async first\n"
                   "    mov32 w[0:{0}], fabin(red)\n    add32 r1, r1, 1\n{1}",
                   words, repeats ? "    blt r1, 3, again\n" : ""),
               rows)
        .transport;
  };
  EXPECT_EQ(transport("4", true, 64), "wafer");
  EXPECT_EQ(transport("4", true, 63), "stepper");
  EXPECT_EQ(transport("3", true, 64), "stepper");
  EXPECT_EQ(transport("1", false, 64), "wafer");
  EXPECT_EQ(transport("1", false, 63), "stepper");
}

// The text takes first, as that of a link of a chain does. A PE that sends two ways is no link.
TEST(WaferWorth, KnowsChainsByTheOneWayOnWhichTheySend) {
  const auto text = [](bool two_ways) {
    return fmt::format(
        "    jmp send\n"
        "  take:\n    mov32 w[0:40], fabin(red)\n{}    halt\n"
        "  send:\n    mov32 fabout(red), v[0:40] async first\n{}    jmp take\n",
        two_ways ? "    mov32 u[0:40], fabin(blue)\n" : "",
        two_ways ? "    mov32 fabout(blue), v[0:40] async second\n" : "");
  };
  EXPECT_EQ(automatic_loopback(text(true)).transport, "wafer");
  const vm::Record chain = automatic_loopback(text(false));
  EXPECT_EQ(chain.transport, "stepper");
  EXPECT_EQ(chain.transport_reason, "chains of messages of few words");
}

}  // namespace
