// Profile files: arrays and one JSON text. Must never trust a shape, a type or a name of a file.
#include "vm/profile/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "isa/support/atomic_file.h"
#include "isa/support/limits.h"

namespace wse::vm {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kMeta = "meta";
constexpr std::uint64_t kMostMetaBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kMostFileBytes = std::uint64_t{4} << 30;
constexpr std::uint64_t kMostArrayBytes = std::uint64_t{16} << 30;
constexpr std::size_t kMostPorts = 32;
constexpr std::uint64_t kMostSlices = 4096;

bool is_unsigned(std::string_view dtype) {
  return dtype == "|u1" || dtype == "<u2" || dtype == "<u4" || dtype == "<u8";
}

std::unexpected<isa::Error> bad(std::string reason) {
  return std::unexpected(isa::Error(std::move(reason)));
}

// A member of a JSON object as the type wanted; what is missing or of another type ends the
// reading.
template <class T>
T get(const Json& object, const char* name) {
  return object.at(name).get<T>();
}

std::vector<std::string> texts(const Json& object, const char* name) {
  return object.at(name).get<std::vector<std::string>>();
}

// Fills in what only profiles with the arrays for it say.
void read_optional(const Json& meta, Profile& profile) {
  if (meta.contains("causes")) profile.causes = texts(meta, "causes");
  if (meta.contains("marks")) profile.marks = texts(meta, "marks");
  if (meta.contains("path")) profile.path_steps = get<std::uint64_t>(meta.at("path"), "steps");
  if (!meta.contains("slices")) return;
  profile.slices = get<std::uint64_t>(meta.at("slices"), "count");
  profile.slice_tile = get<std::uint32_t>(meta.at("slices"), "tile");
}

// Fills in what meta says. Throws what the JSON library throws.
void read_meta(const Json& meta, Profile& profile) {
  const Json& record = meta.at("record");
  const auto grid = get<std::vector<std::uint32_t>>(record, "grid");
  if (grid.size() == 2) {
    profile.width = grid[0];
    profile.height = grid[1];
  }
  profile.status = get<std::string>(record, "status");
  profile.cycles = get<std::uint64_t>(record, "cycles");
  profile.task_start_cycles = get<std::uint64_t>(meta.at("machine"), "task_start_cycles");
  profile.ports = texts(meta, "ports");
  profile.programs = texts(meta, "programs");
  for (const Json& line : meta.at("lines")) {
    profile.lines.push_back({.program = get<std::string>(line, "program"),
                             .kind = get<std::string>(line, "kind"),
                             .file = get<std::string>(line, "file"),
                             .line = get<std::uint32_t>(line, "line"),
                             .text = get<std::string>(line, "text")});
  }
  read_optional(meta, profile);
}

isa::Attempt<void> parse_meta(Profile& profile) {
  const Json meta = Json::parse(profile.meta, nullptr, false);
  if (meta.is_discarded() || !meta.is_object())
    return bad("is no profile: 'meta' is no JSON object");
  try {
    if (get<std::string>(meta, "format") != kProfileFormat) return bad("is no profile of wsevm");
    const auto version = get<std::uint64_t>(meta, "version");
    if (version != kProfileVersion) {
      return bad(fmt::format("has version {} of the profile format, {} is known", version,
                             kProfileVersion));
    }
    read_meta(meta, profile);
  } catch (const Json::exception& error) {
    return bad(fmt::format("is no profile: 'meta': {}", error.what()));
  }
  const bool has_grid = profile.width >= 1 && profile.width <= isa::kMaxGridSide &&
                        profile.height >= 1 && profile.height <= isa::kMaxGridSide;
  if (!has_grid) return bad("is no profile: 'meta' has no grid of PEs");
  if (profile.ports.size() > kMostPorts) return bad("is no profile: 'meta' has too many ports");
  const bool has_tiles = profile.slice_tile >= 1 && profile.slice_tile <= isa::kMaxGridSide;
  if (!has_tiles || profile.slices > kMostSlices) {
    return bad("is no profile: 'meta' has impossible slices");
  }
  return {};
}

std::vector<std::uint64_t> shape_of(const ProfileArrayInfo& row, const Profile& profile) {
  const Profile& p = profile;
  switch (row.shape) {
    case ProfileShape::PerPe: return {p.height, p.width};
    case ProfileShape::PerPort: return {p.ports.size(), p.height, p.width};
    case ProfileShape::PerRamp: return {2, p.height, p.width};
    case ProfileShape::PerMark: return {p.marks.size(), p.height, p.width};
    case ProfileShape::PerLine: return {p.lines.size()};
    case ProfileShape::PerLineCause: return {p.lines.size(), p.causes.size()};
    case ProfileShape::Edges: return {p.slices + 1};
    case ProfileShape::PerActivitySlice:
      return {kProfiledActivities, p.slices, p.slice_height(), p.slice_width()};
    case ProfileShape::PerPortSlice:
      return {p.ports.size(), p.slices, p.slice_height(), p.slice_width()};
    case ProfileShape::PerStep: return {p.path_steps};
  }
  return {};
}

isa::Attempt<void> check_array(const numpy::PackedArray& array, const Profile& profile) {
  const auto* const row = std::ranges::find(kProfileArrays, array.name, &ProfileArrayInfo::name);
  if (row == std::end(kProfileArrays)) return {};
  const auto wanted = shape_of(*row, profile);
  if (array.shape != wanted) {
    return bad(fmt::format("is no profile: '{}' has the shape {}, {} is wanted", array.name,
                           numpy::shape_text(array.shape), numpy::shape_text(wanted)));
  }
  if (!is_unsigned(array.dtype)) {
    return bad(fmt::format("is no profile: '{}' has dtype '{}', an unsigned one is wanted",
                           array.name, array.dtype));
  }
  return {};
}

isa::FileError name_file(const std::string& path, const isa::Error& error) {
  return {fmt::format("'{}' {}", path == "-" ? "stdin" : path, error.message), error.exhausted};
}

}  // namespace

