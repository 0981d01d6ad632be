// Reads program files. The first bytes of a file say what it is, not its name.
#include "vm/front/program_file.h"

#include <fmt/format.h>

#include "isa/support/atomic_file.h"
#include "isa/support/plain_text.h"
#include "vm/front/data_folder.h"
#include "vm/front/memory_fit.h"
#include "vm/front/source_loader.h"

namespace wse::front {
namespace {

std::string shown_name(const std::string& file) {
  if (file == "-") return "<stdin>";
  const std::size_t slash = file.rfind('/');
  return slash == std::string::npos ? file : file.substr(slash + 1);
}

bool ends_with(const std::string& text, std::string_view end) { return text.ends_with(end); }

Outcome<ProgramFile> read_image_file(const ProgramSource& source,
                                     const std::vector<std::byte>& bytes) {
  isa::Result<isa::Image> image = isa::read_image(bytes);
  if (!image) return failure(fmt::format("{}: {}", source.file, image.error()));
  for (const auto& [name, value] : source.values) {
    const isa::Status status = isa::set_parameter(*image, name, value);
    if (!status) return failure(fmt::format("{}: {}", source.file, status.error()));
  }
  return ProgramFile{std::move(*image), {}, {}, {}};
}

// `path`: where the text was read, from where its includes are looked for.
Outcome<Assembly> assemble_file(const ProgramSource& source, const isa::Profile& profile,
                                const std::string& path, const std::vector<std::byte>& bytes,
                                isa::InputList& inputs) {
  auto text = isa::plain_text({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  if (!text) return failure(fmt::format("{}: {}", source.file, text.error()));
  Assembly made{.options = assembler_options(source, profile, path == "-" ? "" : path, inputs)};
  made.output = assembler::assemble({shown_name(source.file), std::move(*text)}, made.options);
  return made;
}

Outcome<ProgramFile> whole_program(Assembly assembly) {
  assembler::Output& output = assembly.output;
  std::string diagnostics = isa::to_text(output.diagnostics, output.files);
  if (!output.image) return failure(std::move(diagnostics));
  return ProgramFile{std::move(*output.image), std::move(output.files), std::move(output.numbers),
                     std::move(diagnostics)};
}

}  // namespace

assembler::Options assembler_options(const ProgramSource& source, const isa::Profile& profile,
                                     const std::string& path, isa::InputList& inputs) {
  return {.overrides = source.values,
          .profile = profile,
          .path = path,
          .include_folders = source.include_folders,
          .load = [&inputs](const std::string& included) { return load_source(included, inputs); },
          .warnings = source.warnings};
}

bool is_script(std::string_view file) { return file.ends_with(".lua"); }

namespace {

// The bytes of a program, and where they were found.
struct ProgramBytes {
  std::string path;
  std::vector<std::byte> bytes;
  bool is_image = false;
};

Outcome<ProgramBytes> read_bytes(const ProgramSource& source, isa::InputList& inputs) {
  if (is_script(source.file)) {
    return failure(
        fmt::format("{}: a script is no program; wsevm gen writes the one it makes", source.file));
  }
  const Outcome<std::string> path = find_input(source.file);
  if (!path) return std::unexpected(path.error());
  auto bytes = isa::read_whole_file(*path, inputs, kMaxProgramBytes);
  if (!bytes) return failure(bytes.error());
  const bool image = ends_with(source.file, ".wsb") || isa::is_image(*bytes);
  return ProgramBytes{*path, std::move(*bytes), image};
}

}  // namespace

Outcome<Assembly> read_assembly(const ProgramSource& source, const isa::Profile& profile,
                                isa::InputList& inputs) {
  const Outcome<ProgramBytes> read = read_bytes(source, inputs);
  if (!read) return std::unexpected(read.error());
  if (!read->is_image) return assemble_file(source, profile, read->path, read->bytes, inputs);
  Outcome<ProgramFile> program = read_image_file(source, read->bytes);
  if (!program) return std::unexpected(program.error());
  Assembly made;
  made.output.image = std::move(program->image);
  return made;
}

Outcome<ProgramFile> read_program(const ProgramSource& source, const isa::Profile& profile,
                                  isa::InputList& inputs) {
  const Outcome<ProgramBytes> read = read_bytes(source, inputs);
  if (!read) return std::unexpected(read.error());
  if (read->is_image) return read_image_file(source, read->bytes);
  Outcome<Assembly> assembly = assemble_file(source, profile, read->path, read->bytes, inputs);
  if (!assembly) return std::unexpected(assembly.error());
  return whole_program(std::move(*assembly));
}

Outcome<std::unique_ptr<vm::Machine>> make_machine(const ProgramSource& source, isa::Image image,
                                                   const isa::Profile& profile,
                                                   vm::MachineOptions options) {
  options.threads = source.threads;
  options.transport = *vm::transport_named(source.transport);
  options.cohorts = source.cohorts == "on";
  const std::uint32_t ranks = options.medium != nullptr ? options.medium->processes() : 1;
  const auto fits =
      fits_into_memory(image, profile, source.max_memory, options.transport, 1, ranks);
  if (!fits) {
    return std::unexpected(Failure{source.file + ": " + fits.error().message, fits.error().code});
  }
  auto machine = vm::Machine::create(std::move(image), profile, options);
  if (machine) return std::move(*machine);
  return failure(source.file, machine.error());
}

}  // namespace wse::front
