// wsevm run FILE.lua, wsevm gen: gives a script its files, limits and streams, and reports its end.
#include <fmt/format.h>

#include <algorithm>

#include "isa/support/atomic_file.h"
#include "scripts/host/script.h"
#include "vm/cli/captured_program.h"
#include "vm/cli/engine_option.h"
#include "vm/cli/interrupt.h"
#include "vm/cli/kept_run.h"
#include "vm/cli/machine_option.h"
#include "vm/cli/memory_limit.h"
#include "vm/cli/outputs.h"
#include "vm/cli/profile_output.h"
#include "vm/cli/rank_channel.h"
#include "vm/cli/ranks_option.h"
#include "vm/cli/reports.h"
#include "vm/cli/run_output.h"
#include "vm/cli/run_results.h"
#include "vm/cli/scripted_run.h"
#include "vm/cli/standard_streams.h"
#include "vm/front/data_folder.h"
#include "vm/front/program_file.h"
#include "vm/front/script_options.h"
#include "vm/processes/process_medium.h"

namespace wse::cli {
namespace {

constexpr std::size_t kMaxScriptBytes = std::size_t{16} << 20;

// Options that belong to one program; a script says such things itself.
Outcome<void> check_options(const RunCommand& command, isa::InputList& inputs) {
  if (!command.of_programs.empty()) {
    return failure(fmt::format("{} is for programs, not for scripts", command.of_programs.front()));
  }
  if (command.trace == "-" && command.profiled_run == 0) {
    return failure("--trace=-: a script may run several programs; say which one: --run=K");
  }
  return check_outputs(outputs_of(command), inputs);
}

script::LimitOptions limits_for(const ScriptRights& rights, const ProgramSource& source,
                                const Interrupts& interrupts) {
  script::LimitOptions limits;
  if (rights.memory) limits.memory_bytes = *rights.memory;
  if (source.max_memory) limits.memory_bytes = std::min(limits.memory_bytes, *source.max_memory);
  if (rights.instructions) limits.instructions = *rights.instructions;
  limits.interrupt = &interrupts.flag();
  return limits;
}

script::Options options_for(const ProgramSource& source, const ScriptRights& rights,
                            const std::string& path, const CodeTexts& texts,
                            const Interrupts& interrupts) {
  script::Options options = front::script_options(source, path);
  options.limits = limits_for(rights, source, interrupts);
  options.unsafe = rights.unsafe;
  options.log = [](std::string_view line) { complain(fmt::format("{}\n", line)); };
  options.make_engine = [&source, &texts]() -> isa::Result<std::unique_ptr<vm::Engine>> {
    auto engine = find_engine(source, texts);
    if (!engine) return isa::fail(engine.error().message);
    return std::move(*engine);
  };
  options.engine_outputs = [&texts] { return texts.written(); };
  options.spare_memory = spare_memory;
  options.hold_outputs = [&texts](bool held) { held ? texts.lock() : texts.unlock(); };
  options.enter_worker = share_memory_limit;
  return options;
}

// Runs it; `options` made ready by `change`.
template <class Change>
Outcome<script::ScriptResult> run_script(const ProgramSource& source, const ScriptRights& rights,
                                         isa::InputList& inputs, Interrupts& interrupts,
                                         Change change) {
  const Outcome<std::string> path = front::find_input(source.file);
  if (!path) return std::unexpected(path.error());
  const auto text = isa::read_text_file(*path, inputs, kMaxScriptBytes);
  if (!text) return failure(text.error());
  const Outcome<isa::MeasuredProfile> machine = find_machine(source.machine, inputs);
  if (!machine) return std::unexpected(machine.error());
  const CodeTexts texts(source.engine, inputs);
  script::Options options = options_for(source, rights, *path, texts, interrupts);
  options.defaults.machine = {machine->profile, source.machine, "", machine->intervals};
  change(options);
  if (rights.unsafe) {
    complain(fmt::format("{}: --unsafe: it can do what you can do, without limits\n", source.file));
  }
  interrupts.enter(Interrupts::Stage::Running);
  script::ScriptResult result = script::run_script(*text, options, inputs);
  interrupts.enter(Interrupts::Stage::Writing);
  if (!result.message.empty()) complain(result.message + "\n");
  // Whatever the script made of the error.
  if (const auto written = texts.written(); !written && result.ending == script::Ending::Fine) {
    return failure(written.error());
  }
  return result;
}

// Where one machine of all ranks meets.
std::shared_ptr<const vm::Medium> medium_of(const JoinedRanks& ranks) {
  struct RankMedium {
    explicit RankMedium(ranks::Ranks& of) : channel(of) { of.beat(); }
    RankChannel channel;
    vm::ProcessMedium medium{channel};
  };
  const auto both = std::make_shared<RankMedium>(ranks.ranks());
  return {both, &both->medium};
}

Outcome<ExitCode> run(const RunCommand& command, isa::InputList& inputs, Interrupts& interrupts,
                      const JoinedRanks& ranks) {
  if (Outcome<void> fine = check_options(command, inputs); !fine) {
    return std::unexpected(fine.error());
  }
  const bool leads = ranks.leads();
  const bool to_stdout = !takes_stdout(outputs_of(command));
  Outcome<void> printed;
  Progress progress(command);
  KeptRun kept(command, inputs);
  auto result =
      run_script(command.source, command.rights, inputs, interrupts, [&](script::Options& options) {
        options.defaults.max_cycles = command.max_cycles;
        options.defaults.tsc_skew = command.tsc_skew;
        options.defaults.jitter = command.jitter;
        options.defaults.strict = command.strict;
        options.defaults.expect = command.expect;
        options.defaults.interval = command.interval;
        kept.listen(options);
        options.team = ranks.team();
        if (ranks.team() != nullptr) options.medium = [&ranks] { return medium_of(ranks); };
        if (!leads) options.log = nullptr;
        options.print = [&printed, to_stdout, leads](std::string_view text) {
          if (!leads) return;
          if (!to_stdout) return complain(text);
          if (printed) printed = print_data(text);
        };
        options.give_up = [&](const std::string& message) {
          interrupts.take_last_words();
          complain(message + "\n");
          static_cast<void>(write_unfinished(command, inputs, "error", message));
          end_for_good();
        };
        options.progress = [&progress](std::string_view title, std::uint64_t rows,
                                       std::uint64_t of) {
          of == 0 ? progress.end() : progress.tell_rows(title, rows, of);
        };
      });
  if (!result) return std::unexpected(result.error());
  const ExitCode code = kept.write(*result, code_of(result->ending));
  interrupts.take_last_words();
  if (printed && command.stats && !result->runs.empty()) {
    printed = print_text(record_text(result->runs.back()));
  }
  const Outcome<void> written = write_record(command, inputs, *result);
  if (!printed) return std::unexpected(printed.error());
  if (!written) return std::unexpected(written.error());
  return code;
}

Outcome<ExitCode> generate(const GenCommand& command, Interrupts& interrupts) {
  isa::InputList inputs;
  expect_inputs(command.source, inputs);
  const Outcome<void> fine = check_outputs({{"--output", command.output}}, inputs);
  if (!fine) return std::unexpected(fine.error());
  const auto program =
      captured_program(command.source, command.rights, command.program, inputs, interrupts);
  if (!program) return std::unexpected(program.error());
  if (program->code != ExitCode::Fine) return program->code;
  interrupts.take_last_words();
  const auto text = std::as_bytes(std::span(program->text));
  const Outcome<void> written = cli::outcome(isa::write_whole_file(command.output, inputs, text));
  if (!written) return std::unexpected(written.error());
  return ExitCode::Fine;
}

// The script prints to stderr: stdout is for the answer of the command.
void speak_aside(script::Options& options, Interrupts& interrupts) {
  options.give_up = [&interrupts](const std::string& message) {
    interrupts.take_last_words();
    complain(message + "\n");
    end_for_good();
  };
  options.print = [](std::string_view text) { complain(text); };
}

}  // namespace

Outcome<CapturedProgram> captured_program(const ProgramSource& source, const ScriptRights& rights,
                                          std::uint64_t number, isa::InputList& inputs,
                                          Interrupts& interrupts) {
  if (!front::is_script(source.file)) {
    return failure(fmt::format("{}: gen is for scripts (.lua)", source.file));
  }
  auto result = run_script(source, rights, inputs, interrupts, [&](script::Options& options) {
    options.capture = number;
    speak_aside(options, interrupts);
  });
  if (!result) return std::unexpected(result.error());
  return CapturedProgram{std::move(result->captured), std::move(result->message),
                         code_of(result->ending)};
}

Outcome<ScriptedRun> scripted_run(const RunCommand& command, isa::InputList& inputs,
                                  Interrupts& interrupts) {
  if (Outcome<void> fine = check_options(command, inputs); !fine) {
    return std::unexpected(fine.error());
  }
  std::uint64_t ended = 0;
  bool is_found = false;
  std::optional<ScriptedRun> kept;
  const auto take = [&](const script::FinishedRun& run) {
    if (++ended != command.profiled_run && command.profiled_run != 0) return;
    is_found = true;
    kept.reset();
    if (run.words != nullptr) kept = ScriptedRun{run.machine.image(), *run.options, *run.words};
  };
  auto result =
      run_script(command.source, command.rights, inputs, interrupts, [&](script::Options& options) {
        options.on_run = take;
        options.words = true;
        speak_aside(options, interrupts);
      });
  if (!result) return std::unexpected(result.error());
  if (result->ending == script::Ending::Interrupted) {
    return std::unexpected(
        Failure{"interrupted before there was an answer", ExitCode::Interrupted});
  }
  if (kept) return std::move(*kept);
  if (is_found) {
    return failure(
        "a launch of a session and a run that continues from a checkpoint cannot be asked; --run=K "
        "asks another run of the script");
  }
  if (ended == 0) return failure("the script runs nothing outside of sweeps");
  return failure(fmt::format("--run: the script runs {} program{}, not {}", ended,
                             ended == 1 ? "" : "s", command.profiled_run));
}

ExitCode run_script_command(const RunCommand& given) {
  if (const std::optional<ExitCode> guarded_code = guard()) return *guarded_code;
  RunCommand command = given;
  isa::InputList inputs;
  expect_inputs(command, inputs);
  Interrupts interrupts(
      [&](const std::string& message) {
        static_cast<void>(write_unfinished(command, inputs, "interrupted", message));
      },
      Interrupts::Subject::Script);
  JoinedRanks ranks;
  const Outcome<ExitCode> code = guarded([&]() -> Outcome<ExitCode> {
    const Outcome<void> joined = ranks.join(command);
    if (!joined) return std::unexpected(joined.error());
    return run(command, inputs, interrupts, ranks);
  });
  if (code) {
    ranks.leave(*code);
    return *code;
  }
  interrupts.take_last_words();
  const Failure told = ranks.tell(code.error());
  const ExitCode reported = report(told);
  const Outcome<void> written = write_unfinished(command, inputs, "error", told.message);
  ranks.leave(reported);
  return written ? reported : report(written.error());
}

ExitCode gen_command(const GenCommand& command) {
  Interrupts interrupts({}, Interrupts::Subject::Script);
  const Outcome<ExitCode> code = guarded([&] { return generate(command, interrupts); });
  return code ? *code : report(code.error());
}

}  // namespace wse::cli
