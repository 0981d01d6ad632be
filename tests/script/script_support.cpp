// Options for tests: the name test.lua, 128 MiB, 20 million instructions, sweeps in two processes.
#include "tests/script/script_support.h"

namespace wse::script {

Options test_options() {
  Options options;
  options.file = "test.lua";
  options.path = "-";
  options.data_folder = WSE_SOURCE_DIR;
  options.defaults.machine = {*isa::find_profile("model"), "model", ""};
  options.threads = 2;
  options.limits.memory_bytes = std::uint64_t{128} << 20;
  options.limits.instructions = 20'000'000;
  return options;
}

Ran run_text(const std::string& source, Options options) {
  Ran ran;
  options.print = [&ran](std::string_view text) { ran.printed += text; };
  options.log = [&ran](std::string_view line) { ran.logged += std::string(line) + "\n"; };
  isa::InputList inputs;
  ran.result = run_script(source, options, inputs);
  return ran;
}

}  // namespace wse::script
