// A hand-built image with at least one of everything that an image can hold, every instruction
// included. Must never be assembled: the tests of isa/ know no assembler.
#pragma once

#include "isa/image/image.h"

namespace wse::isa {

Image rich_image();

// The bytes of a .wsb file around that payload, with the right length and checksum.
std::vector<std::byte> file_around(std::span<const std::byte> payload);

inline constexpr std::size_t kImageHeaderBytes = 28;

}  // namespace wse::isa
