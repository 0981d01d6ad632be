// Looks at a file before it is read: an include must never wait for a pipe or fill the memory.
#include "vm/front/source_loader.h"

#include <fmt/format.h>

#include <filesystem>

#include "asm/assembler.h"
#include "isa/support/atomic_file.h"

namespace wse::front {

isa::Result<std::optional<std::string>> load_source(const std::string& path,
                                                    isa::InputList& inputs) {
  namespace fs = std::filesystem;
  if (path.find('\0') != std::string::npos) return std::nullopt;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) return std::nullopt;
  if (error) return isa::fail(error.message());
  if (!fs::is_regular_file(status)) return isa::fail("it is no regular file");
  const std::uintmax_t size = fs::file_size(path, error);
  if (error) return isa::fail(error.message());
  if (size > assembler::kMaxSourceBytes) {
    return isa::fail(
        fmt::format("it has {} bytes; at most {} are accepted", size, assembler::kMaxSourceBytes));
  }
  auto text = isa::read_text_file(path, inputs);
  if (!text) return isa::fail(text.error().message);
  return std::move(*text);
}

}  // namespace wse::front
