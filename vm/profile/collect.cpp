// Arrays one by one, each packed before the next is made: a wafer's are larger than what they are
// made of.
#include "vm/profile/collect.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "vm/profile/counts.h"
#include "vm/profile/line_texts.h"
#include "vm/profile/path_arrays.h"
#include "vm/profile/record_json.h"
#include "vm/profile/routes_json.h"
#include "vm/report/places.h"
#include "vm/run/books.h"

namespace wse::vm {
namespace {

using Json = nlohmann::ordered_json;
using Values = std::vector<std::uint64_t>;
using Shape = std::vector<std::uint64_t>;

constexpr std::string_view kMark = "mark_first_";  // before the name of a mark

bool is_of_mark(std::string_view array) { return array.starts_with(kMark); }

// The ports in the order of the array `link`.
std::vector<isa::Port> link_ports(const isa::Topology& mesh) {
  if (!mesh.is_hypercube()) {
    return {isa::Port::East, isa::Port::West, isa::Port::North, isa::Port::South};
  }
  std::vector<isa::Port> ports;
  for (std::uint32_t k = 0; k < mesh.links(); ++k) ports.push_back(mesh.link_port(k));
  return ports;
}

// Builds the arrays and lists of one profile.
class Collector {
 public:
  Collector(const Machine& machine, const Record& record, const RunOrigin& origin)
      : machine_(machine),
        image_(machine.image()),
        mesh_(image_.topology()),
        record_(record),
        origin_(origin),
        kept_(machine.profile_arrays()) {
    profile_.width = mesh_.width();
    profile_.height = mesh_.height();
    if (origin.sources != nullptr) texts_ = LineTexts(*origin.sources);
  }

  isa::Result<Profile> collect() {
    for (const ProfileArrayInfo& row : kProfileArrays) {
      if (has_machine(row)) add_row(row);
    }
    add_lines();
    add_slices();
    add_classes();
    add_path();
    if (!error_.empty()) return isa::fail(error_);
    std::ranges::sort(profile_.arrays, {}, [](const numpy::PackedArray& array) {
      return std::ranges::find(kProfileArrays, array.name, &ProfileArrayInfo::name);
    });
    fill_in();
    profile_.meta = meta().dump(-1, ' ', true, Json::error_handler_t::replace);
    const auto text = std::as_bytes(std::span(profile_.meta));
    add(numpy::packed({"meta", {"|u1", {text.size()}, {text.begin(), text.end()}}}));
    std::ranges::rotate(profile_.arrays, profile_.arrays.end() - 1);
    if (!error_.empty()) return isa::fail(error_);
    return std::move(profile_);
  }

 private:
  Shape plane() const { return {profile_.height, profile_.width}; }

  // Adds an array, or keeps the first error.
  void add(isa::Result<numpy::PackedArray> array) {
    if (array) {
      profile_.arrays.push_back(std::move(*array));
    } else if (error_.empty()) {
      error_ = array.error();
    }
  }
  void add(std::string_view name, Shape shape, const Values& values) {
    add(pack_counts(std::string(name), std::move(shape), values));
  }

  // Whether the machine keeps the array, or it can be computed from what it keeps.
  bool has_machine(const ProfileArrayInfo& row) const {
    switch (row.shape) {
      case ProfileShape::PerPort:
      case ProfileShape::PerRamp: return true;
      case ProfileShape::PerMark: return std::ranges::any_of(kept_, is_of_mark);
      case ProfileShape::PerPe:
        return row.name == "program" || std::ranges::find(kept_, row.name) != kept_.end();
      default: return false;  // lines have functions of their own
    }
  }

