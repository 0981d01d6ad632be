// The template page.html, with a file or the data in the place of each line @NAME@.
#include "vm/page/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "vm/page/findings.h"
#include "vm/page/packed.h"
#include "vm/page/page_texts.h"
#include "vm/page/path_rows.h"
#include "vm/page/planes.h"

namespace wse::vm {
namespace {

using Json = nlohmann::ordered_json;

Json counts_json(const Numbers& numbers) {
  return {{"bytes", numbers.element_bytes()}, {"data", packed_text(numbers.data())}};
}

Json plane_json(const Profile& profile, const Plane& plane, const Numbers& numbers,
                std::uint32_t k) {
  const Tiles tiles = tiles_of(profile, plane, numbers, k);
  Json json = {{"name", plane.name},
               {"label", plane.label},
               {"unit", plane.unit},
               {"may_be_none", plane.may_be_none},
               {"largest", counts_json(tiles.largest)},
               {"mean", nullptr}};
  if (!tiles.mean.empty()) json["mean"] = packed_text(std::as_bytes(std::span(tiles.mean)));
  return json;
}

// The maps of a run, array by array: one is inflated at a time.
Json planes_json(const Profile& profile, std::uint32_t k) {
  Json planes = Json::array();
  std::string_view array;
  Numbers numbers;
  for (const Plane& plane : planes_of(profile)) {
    if (plane.array != array) numbers = profile.numbers(plane.array);
    array = plane.array;
    planes.push_back(plane_json(profile, plane, numbers, k));
  }
  return planes;
}

Json tables_json(const Profile& profile) {
  Json tables = Json::array();
  for (const ProfileArrayInfo& row : kProfileArrays) {
    const Numbers numbers = profile.numbers(row.name);
    const bool is_of_lines =
        row.shape == ProfileShape::PerLine || row.shape == ProfileShape::PerLineCause;
    if (!is_of_lines || numbers.empty()) continue;
    tables.push_back({{"name", row.name}, {"counts", counts_json(numbers)}});
  }
  return tables;
}

// The sums of squares of maps, which are never in memory all at once.
Json sums_json(const numpy::PackedArray& maps, const Squares& squares) {
  std::uint64_t most = 0;
  for_each_sum(maps, squares, [&most](std::uint64_t sum) { most = std::max(most, sum); });
  const std::size_t bytes = bytes_for(most);
  PackedText text;
  std::vector<std::byte> piece;
  for_each_sum(maps, squares, [&](std::uint64_t sum) {
    constexpr std::size_t kAtOnce = std::size_t{1} << 16;
    piece.resize(piece.size() + bytes);
    std::memcpy(piece.data() + piece.size() - bytes, &sum, bytes);
    if (piece.size() < kAtOnce) return;
    text.add(piece);
    piece.clear();
  });
  text.add(piece);
  return {{"bytes", bytes}, {"data", text.finish()}};
}

// Maps by slice of time, with tiles k times as wide as those of the profile; null without slices.
Json slices_json(const Profile& profile, std::uint32_t k) {
  const Numbers edges = profile.numbers("slices");
  if (edges.empty() || profile.slices == 0) return nullptr;
  const Squares squares{profile.slice_height(), profile.slice_width(), k};
  const auto maps = [&](std::string_view name) -> Json {
    const numpy::PackedArray* const array = profile.find(name);
    const bool has_none = array == nullptr || array->data_bytes() == 0;
    return has_none ? Json(nullptr) : sums_json(*array, squares);
  };
  return {{"edges", counts_json(edges)},
          {"tile", profile.slice_tile * k},
          {"columns", (profile.slice_width() + k - 1) / k},
          {"rows", (profile.slice_height() + k - 1) / k},
          {"activity", maps("activity")},
          {"links", maps("links_t")}};
}

// The critical path, as rows that are drawn; meta has its tables. Null without a path.
Json path_json(const Profile& profile) {
  const PathRows rows = path_rows(profile);
  if (rows.kind.empty()) return nullptr;
  return {{"left_out", rows.left_out},          {"kind", counts_json(rows.kind)},
          {"cycles", counts_json(rows.cycles)}, {"from", counts_json(rows.from)},
          {"to", counts_json(rows.to)},         {"colour", counts_json(rows.colour)},
          {"line", counts_json(rows.line)}};
}

Json findings_json(const Profile& profile) {
  Json findings = Json::array();
  for (const Finding& finding : find_findings(profile)) {
    findings.push_back({{"rule", finding.rule},
                        {"text", finding.text},
                        {"map", finding.map.empty() ? Json(nullptr) : Json(finding.map)},
                        {"pe", finding.pe ? Json(*finding.pe) : Json(nullptr)},
                        {"line", finding.line ? Json(*finding.line) : Json(nullptr)}});
  }
  return findings;
}

// A run with its maps as tiles of k x k PEs.
Json run_json(const PageRun& run, std::uint32_t k) {
  const Profile& profile = *run.profile;
  return {{"name", run.name},
          {"width", profile.width},
          {"height", profile.height},
          {"tile", k},
          {"columns", (profile.width + k - 1) / k},
          {"rows", (profile.height + k - 1) / k},
          {"meta", Json::parse(profile.meta, nullptr, false)},
          {"findings", findings_json(profile)},
          {"planes", planes_json(profile, k)},
          {"slices", slices_json(profile, k)},
          {"tables", tables_json(profile)},
          {"path", path_json(profile)}};
}

// JSON that may be inside a script element: nothing in it ends the element.
std::string text_of(const Json& json) {
  const std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char letter : text) {
    if (letter == '<') {
      safe += "\\u003c";
    } else {
      safe += letter;
    }
  }
  return safe;
}

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char letter : text) {
    switch (letter) {
      case '<': safe += "&lt;"; break;
      case '>': safe += "&gt;"; break;
      case '&': safe += "&amp;"; break;
      default: safe += letter;
    }
  }
  return safe;
}

