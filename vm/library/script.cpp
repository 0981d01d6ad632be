// The sandbox of the command line, with a caller's functions behind it.
#include "vm/library/script.h"

#include <fmt/format.h>

#include "isa/support/atomic_file.h"
#include "jit/engines.h"
#include "scripts/host/script.h"
#include "vm/front/data_folder.h"
#include "vm/front/machine_file.h"
#include "vm/front/script_options.h"
#include "vm/support/host_memory.h"

namespace wse::library {
namespace {

constexpr std::size_t kMaxScriptBytes = std::size_t{16} << 20;

// Hands over what is printed, a line at a time.
class Lines {
 public:
  explicit Lines(const ScriptHost& host) : host_(host) {}
  ~Lines() {
    if (!rest_.empty()) hand_over(rest_);
  }
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  void add(std::string_view text) {
    rest_ += text;
    std::size_t begin = 0;
    for (std::size_t end; (end = rest_.find('\n', begin)) != std::string::npos; begin = end + 1) {
      hand_over(rest_.substr(begin, end - begin));
    }
    rest_.erase(0, begin);
  }

 private:
  void hand_over(const std::string& line) const {
    if (host_.print != nullptr) host_.print(host_.user, line.c_str());
  }

  const ScriptHost& host_;
  std::string rest_;
};

isa::Result<std::unique_ptr<vm::Engine>> engine_of(const std::string& name) {
  return jit::make_engine(name, {.waits_at_end = true});
}

}  // namespace

wsevm_code code_of(script::Ending ending) {
  switch (ending) {
    case script::Ending::Fine: return WSEVM_OK;
    case script::Ending::EndedBadly: return WSEVM_ENDED_BADLY;
    case script::Ending::BadInput: return WSEVM_BAD_INPUT;
    case script::Ending::Exhausted: return WSEVM_EXHAUSTED;
    case script::Ending::Interrupted: return WSEVM_INTERRUPTED;
  }
  return WSEVM_INTERNAL;
}

Fallible<script::ScriptResult> run_script(const Origin& origin, const Choices& choices,
                                          const ScriptHost& host, isa::InputList& inputs) {
  front::ProgramSource source = choices.source;
  source.file = origin.file;
  source.values = origin.values;
  source.machine = choices.machine.value_or(origin.machine);
  const auto path = front::find_input(source.file);
  if (!path) return fault(path.error());
  const auto text = isa::read_text_file(*path, inputs, kMaxScriptBytes);
  if (!text) return fault(text.error());
  const front::MachineFileHost reader{.log = [](std::string_view) {}, .give_up = {}};
  const auto machine = front::find_machine(source.machine, inputs, reader);
  if (!machine) return fault(machine.error());
  Lines lines(host);
  script::Options options = front::script_options(source, *path);
  options.defaults.machine = {machine->profile, source.machine, "", machine->intervals};
  if (choices.max_cycles != UINT64_MAX) options.defaults.max_cycles = choices.max_cycles;
  options.defaults.tsc_skew = choices.tsc_skew;
  options.defaults.jitter = choices.jitter;
  options.defaults.expect = choices.expect;
  options.defaults.strict = choices.strict;
  options.capture = host.capture;
  options.limits.interrupt = host.interrupt;
  options.make_engine = [&source] { return engine_of(source.engine.name); };
  options.spare_memory = vm::host_memory_bytes;
  options.print = [&lines](std::string_view printed) { lines.add(printed); };
  options.log = [&lines](std::string_view line) { lines.add(fmt::format("{}\n", line)); };
  return script::run_script(*text, options, inputs);
}

}  // namespace wse::library