  void add_row(const ProfileArrayInfo& row) {
    if (row.name == "program") return add(row.name, plane(), program_indices());
    if (row.shape == ProfileShape::PerPe)
      return add_parts(row.name, {std::string(row.name)}, plane());
    if (row.shape == ProfileShape::PerMark) return add_marks(row.name);
    std::vector<std::string> parts = {"ramp_down", "ramp_up"};
    if (row.shape == ProfileShape::PerPort) {
      parts.clear();
      for (const isa::Port port : link_ports(mesh_)) {
        profile_.ports.emplace_back(isa::text(port));
        parts.push_back("link_" + std::string(isa::text(port)));
      }
    }
    add_parts(row.name, parts, {parts.size(), profile_.height, profile_.width});
  }

  void add_marks(std::string_view name) {
    std::vector<std::string> parts;
    std::ranges::copy_if(kept_, std::back_inserter(parts), is_of_mark);
    for (const std::string& part : parts) profile_.marks.push_back(part.substr(kMark.size()));
    add_parts(name, parts, {parts.size(), profile_.height, profile_.width});
  }

  // Adds the machine's arrays with these names as one, one after the other.
  void add_parts(std::string_view name, const std::vector<std::string>& parts, Shape shape) {
    add(pack_counts(std::string(name), std::move(shape), parts.size(),
                    [&](std::size_t k) { return machine_.profile_array(parts[k]); }));
  }

  Values program_indices() const {
    Values indices(mesh_.pes(), kNoNumber);
    for (const isa::Placement& placement : image_.placements) {
      isa::for_each(placement.rect, [&](std::uint32_t x, std::uint32_t y) {
        indices[mesh_.pe_at(x, y)] = placement.program;
      });
    }
    return indices;
  }

  void add_lines() {
    Values cycles, most, most_pe, causes;
    for (const LineTable& table : Books(machine_).line_tables()) {
      if (table.pes == 0) continue;
      for (const LineRow& row : table.rows) {
        profile_.lines.push_back(line_of(row, table.program));
        cycles.push_back(row.cycles);
        most.push_back(row.most);
        most_pe.push_back(row.at);
        causes.insert(causes.end(), row.causes.begin(), row.causes.end());
      }
    }
    if (cycles.empty()) return;
    const Shape shape = {cycles.size()};
    add("line_cycles", shape, cycles);
    add("line_most", shape, most);
    add("line_most_pe", shape, most_pe);
    add("line_cause", {cycles.size(), kLineCauses}, causes);
    profile_.causes.assign(std::begin(kLineCauseTexts), std::end(kLineCauseTexts));
  }

  void add_slices() {
    const Books books(machine_);
    const std::optional<SliceFrame> frame = books.slice_frame();
    if (!frame) return;
    profile_.slices = frame->slices();
    profile_.slice_tile = frame->side;
    add("slices", {frame->edges.size()}, frame->edges);
    add(pack_counts("activity", {kActivities, profile_.slices, frame->height, frame->width},
                    kActivities, [&](std::size_t k) -> isa::Result<Values> {
                      return books.slices_of(*frame, static_cast<Activity>(k));
                    }));
    const Values sums = books.link_sums(*frame);
    add(pack_counts("links_t", {mesh_.links(), profile_.slices, frame->height, frame->width},
                    mesh_.links(), [&](std::size_t k) -> isa::Result<Values> {
                      return books.links_of(*frame, mesh_.link_index(link_ports(mesh_)[k]), sums);
                    }));
  }

  void add_classes() {
    const PeClasses classes = Books(machine_).classes();
    add("class", plane(), {classes.of_pe.begin(), classes.of_pe.end()});
    std::vector<std::vector<PeId>> places(classes.texts.size());
    for (PeId pe = 0; pe < classes.of_pe.size(); ++pe) {
      if (classes.of_pe[pe] != PeClasses::kNone) places[classes.of_pe[pe]].push_back(pe);
    }
    for (std::size_t k = 0; k < places.size(); ++k) {
      Json text = {{"where", places_text(mesh_, places[k])}};
      for (const auto& [name, value] : classes.texts[k]) text[name] = value;
      classes_.push_back(std::move(text));
    }
  }

