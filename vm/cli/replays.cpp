// Makes machines of one program, as often as they are asked for.
#include "vm/cli/replays.h"

#include <fmt/format.h>

#include "vm/cli/engine_option.h"
#include "vm/cli/machine_option.h"
#include "vm/cli/outputs.h"
#include "vm/cli/scripted_run.h"
#include "vm/cli/standard_streams.h"
#include "vm/front/array_files.h"
#include "vm/front/program_file.h"

namespace wse::cli {

Outcome<std::unique_ptr<Replays>> Replays::of(const ReplayCommand& command, isa::InputList& inputs,
                                              Interrupts& interrupts) {
  const RunCommand& run = command.run;
  const std::vector<NamedOutput> outputs = {{"--output", command.output}};
  Outcome<void> done = check_outputs(outputs, inputs);
  if (!done) return std::unexpected(done.error());
  std::unique_ptr<Replays> replays(new Replays(run, inputs));
  auto engine = find_engine(run.source, replays->texts_);
  if (!engine) return std::unexpected(engine.error());
  replays->engine_ = std::move(*engine);
  vm::RunOptions options;
  options.interrupt = &interrupts.flag();
  done = front::is_script(run.source.file) ? replays->run_script(interrupts, options)
                                           : replays->read_program(options);
  // Again: what is included is known now.
  if (done) done = check_outputs(outputs, inputs);
  if (!done) return std::unexpected(done.error());
  Replays& self = *replays;
  replays->timeline_ = std::make_unique<vm::Timeline>(
      [&self](vm::Timeline::Kind kind, const vm::Timeline::Rows& rows) {
        return self.make(kind, rows);
      },
      options);
  return replays;
}

Outcome<void> Replays::read_program(vm::RunOptions& options) {
  if (run_.profiled_run > 0) return failure("--run is for scripts, not for programs");
  const Outcome<isa::MeasuredProfile> chosen = find_machine(run_.source.machine, inputs_);
  if (!chosen) return std::unexpected(chosen.error());
  profile_ = chosen->profile;
  auto program = front::read_program(run_.source, chosen->profile, inputs_);
  if (!program) return std::unexpected(program.error());
  complain(program->warnings);
  image_ = std::move(program->image);
  options.tsc_skew = run_.tsc_skew;
  return {};
}

Outcome<void> Replays::run_script(Interrupts& interrupts, vm::RunOptions& options) {
  Outcome<ScriptedRun> run = scripted_run(run_, inputs_, interrupts);
  if (!run) return std::unexpected(run.error());
  image_ = std::move(run->image);
  words_ = std::move(run->words);
  profile_ = std::move(run->options.machine.profile);
  if (run->options.max_cycles) options.max_cycles = *run->options.max_cycles;
  options.tsc_skew = run->options.tsc_skew;
  options.jitter = run->options.jitter;
  return {};
}

isa::Attempt<std::unique_ptr<vm::Machine>> Replays::make(vm::Timeline::Kind kind,
                                                         const vm::Timeline::Rows& rows) {
  const auto refused = [](const Failure& failure) {
    return std::unexpected(isa::Error(failure.message, failure.code == ExitCode::Exhausted));
  };
  ProgramSource source = run_.source;
  if (kind == vm::Timeline::Kind::Replay) {
    source.threads = 1;
    source.transport = "stepper";
  }
  auto machine =
      front::make_machine(source, image_, profile_, {.engine = engine_.get(), .rows = rows});
  if (!machine) return refused(machine.error());
  for (const NameAndFile& in : run_.in) {
    const Outcome<void> loaded = front::load_array(**machine, in, inputs_);
    if (!loaded) return refused(loaded.error());
  }
  if (const isa::Status set = words_.put_into(**machine); !set) {
    return std::unexpected(isa::Error(set.error()));
  }
  return std::move(*machine);
}

Outcome<std::optional<vm::PeRect>> rect_of(const ReplayCommand& command,
                                           const isa::Topology& mesh) {
  if (!command.of) return std::nullopt;
  const vm::TraceFilter& of = *command.of;
  if (of.x1 >= mesh.width() || of.y1 >= mesh.height()) {
    return failure(fmt::format("PE({}, {}) is outside the grid, which has {} x {} PEs", of.x1,
                               of.y1, mesh.width(), mesh.height()));
  }
  return vm::PeRect{
      .x = of.x0, .y = of.y0, .width = of.x1 - of.x0 + 1, .height = of.y1 - of.y0 + 1};
}

Failure failure_of(const isa::Error& error) {
  return {error.message, error.exhausted ? ExitCode::Exhausted : ExitCode::BadInput};
}

}  // namespace wse::cli
