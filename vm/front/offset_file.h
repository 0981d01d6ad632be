// A file of which pieces are read by their offset, so that nobody holds all of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "isa/support/input_list.h"
#include "isa/support/open_file.h"
#include "vm/front/failure.h"

namespace wse::front {

class OffsetFile {
 public:
  OffsetFile(std::string path, isa::InputList& inputs);

  // Returns its size; of a pipe or device none. Errors: it cannot be opened.
  Outcome<std::optional<std::uint64_t>> size() const;
  // Fills the bytes from that offset on. Errors: it cannot be read, or ends before.
  Outcome<void> read_at(std::uint64_t offset, std::span<std::byte> bytes) const;

  const std::string& path() const { return path_; }

 private:
  std::unexpected<Failure> cannot_read(int error) const;

  std::string path_;
  isa::OpenFile file_;
  int error_;
};

}  // namespace wse::front
