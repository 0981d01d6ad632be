// A run that is asked about its past, from a command line.
#pragma once

#include <memory>

#include "isa/support/input_list.h"
#include "vm/cli/code_texts.h"
#include "vm/cli/commands.h"
#include "vm/cli/interrupt.h"
#include "vm/run/interval_runs.h"
#include "vm/timeline/timeline.h"

namespace wse::cli {

class Replays {
 public:
  // Tries the output and reads the program, or runs the script up to its end; a machine is made
  // when somebody asks. Failures: a place that cannot be written, those of reading and assembling,
  // and of scripted_run(). All must live longer.
  static Outcome<std::unique_ptr<Replays>> of(const ReplayCommand& command, isa::InputList& inputs,
                                              Interrupts& interrupts);

  const isa::Image& image() const { return image_; }
  vm::Timeline& timeline() { return *timeline_; }

 private:
  Replays(const RunCommand& run, isa::InputList& inputs)
      : run_(run), inputs_(inputs), texts_(run.source.engine, inputs) {}
  Outcome<void> read_program(vm::RunOptions& options);
  Outcome<void> run_script(Interrupts& interrupts, vm::RunOptions& options);
  isa::Attempt<std::unique_ptr<vm::Machine>> make(vm::Timeline::Kind kind,
                                                  const vm::Timeline::Rows& rows);

  const RunCommand& run_;
  isa::InputList& inputs_;
  CodeTexts texts_;
  std::unique_ptr<vm::Engine> engine_;
  isa::Profile profile_{};
  isa::Image image_{};
  vm::FirstWords words_{};  // of a script's run
  std::unique_ptr<vm::Timeline> timeline_;
};

// The PEs of a question, on the mesh; nothing: all.
Outcome<std::optional<vm::PeRect>> rect_of(const ReplayCommand& command, const isa::Topology& mesh);

// The exit code for a question that could not be answered.
Failure failure_of(const isa::Error& error);

}  // namespace wse::cli
