// A secret of the user: random bytes in a file that nobody else reads, made when it is first wanted
// and the same from then on.
//
// Where two processes make it at once, the file of one replaces that of the other, whole. Must
// never give a secret that somebody else could read or has chosen.
#pragma once

#include <array>
#include <cstddef>
#include <expected>
#include <filesystem>
#include <string>

#include "isa/support/open_file.h"

namespace wse::isa {

using Secret = std::array<std::byte, 32>;

// Reads the secret `name` in `folder`, or makes the folder and it. Errors: neither is possible; a
// file of that name that is not a secret of this user: a link, one that others may read, one with a
// second name, one of another length.
std::expected<Secret, FileError> own_secret(const std::filesystem::path& folder,
                                            const std::string& name);

}  // namespace wse::isa
