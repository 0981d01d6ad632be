// The functions that the module wsevm-mpi.so exports.
#pragma once

#include <cstdint>
#include <string>

#include "ranks/ranks.h"

namespace wse::ranks {

// A module of another build is refused.
struct RanksModule {
  std::uint64_t interface;  // kInterface of its build
  // Joins the launch; may be called once in a process. Null: `error` says why.
  Ranks* (*join)(std::string& error);
};

inline constexpr std::uint64_t kInterface = 2;  // changes with what is declared in ranks.h

inline constexpr const char* kModuleSymbol = "wse_ranks_module";

}  // namespace wse::ranks
