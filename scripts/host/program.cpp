// Assembles, or reads an image; includes go through the script's file room.
#include "scripts/host/program.h"

#include <fmt/format.h>

#include "asm/assembler.h"

namespace wse::script {
namespace {

assembler::Loader loader(const FileRoom& files) {
  return [&files](const std::string& path) -> isa::Result<std::optional<std::string>> {
    const FileResult<bool> exists = files.exists(path);
    if (!exists) return isa::fail(exists.error().message);
    if (!*exists) return std::nullopt;
    FileResult<std::string> text = files.read_text(path, assembler::kMaxSourceBytes);
    if (!text) return isa::fail(text.error().message);
    return std::move(*text);
  };
}

isa::Result<AssembledProgram> image_of_bytes(const Program& program) {
  isa::Result<isa::Image> image = isa::read_image(std::as_bytes(std::span(program.text)));
  if (!image) return isa::fail(fmt::format("{}: {}", program.name, image.error()));
  for (const auto& [name, value] : program.values) {
    const isa::Status status = isa::set_parameter(*image, name, value);
    if (!status) return isa::fail(fmt::format("{}: {}", program.name, status.error()));
  }
  return AssembledProgram{std::move(*image), {}};
}

}  // namespace

isa::Result<AssembledProgram> make_image(Session& session, const Program& program,
                                         const RunDefaults& run) {
  if (isa::is_image(std::as_bytes(std::span(program.text)))) return image_of_bytes(program);
  const assembler::Options options{.overrides = program.values,
                                   .profile = run.machine.profile,
                                   .path = program.path,
                                   .include_folders = session.options.include_folders,
                                   .load = loader(session.files),
                                   .warnings = run.warnings};
  assembler::Output output = assembler::assemble({program.name, program.text}, options);
  std::string diagnostics = isa::to_text(output.diagnostics, output.files);
  if (!output.image) {
    if (diagnostics.ends_with('\n')) diagnostics.pop_back();
    return isa::fail("the program has errors\n" + diagnostics);
  }
  if (!diagnostics.empty() && diagnostics.ends_with('\n')) diagnostics.pop_back();
  if (!diagnostics.empty()) session.log(diagnostics);
  return AssembledProgram{std::move(*output.image), std::move(output.files)};
}

}  // namespace wse::script
