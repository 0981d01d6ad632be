// wsevm why: what PEs waited for at a cycle.
#include <fmt/format.h>

#include "isa/support/visible.h"
#include "vm/cli/interrupt.h"
#include "vm/cli/memory_limit.h"
#include "vm/cli/outputs.h"
#include "vm/cli/replays.h"
#include "vm/cli/run_results.h"
#include "vm/cli/standard_streams.h"
#include "vm/front/program_file.h"
#include "vm/timeline/why.h"

namespace wse::cli {
namespace {

Outcome<void> answer(const ReplayCommand& command, isa::InputList& inputs, Interrupts& interrupts) {
  auto replays = Replays::of(command, inputs, interrupts);
  if (!replays) return std::unexpected(replays.error());
  const auto rect = rect_of(command, (*replays)->image().topology());
  if (!rect) return std::unexpected(rect.error());
  interrupts.enter(Interrupts::Stage::Running);
  const isa::Attempt<std::string> text =
      vm::why((*replays)->timeline(),
              {.at = command.at, .rect = *rect, .class_number = command.class_number});
  if (!text && interrupts.flag()) {
    return std::unexpected(Failure{text.error().message, ExitCode::Interrupted});
  }
  if (!text) return std::unexpected(failure_of(text.error()));
  return write_text_file(command.output, inputs, isa::visible(*text) + "\n");
}

}  // namespace

ExitCode why_command(const ReplayCommand& command) {
  isa::InputList inputs;
  expect_inputs(command.run, inputs);
  Interrupts interrupts([](const std::string&) {}, front::is_script(command.run.source.file)
                                                       ? Interrupts::Subject::Script
                                                       : Interrupts::Subject::Program);
  const Outcome<void> done = guarded([&] { return answer(command, inputs, interrupts); });
  if (done) return ExitCode::Fine;
  interrupts.take_last_words();
  return report(done.error());
}

}  // namespace wse::cli