const numpy::PackedArray* Profile::find(std::string_view name) const {
  const auto found = std::ranges::find(arrays, name, &numpy::PackedArray::name);
  return found == arrays.end() ? nullptr : &*found;
}

Numbers Profile::numbers(std::string_view name) const {
  const numpy::PackedArray* const array = find(name);
  return array == nullptr ? Numbers() : Numbers(*array);
}

isa::Attempt<std::vector<std::byte>> format_profile(const Profile& profile) {
  return numpy::format_npz(profile.arrays);
}

isa::Attempt<Profile> parse_profile(std::span<const std::byte> bytes) {
  auto members = numpy::parse_npz(bytes, kMostArrayBytes);
  if (!members) return std::unexpected(members.error());
  Profile profile;
  profile.arrays = std::move(*members);
  const numpy::PackedArray* const meta = profile.find(kMeta);
  if (meta == nullptr) return bad("is no profile: it has no array 'meta'");
  if (meta->dtype != "|u1" || meta->data_bytes() > kMostMetaBytes) {
    return bad("is no profile: 'meta' is no text");
  }
  numpy::for_each_piece(*meta, [&profile](std::span<const std::byte> piece) {
    profile.meta.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  });
  if (const auto read = parse_meta(profile); !read) return std::unexpected(read.error());
  for (const numpy::PackedArray& array : profile.arrays) {
    const auto checked = check_array(array, profile);
    if (!checked) return std::unexpected(checked.error());
  }
  return profile;
}

std::expected<Profile, isa::FileError> read_profile(const std::string& path,
                                                    isa::InputList& inputs) {
  const auto bytes = isa::read_whole_file(path, inputs, kMostFileBytes);
  if (!bytes) return std::unexpected(bytes.error());
  auto profile = parse_profile(*bytes);
  if (!profile) return std::unexpected(name_file(path, profile.error()));
  return std::move(*profile);
}

std::expected<void, isa::FileError> write_profile(const std::string& path, isa::InputList& inputs,
                                                  const Profile& profile) {
  const auto bytes = format_profile(profile);
  if (!bytes) return std::unexpected(name_file(path, bytes.error()));
  return isa::write_whole_file(path, inputs, *bytes);
}

}  // namespace wse::vm
