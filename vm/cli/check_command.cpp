// wsevm check: what is wrong with a program, or with the one that a script makes. Nothing runs.
#include <fmt/format.h>

#include "vm/cli/captured_program.h"
#include "vm/cli/diagnostics_json.h"
#include "vm/cli/interrupt.h"
#include "vm/cli/machine_option.h"
#include "vm/cli/memory_limit.h"
#include "vm/cli/outputs.h"
#include "vm/cli/standard_streams.h"
#include "vm/front/program_file.h"

namespace wse::cli {
namespace {

// Names the text of a script's program, which has no file.
std::string name_of_program(const std::string& script) {
  return fmt::format("<{}>", script.substr(script.rfind('/') + 1));
}

// The machine is made of what has no errors: it may refuse the image.
Outcome<void> try_machine(const ProgramSource& source, const isa::Image& image,
                          const isa::Profile& profile) {
  const auto machine = front::make_machine(source, image, profile);
  if (!machine) return std::unexpected(machine.error());
  return {};
}

class Check {
 public:
  Check(const CheckCommand& command, Interrupts& interrupts)
      : command_(command), interrupts_(interrupts) {
    findings_.file = command.source.file;
  }

  Outcome<ExitCode> run() {
    const ProgramSource& source = command_.source;
    const Outcome<isa::MeasuredProfile> machine = find_machine(source.machine, inputs_);
    if (!machine) return std::unexpected(machine.error());
    ExitCode code = ExitCode::Fine;
    Outcome<front::Assembly> assembly =
        front::is_script(source.file) ? of_script(machine->profile, code)
                                      : front::read_assembly(source, machine->profile, inputs_);
    if (!assembly && command_.format == "text") return std::unexpected(assembly.error());
    if (!assembly) return end_early(assembly.error());
    if (code != ExitCode::Fine) {
      const Outcome<void> printed = command_.format == "text" ? Outcome<void>() : print();
      if (!printed) return std::unexpected(printed.error());
      return code;
    }
    options_ = std::move(assembly->options);
    findings_.output = std::move(assembly->output);
    if (findings_.output.image) {
      const auto made = try_machine(source, *findings_.output.image, machine->profile);
      if (!made && command_.format != "text") return end_early(made.error());
      if (!made) {
        complain_of_findings();
        return std::unexpected(made.error());
      }
    }
    const Outcome<void> told = command_.format == "text" ? tell() : print();
    if (!told) return std::unexpected(told.error());
    if (const Outcome<void> drawn = draw_path(); !drawn) return std::unexpected(drawn.error());
    return findings_.output.image ? ExitCode::Fine : ExitCode::BadInput;
  }

 private:
  // `code`: how the script ended; if not well, there is no program.
  Outcome<front::Assembly> of_script(const isa::Profile& profile, ExitCode& code) {
    Outcome<CapturedProgram> program =
        captured_program(command_.source, command_.rights, command_.program, inputs_, interrupts_);
    if (!program) return std::unexpected(program.error());
    code = program->code;
    findings_.message = program->message;
    front::Assembly made{.options =
                             front::assembler_options(command_.source, profile, "", inputs_)};
    if (code != ExitCode::Fine) return made;
    made.options.overrides.clear();  // they were arguments of the script
    made.output = assembler::assemble(
        {name_of_program(command_.source.file), std::move(program->text)}, made.options);
    return made;
  }

  void complain_of_findings() const {
    complain(isa::to_text(findings_.output.diagnostics, findings_.output.files));
  }

  Outcome<void> tell() const {
    complain_of_findings();
    if (!findings_.output.image) return {};
    return print_text(fmt::format("{}: no errors\n", command_.source.file));
  }

  // To stdout; to stderr where that holds data.
  Outcome<void> draw_path() const {
    if (!command_.path || !findings_.output.image) return {};
    const auto text = path_text(*findings_.output.image, *command_.path);
    if (!text) return failure(fmt::format("--path: {}", text.error()));
    if (command_.format == "text") return print_text(*text);
    complain(*text);
    return {};
  }

  // The data say what the command line says to people.
  Outcome<ExitCode> end_early(const Failure& why) {
    findings_.message = why.message;
    const Outcome<void> printed = print();
    if (!printed) return std::unexpected(printed.error());
    return std::unexpected(why);
  }

  Outcome<void> print() {
    findings_.changes =
        assembler::tried_changes(findings_.output, options_, [](std::size_t) { return true; });
    const UncountedMemory uncounted;
    return print_data(command_.format == "json" ? findings_json(findings_)
                                                : findings_sarif(findings_, command_.version));
  }

  const CheckCommand& command_;
  Interrupts& interrupts_;
  isa::InputList inputs_;
  assembler::Options options_;
  Findings findings_;
};

}  // namespace

ExitCode check_command(const CheckCommand& command) {
  Interrupts interrupts({}, front::is_script(command.source.file) ? Interrupts::Subject::Script
                                                                  : Interrupts::Subject::Program);
  const Outcome<ExitCode> code = guarded([&] { return Check(command, interrupts).run(); });
  return code ? *code : report(code.error());
}

}  // namespace wse::cli
