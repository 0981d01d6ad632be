// The bitcode of meaning.cpp, and the names of what it may call (externals.txt). Both are made by
// the build.
#pragma once

#include <cstddef>
#include <span>

namespace wse::jit {

extern const std::span<const char> kBitcode;
extern const std::span<const char* const> kExternals;

}  // namespace wse::jit
