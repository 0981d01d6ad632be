// The assembly files that come with wsevm, as texts: `.include "math.wsa"` needs no folder.
// They are asm/library/*.wsa, put here by the build; must never be read from anywhere else.
#pragma once

#include <optional>
#include <string_view>

namespace wse::assembler {

inline constexpr std::string_view kLibraryFolder = "<wsevm>/";  // of their paths

// Returns the text of a file; nothing if no such file comes with wsevm.
std::optional<std::string_view> library_text(std::string_view name);

}  // namespace wse::assembler