  void add_path() {
    std::optional<PathArrays> path = path_arrays(machine_, record_.cycles, texts_);
    if (!path) return;
    profile_.path_steps = path->arrays[0].second.size();
    for (const auto& [name, values] : path->arrays) add(name, {values.size()}, values);
    path_ = std::move(path->meta);
  }

  ProfileLine line_of(const LineRow& row, std::uint32_t program) const {
    constexpr std::string_view kKinds[] = {"line", "no task", "halted"};
    ProfileLine line{.program = image_.programs[program].shown_name(),
                     .kind = std::string(kKinds[static_cast<std::size_t>(row.kind)]),
                     .file = {},
                     .line = 0,
                     .text = {}};
    if (row.kind != LineRow::Kind::Line || row.where.file >= image_.sources.size()) return line;
    line.file = image_.sources[row.where.file];
    line.line = row.where.line;
    line.text = text_at(program, line.file, line.line);
    return line;
  }

  std::string text_at(std::uint32_t program, const std::string& file, std::uint32_t line) const {
    return std::string(texts_.line_of(image_.programs[program].name, file, line));
  }

  void fill_in() {
    for (const isa::Program& program : image_.programs) {
      profile_.programs.push_back(program.shown_name());
    }
    profile_.status = text(record_.status);
    profile_.cycles = record_.cycles;
    profile_.task_start_cycles = machine_.profile().task_start_cycles;
  }

  Json lines_json() const {
    Json rows = Json::array();
    for (const ProfileLine& line : profile_.lines) {
      rows.push_back({{"program", line.program},
                      {"kind", line.kind},
                      {"file", line.file},
                      {"line", line.line},
                      {"text", line.text}});
    }
    return rows;
  }

  // The numbers of the machine that bound what a PE does in a cycle.
  Json machine_json() const {
    const isa::Profile& machine = machine_.profile();
    return {{"name", machine.name},
            {"simd_16bit", machine.simd_16bit},
            {"simd_32bit", machine.simd_32bit},
            {"simd_other", machine.simd_other},
            {"link_interval_cycles", machine.link_interval_cycles},
            {"task_start_cycles", machine.task_start_cycles},
            {"clock_mhz", machine.clock_mhz}};
  }

  Json meta() const {
    Json meta = whole_meta();
    if (profile_.slices > 0) {
      meta["slices"] = {{"count", profile_.slices}, {"tile", profile_.slice_tile}};
    }
    if (profile_.path_steps > 0) meta["path"] = path_;
    return meta;
  }

  Json whole_meta() const {
    Json values = Json::object();
    for (const auto& [name, value] : origin_.values) values[name] = value;
    Json colours = Json::array();
    for (std::uint32_t k = 0; k < image_.colours.size(); ++k) {
      colours.push_back(image_.colour_name(k));
    }
    return {{"format", kProfileFormat},
            {"version", kProfileVersion},
            {"file", origin_.file},
            {"values", std::move(values)},
            {"topology", mesh_.is_hypercube() ? "hypercube" : "mesh"},
            {"machine", machine_json()},
            {"ports", profile_.ports},
            {"colours", std::move(colours)},
            {"routes", routes_json(image_)},
            {"programs", profile_.programs},
            {"lines", lines_json()},
            {"causes", profile_.causes},
            {"marks", profile_.marks},
            {"classes", classes_},
            {"record", lasting_record_object(record_)}};
  }

  const Machine& machine_;
  const isa::Image& image_;
  isa::Topology mesh_;
  const Record& record_;
  const RunOrigin& origin_;
  LineTexts texts_;
  std::vector<std::string> kept_;  // names of the machine's arrays
  Json classes_ = Json::array();
  Json path_;
  Profile profile_;
  std::string error_;  // the first
};

}  // namespace

isa::Result<Profile> collect_profile(const Machine& machine, const Record& record,
                                     const RunOrigin& origin) {
  return Collector(machine, record, origin).collect();
}

}  // namespace wse::vm
