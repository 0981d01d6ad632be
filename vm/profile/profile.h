// The profile of a run as a value: arrays with a number for each PE, link or line, and what they
// belong to. It is what a profile file holds.
//
// Arrays stay deflated, as the file has them: those of a wafer take 70 MB otherwise.
//
// Two runs of one program with the same inputs have the same bytes, on every engine, transport and
// number of threads: nothing that depends on the host is in it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/support/input_list.h"
#include "isa/support/open_file.h"
#include "isa/support/result.h"
#include "vm/numpy/npz.h"
#include "vm/profile/numbers.h"

namespace wse::vm {

// What meta says of the file itself. A reader of one version refuses others.
inline constexpr std::string_view kProfileFormat = "wsevm profile";
inline constexpr std::uint64_t kProfileVersion = 1;

// See arrays.def.
enum class ProfileShape : std::uint8_t {
  PerPe,
  PerPort,
  PerRamp,
  PerMark,
  PerLine,
  PerLineCause,
  Edges,
  PerActivitySlice,
  PerPortSlice,
  PerStep
};

// A row of arrays.def.
struct ProfileArrayInfo {
  std::string_view name;
  ProfileShape shape;
  std::string_view unit;
  std::string_view label;
};

inline constexpr ProfileArrayInfo kProfileArrays[] = {
#define PROFILED(name, shape, unit, label) {#name, ProfileShape::shape, unit, label},
#include "vm/profile/arrays.def"
#undef PROFILED
};

inline constexpr std::uint64_t kNoNumber =
    UINT32_MAX;  // of halted_at, mark_first, class, program, steps
inline constexpr std::size_t kProfiledActivities = 5;

// A row of meta.lines: what a main thread is at.
struct ProfileLine {
  std::string program;
  std::string kind;  // "line", "no task", "halted"
  std::string file;
  std::uint32_t line = 0;  // 0: unknown
  std::string text;        // empty: unknown
};

struct Profile {
  std::string meta;                        // JSON, see README.md
  std::vector<numpy::PackedArray> arrays;  // the first one is the text of meta

  // From meta.
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<std::string> ports;
  std::vector<std::string> programs;
  std::vector<ProfileLine> lines;
  std::vector<std::string> causes;  // of line_cause
  std::vector<std::string> marks;   // of mark_first
  std::uint64_t slices = 0;
  std::uint32_t slice_tile = 1;  // PEs on a side of the tiles of slices
  std::uint64_t path_steps = 0;  // of the critical path; 0: nobody asked for one
  std::string status;
  std::uint64_t cycles = 0;
  std::uint64_t task_start_cycles = 0;

  std::uint32_t slice_width() const { return (width + slice_tile - 1) / slice_tile; }
  std::uint32_t slice_height() const { return (height + slice_tile - 1) / slice_tile; }
  std::size_t pes() const { return std::size_t{width} * height; }
  // Returns an array; null if the profile lacks it.
  const numpy::PackedArray* find(std::string_view name) const;
  // Returns the elements of an array in C order, inflated; empty if the profile lacks it.
  Numbers numbers(std::string_view name) const;
};

// Returns the bytes of a profile file. Errors: no memory.
isa::Attempt<std::vector<std::byte>> format_profile(const Profile& profile);

// Returns what the bytes of a file hold. Errors, as sentences without the file's name: no NumPy
// zip, no profile, another version, arrays whose types or shapes do not fit; no memory.
isa::Attempt<Profile> parse_profile(std::span<const std::byte> bytes);

// Reads and writes a file; errors name it. It is written whole or not at all.
std::expected<Profile, isa::FileError> read_profile(const std::string& path,
                                                    isa::InputList& inputs);
std::expected<void, isa::FileError> write_profile(const std::string& path, isa::InputList& inputs,
                                                  const Profile& profile);

}  // namespace wse::vm
