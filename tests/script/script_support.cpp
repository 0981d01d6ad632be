// Options for tests: the name test.lua, 128 MiB, 20 million instructions, sweeps in two processes.
#include "tests/script/script_support.h"

#include "vm/front/array_files.h"
#include "vm/front/script_options.h"

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

Options command_options(const std::filesystem::path& script) {
  Options options;
  options.file = script.filename().string();
  options.path = script.string();
  options.data_folder = WSE_SOURCE_DIR;
  options.set_array = [](vm::Machine& machine, const std::string& name, const std::string& file,
                         std::span<const std::byte> bytes) -> isa::Status {
    const auto array = numpy::parse_npy({bytes.begin(), bytes.end()});
    if (!array) return isa::fail(array.error());
    const auto set = front::set_array(machine, name, file, *array);
    return set ? isa::Status() : isa::Status(isa::fail(set.error().message));
  };
  options.format_report = [](const std::vector<ReportedRun>& runs, const std::string& title,
                             const ReportModel& model) {
    return front::script_page("script.lua", runs, title, model);
  };
  options.format_array = [](const vm::Machine& machine,
                            const std::string& name) -> isa::Result<std::vector<std::byte>> {
    const auto array = front::read_array(machine, name);
    if (!array) return isa::fail(array.error().message);
    return numpy::format_npy(*array);
  };
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
