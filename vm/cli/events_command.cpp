// wsevm events: what happened in a rectangle over some cycles.
#include <fmt/format.h>

#include <algorithm>

#include "vm/cli/interrupt.h"
#include "vm/cli/memory_limit.h"
#include "vm/cli/outputs.h"
#include "vm/cli/replays.h"
#include "vm/cli/run_output.h"
#include "vm/cli/standard_streams.h"
#include "vm/front/program_file.h"
#include "vm/timeline/events.h"

namespace wse::cli {
namespace {

// Below so many nobody waits.
constexpr std::uint64_t kToldPeCycles = 10'000'000;

Outcome<vm::EventsQuestion> question_of(const ReplayCommand& command, const isa::Topology& mesh) {
  const Outcome<std::optional<vm::PeRect>> rect = rect_of(command, mesh);
  if (!rect) return std::unexpected(rect.error());
  const vm::PeRect all{.x = 0, .y = 0, .width = mesh.width(), .height = mesh.height()};
  return vm::EventsQuestion{
      .rect = rect->value_or(all), .first = command.cycles.first, .last = command.cycles.last};
}

Outcome<void> write_events(const ReplayCommand& command, isa::InputList& inputs,
                           Interrupts& interrupts, TraceFile& file, vm::TraceFilter filter) {
  auto replays = Replays::of(command, inputs, interrupts);
  if (!replays) return std::unexpected(replays.error());
  const isa::Topology mesh = (*replays)->image().topology();
  const auto question = question_of(command, mesh);
  if (!question) return std::unexpected(question.error());
  Outcome<void> done = TraceFile::check(command.output, filter, mesh);
  if (done) done = file.open(inputs);
  if (!done) return done;
  interrupts.enter(Interrupts::Stage::Running);
  const vm::EventsPart part = vm::part_for(*question, mesh, question->first);
  if (part.pe_cycles > kToldPeCycles) {
    complain(fmt::format("wsevm: note: {} PE-cycles or more are run again, looking at each\n",
                         part.pe_cycles));
  }
  const isa::Attempt<vm::Stop> stop =
      vm::tell_events((*replays)->timeline(), *question, *file.sink(),
                      TraceFile::machine_filter(command.output, filter));
  if (!stop) return std::unexpected(failure_of(stop.error()));
  if (stop->status == vm::RunStatus::Interrupted) {
    return std::unexpected(
        Failure{fmt::format("interrupted in cycle {}", stop->now), ExitCode::Interrupted});
  }
  if (stop->now < question->first) {
    return failure(fmt::format("the run was over after {} cycles: --cycles={}..{} is behind it",
                               stop->now + 1, question->first, question->last));
  }
  return file.close();
}

}  // namespace

ExitCode events_command(const ReplayCommand& command) {
  isa::InputList inputs;
  expect_inputs(command.run, inputs);
  Interrupts interrupts([](const std::string&) {}, front::is_script(command.run.source.file)
                                                       ? Interrupts::Subject::Script
                                                       : Interrupts::Subject::Program);
  vm::TraceFilter filter = command.of.value_or(vm::TraceFilter());
  filter.first = command.cycles.first;
  filter.last = command.cycles.last;
  TraceFile file(command.output, filter);
  const Outcome<void> done =
      guarded([&] { return write_events(command, inputs, interrupts, file, filter); });
  if (done) return ExitCode::Fine;
  interrupts.take_last_words();
  return report(done.error());
}

}  // namespace wse::cli