// The page without its data, in two halves.
std::pair<std::string, std::string> frame_of(const std::string& title) {
  std::string halves[2];
  std::size_t half = 0;
  std::string rest = page_text("page.html");
  for (std::size_t at = 0;;) {
    const std::size_t begin = rest.find('@', at);
    halves[half] += rest.substr(at, begin - at);
    if (begin == std::string::npos) break;
    const std::size_t end = rest.find('@', begin + 1);
    const std::string name = rest.substr(begin + 1, end - begin - 1);
    if (name == "data") {
      half = 1;
    } else {
      halves[half] += name == "title" ? escaped(title) : page_text(name);
    }
    at = end + 1;
  }
  return {std::move(halves[0]), std::move(halves[1])};
}

// The first side of tiles to try after one with which `bytes` are too many for `most`.
std::uint32_t next_side(std::uint32_t k, std::uint64_t bytes, std::uint64_t most) {
  const bool is_far = most > 0 && bytes / most >= 9;
  return is_far ? 2 * k : k + 1;
}

}  // namespace

isa::Result<std::string> report_page(std::span<const PageRun> runs, const PageOptions& options) {
  auto [head, tail] = frame_of(options.title);
  const std::uint64_t frame = head.size() + tail.size();
  const std::uint64_t most = options.most_bytes > frame ? options.most_bytes - frame : 0;
  std::uint32_t widest = 1;
  for (const PageRun& run : runs) {
    widest = std::max({widest, run.profile->width, run.profile->height});
  }
  for (std::uint32_t k = 1;;) {
    Json data = {{"title", options.title}, {"runs", Json::array()}, {"model", options.model}};
    for (const PageRun& run : runs) data["runs"].push_back(run_json(run, k));
    const std::string text = text_of(data);
    if (text.size() <= most) return head + text + tail;
    if (k >= widest) {
      return isa::fail(fmt::format("a page of these runs takes {} bytes or more; {} are allowed",
                                   frame + text.size(), options.most_bytes));
    }
    k = std::min(widest, next_side(k, text.size(), most));
  }
}

}  // namespace wse::vm
