// Pictures as PNG and PDF: SVG text through the program rsvg-convert of librsvg, which gets it as
// its stdin and touches no file of the script: a picture without a place of its own loads nothing
// either. It has a limit of memory, and a picture that would need more is refused before it starts.
// Must never pass the environment on, anything that a script gives as an argument, or start a
// program that is found through the current folder.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "scripts/host/file_room.h"

namespace wse::script {

enum class PictureFormat { Png, Pdf };

// The most memory that a conversion may take.
struct ConversionNeed {
  std::uint64_t memory_bytes = 0;  // of the program
  std::uint64_t output_bytes = 0;  // of the picture
};

// Computes the need from the size with which the text begins. Errors: it begins with none; a PNG
// would have more than 32767 pixels on a side.
FileResult<ConversionNeed> conversion_need(std::string_view svg, PictureFormat format);

// Returns the bytes of the picture; the same for the same text. Errors: it needs more than
// `max_bytes`; the program is missing, or cannot convert it.
FileResult<std::string> converted(std::string_view svg, PictureFormat format,
                                  std::uint64_t max_bytes);

}  // namespace wse::script
