// A share of a sweep's points, points=K/N on the command line: for job arrays, whose tasks know
// nothing of each other. ../wse/sweep_share.lua writes the rows of a share into a file of its own,
// which sweep_merge.h joins with the others.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "scripts/host/binding.h"

namespace wse::script {

struct Session;

// The argument of the command line that asks for a share.
inline constexpr std::string_view kShareArgument = "points";

// The K-th of N shares: the points K, K + N, K + 2 N, ... of a sweep, counted from 1.
struct PointShare {
  std::uint64_t part = 1;
  std::uint64_t parts = 1;
};

// Reads "3/10". Errors: it has not this form, or is not 1 <= K <= N <= 1000000.
std::expected<PointShare, std::string> read_share(std::string_view text);

// share_of_points() -> K, N; nothing if the sweep that begins has all points: none was asked for,
// it is inside another sweep, or `gen` runs the script.
Returned share_of_points(lua_State* L);

// has_file(name) -> whether there is such a file, which is not opened
Returned has_file(lua_State* L);

// inputs_digest(points) -> a word that is the same for runs of the same script and modules with the
// same arguments (but points= and out=), machine and options that results depend on, and the same
// text `points`. Files that the script reads or runs do not count.
Returned inputs_digest(lua_State* L);

// end_share(message): logs the message and ends the script, which has done what was asked for.
Returned end_share(lua_State* L);

// Returns what inputs_digest takes in beside the points, a line for each.
std::string inputs_text(const Session& session);

}  // namespace wse::script
