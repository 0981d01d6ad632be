// What hostile scripts are made of: cores, each of which would run for ever, take all memory, or
// keep Lua busy inside one instruction; and frames, in which a core runs once more where limits
// are easily forgotten. A core in a frame is a script.
#pragma once

#include <random>
#include <span>
#include <string>

namespace wse::script {

struct Core {
  const char* name;
  const char* text;
};

// `%` stands for the core.
struct Frame {
  const char* name;
  const char* text;
};

std::span<const Core> hostile_cores();
std::span<const Frame> hostile_frames();

std::string in_frame(const Frame& frame, const Core& core);

// The script with a few of its numbers, names and lines changed.
std::string mutated(const std::string& script, std::mt19937& random);

}  // namespace wse::script
