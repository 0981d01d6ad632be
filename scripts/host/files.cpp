// Between Lua and the file room.
#include "scripts/host/files.h"

#include <algorithm>

#include "scripts/host/picture_file.h"
#include "scripts/host/session.h"
#include "scripts/host/table_reader.h"

namespace wse::script {
namespace {

std::unexpected<BindingError> file_problem(const isa::FileError& error) {
  return problem(error.message, error.exhausted ? Ending::Exhausted : Ending::BadInput);
}

// Returns the bytes that a process beside the script may take.
std::uint64_t spare_bytes(const Session& session) {
  const Limits& limits = session.limits;
  const std::uint64_t used = std::min(limits.memory_used(), limits.memory_bytes());
  const std::uint64_t of_script = limits.memory_bytes() - used;
  const auto& of_command = session.options.spare_memory;
  return of_command ? std::min(of_script, of_command()) : of_script;
}

}  // namespace

Returned read_text(lua_State* L) {
  const std::optional<std::string> file = text_at(L, 1);
  if (!file) return problem("wse.read_text: the name of a file is wanted");
  Session& session = session_of(L);
  if (!session.limits.charge(kInstructionsPerFile)) return problem(session.limits.text());
  const auto text =
      session.files.read_text(session.find_input(*file), session.limits.memory_bytes());
  if (!text) return file_problem(text.error());
  if (!session.limits.charge(text->size())) return problem(session.limits.text());
  return push_text(L, *text) ? Returned(1) : problem_on_stack();
}

Returned write_text(lua_State* L) {
  const std::optional<std::string> file = text_at(L, 1);
  const std::optional<std::string> text = text_at(L, 2);
  if (!file || !text) return problem("wse.write_text: the name of a file and a text are wanted");
  return write_file(L, *file, std::as_bytes(std::span(*text)));
}

Returned write_picture(lua_State* L) {
  const std::optional<std::string> file = text_at(L, 1);
  const std::optional<std::string> svg = text_at(L, 2);
  if (!file || !svg) return problem("write_picture: the name of a file and a picture are wanted");
  const bool is_png = file->ends_with(".png");
  if (!is_png && !file->ends_with(".pdf"))
    return write_file(L, *file, std::as_bytes(std::span(*svg)));
  if (!session_of(L).limits.charge(kInstructionsPerConversion)) {
    return problem(session_of(L).limits.text());
  }
  const PictureFormat format = is_png ? PictureFormat::Png : PictureFormat::Pdf;
  const auto bytes = converted(*svg, format, spare_bytes(session_of(L)));
  if (!bytes) return file_problem(bytes.error());
  return write_file(L, *file, std::as_bytes(std::span(*bytes)));
}

Returned append_text(lua_State* L) {
  const std::optional<std::string> file = text_at(L, 1);
  const std::optional<std::string> text = text_at(L, 2);
  if (!file || !text) return problem("append_text: the name of a file and a text are wanted");
  Session& session = session_of(L);
  if (!session.limits.charge(kInstructionsPerFile + text->size())) {
    return problem(session.limits.text());
  }
  const auto appended = session.files.append(*file, std::as_bytes(std::span(*text)));
  if (!appended) return file_problem(appended.error());
  return 0;
}

Returned continue_text(lua_State* L) {
  const std::optional<std::string> file = text_at(L, 1);
  if (!file) return problem("continue_text: the name of a file is wanted");
  Session& session = session_of(L);
  if (!session.limits.charge(kInstructionsPerFile)) return problem(session.limits.text());
  const auto text = session.files.read_to_continue(*file, session.limits.memory_bytes());
  if (!text) return file_problem(text.error());
  if (!session.limits.charge(text->size())) return problem(session.limits.text());
  return push_text(L, *text) ? Returned(1) : problem_on_stack();
}

Returned write_file(lua_State* L, const std::string& file, std::span<const std::byte> bytes) {
  Session& session = session_of(L);
  if (!session.limits.charge(kInstructionsPerFile + bytes.size())) {
    return problem(session.limits.text());
  }
  const FileResult<void> written = session.files.write(file, bytes);
  if (!written) return file_problem(written.error());
  return 0;
}

}  // namespace wse::script
