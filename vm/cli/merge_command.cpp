// wsevm merge: the CSV files of a sweep's shares as one.
#include <fmt/format.h>

#include "isa/support/atomic_file.h"
#include "scripts/host/sweep_merge.h"
#include "vm/cli/interrupt.h"
#include "vm/cli/memory_limit.h"
#include "vm/cli/outputs.h"
#include "vm/cli/standard_streams.h"

namespace wse::cli {
namespace {

Outcome<std::vector<script::SweepPart>> read_parts(const MergeCommand& command,
                                                   isa::InputList& inputs) {
  std::vector<script::SweepPart> parts;
  for (const std::string& file : command.files) {
    auto text = isa::read_text_file(file, inputs);
    if (!text) return failure(text.error());
    parts.push_back({file, std::move(*text)});
  }
  return parts;
}

Outcome<void> merge(const MergeCommand& command, isa::InputList& inputs, Interrupts& interrupts) {
  Outcome<void> done = check_outputs({{"--output", command.output}}, inputs);
  if (!done) return done;
  const auto parts = read_parts(command, inputs);
  if (!parts) return std::unexpected(parts.error());
  const isa::Result<std::string> whole = script::merged_parts(*parts);
  if (!whole) return failure("merge: " + whole.error());
  interrupts.enter(Interrupts::Stage::Writing);
  return outcome(isa::write_whole_file(command.output, inputs, std::as_bytes(std::span(*whole))));
}

}  // namespace

ExitCode merge_command(const MergeCommand& command) {
  isa::InputList inputs;
  for (const std::string& file : command.files) inputs.expect(file);
  Interrupts interrupts;
  const Outcome<void> done = guarded([&] { return merge(command, inputs, interrupts); });
  return done ? ExitCode::Fine : report(done.error());
}

}  // namespace wse::cli
