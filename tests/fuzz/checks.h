// What must be true of any bytes, one function per kind of input. Each calls require(), which ends
// the process as a finding; the fuzz targets call it with what libFuzzer makes up, damage_test.cpp
// with splices and damage of its own. Must never let an input take longer than harness.h allows.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace wse::fuzz {

// Assembly text: an image or an error; an image survives the file format and the disassembler.
void check_text(std::string_view text);

// Messages of an editor, after a line for each: every answer is JSON, a request has one and
// a notification none; as bytes of a stream they are messages, or a broken head.
void check_messages(std::string_view lines);

// The payload of a .wsb file, to which a right header is added, and the same bytes as a whole file.
void check_image(std::span<const std::byte> payload);

// A .npy file: an array or a reason; an array has the size that its shape says and can be written.
void check_npy(std::span<const std::byte> file);

}  // namespace wse::fuzz
