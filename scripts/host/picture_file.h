// Pictures as PNG and PDF: SVG text through the program rsvg-convert of librsvg, which gets it as
// its stdin and touches no file of the script: a picture without a place of its own loads nothing
// either. Must never pass the environment on, or anything that a script gives as an argument.
#pragma once

#include <string>
#include <string_view>

#include "scripts/host/file_room.h"

namespace wse::script {

enum class PictureFormat { Png, Pdf };

// The bytes of the picture; the same for the same text. An error says if the program is missing.
FileResult<std::string> converted(std::string_view svg, PictureFormat format);

}  // namespace wse::script
