// Tables by kind, colour and line, then the steps.
#include "vm/cli/path_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "isa/support/visible.h"
#include "vm/path/path_tables.h"
#include "vm/path/path_target.h"
#include "vm/path/segments.h"
#include "vm/profile/line_texts.h"

namespace wse::cli {
namespace {

using Json = nlohmann::ordered_json;
using vm::Cycle;

constexpr std::size_t kShownLines = 12;
constexpr std::size_t kShownSegments = 40;

class PathTeller {
 public:
  PathTeller(const isa::Image& image, const vm::CriticalPath& path, const isa::SourceFiles& sources)
      : image_(image),
        mesh_(image_.topology()),
        path_(path),
        tables_(vm::path_tables(path)),
        texts_(sources) {}

  std::string text(bool all_steps) const {
    const vm::PathStep& last = path_.steps.back();
    std::string out = fmt::format("path to {} at cycle {}: {} cycles, {} steps\n", pe_text(last.pe),
                                  path_.cycles, path_.cycles, path_.steps.size());
    out += "      cycles   share  waited for\n";
    for (const auto& [kind, cycles] : kinds()) out += row(cycles, kind);
    if (path_.next) {
      const Cycle shorter = path_.cycles - *path_.next;
      out += shorter == 0
                 ? "another path is as long\n"
                 : fmt::format("another path is {} cycles shorter ({})\n", shorter, share(shorter));
    }
    if (!tables_.colours.empty()) out += "      cycles   share  colour\n";
    for (const auto& [colour, cycles] : by_cycles(tables_.colours)) {
      out += row(cycles, isa::visible_line(image_.colour_name(colour)));
    }
    if (!tables_.lines.empty()) out += "      cycles   share  line\n";
    for (std::size_t k = 0; k < std::min(tables_.lines.size(), kShownLines); ++k) {
      out += row(tables_.lines[k].second, line_text(tables_.lines[k].first));
    }
    out += "       cycle  cycles  step\n";
    std::size_t shown = 0;
    for (const vm::PathSegment& segment : vm::segments_of(path_.steps, mesh_)) {
      if (!all_steps && ++shown > kShownSegments) {
        return out + "         ...          --steps shows all\n";
      }
      out += segment_text(segment);
    }
    return out;
  }

  Json json() const {
    Json out;
    const vm::PathStep& last = path_.steps.back();
    out["pe"] = place(last.pe);
    out["cycles"] = path_.cycles;
    out["steps"] = path_.steps.size();
    for (std::size_t k = 0; k < vm::kStepKinds; ++k) {
      out["kinds"][vm::kStepKindTexts[k]] = path_.by_kind[k];
      out["without"][vm::kStepKindTexts[k]] = path_.cycles - path_.by_kind[k];
    }
    if (path_.next) out["next_path"] = *path_.next;
    for (std::size_t k = 0; k < tables_.terms.size(); ++k) {
      out["terms"][vm::kPathTermTexts[k]] = tables_.terms[k];
    }
    out["colours"] = Json::object();
    for (const auto& [colour, cycles] : tables_.colours) {
      out["colours"][isa::visible_line(image_.colour_name(colour))] = cycles;
    }
    out["lines"] = Json::array();
    for (const auto& [line, cycles] : tables_.lines) {
      out["lines"].push_back({{"line", vm::place_text(image_, line)}, {"cycles", cycles}});
    }
    out["segments"] = Json::array();
    for (const vm::PathSegment& segment : vm::segments_of(path_.steps, mesh_)) {
      Json steps = Json::array();
      for (const vm::PathStep& step : segment.steps) steps.push_back(json_of(step));
      out["segments"].push_back({{"times", segment.times}, {"steps", std::move(steps)}});
    }
    return out;
  }

 private:
  template <class Key>
  static std::vector<std::pair<Key, Cycle>> by_cycles(std::vector<std::pair<Key, Cycle>> rows) {
    std::ranges::stable_sort(rows, std::greater{}, &std::pair<Key, Cycle>::second);
    return rows;
  }
  std::vector<std::pair<std::string, Cycle>> kinds() const {
    std::map<std::string, Cycle> rows;  // ties in the order of their names
    for (std::size_t k = 0; k < vm::kStepKinds; ++k) {
      if (path_.by_kind[k] > 0) rows[vm::kStepKindTexts[k]] = path_.by_kind[k];
    }
    return by_cycles(std::vector<std::pair<std::string, Cycle>>(rows.begin(), rows.end()));
  }
  std::string share(Cycle cycles) const {
    return fmt::format("{:.1f} %", 100.0 * static_cast<double>(cycles) /
                                       static_cast<double>(std::max<Cycle>(path_.cycles, 1)));
  }
  std::string row(Cycle cycles, std::string_view what) const {
    return fmt::format("{:>12} {:>7}  {}\n", cycles, share(cycles), what);
  }
  std::string pe_text(vm::PeId pe) const {
    return fmt::format("PE({}, {})", mesh_.x_of(pe), mesh_.y_of(pe));
  }
  std::string line_text(const isa::SourceLine& line) const {
    const std::string place = vm::place_text(image_, line);
    const std::string text = isa::visible_line(
        line.file < image_.sources.size() ? texts_.line_of("", image_.sources[line.file], line.line)
                                          : std::string_view());
    return text.empty() ? place : fmt::format("{} | {}", place, text);
  }
  std::string step_text(const vm::PathStep& step) const {
    std::string text = vm::kStepKindTexts[static_cast<std::size_t>(step.kind)];
    if (const auto colour = vm::colour_text(image_, step)) text += " `" + *colour + "`";
    if (step.from_pe != step.pe) text += fmt::format(" from {}", pe_text(step.from_pe));
    text += (step.from_pe != step.pe ? " to " : " in ") + pe_text(step.pe);
    if (step.where.line > 0) text += ", " + vm::place_text(image_, step.where);
    return text;
  }
  std::string segment_text(const vm::PathSegment& segment) const {
    std::string out;
    const bool repeats = segment.times > 1;
    if (repeats) {
      out += fmt::format("{:>12} {:>7}  {} times:\n", segment.steps[0].from, segment.cycles(),
                         segment.times);
    }
    for (const vm::PathStep& step : segment.steps) {
      out += fmt::format("{:>12} {:>7}  {}{}\n", step.from, step.cycles(), repeats ? "  " : "",
                         step_text(step));
    }
    return out;
  }
  Json place(vm::PeId pe) const { return {mesh_.x_of(pe), mesh_.y_of(pe)}; }
  Json json_of(const vm::PathStep& step) const {
    Json out;
    out["kind"] = vm::kStepKindTexts[static_cast<std::size_t>(step.kind)];
    out["cycle"] = step.from;
    out["cycles"] = step.cycles();
    out["from"] = place(step.from_pe);
    out["to"] = place(step.pe);
    if (const auto colour = vm::colour_text(image_, step)) out["colour"] = *colour;
    if (step.where.line > 0) out["line"] = vm::place_text(image_, step.where);
    return out;
  }

  const isa::Image& image_;
  isa::Topology mesh_;
  const vm::CriticalPath& path_;
  vm::PathTables tables_;
  vm::LineTexts texts_;
};

}  // namespace

Outcome<vm::PathTarget> path_target(const RunCommand& command, const isa::Image& image) {
  const isa::Result<vm::PathTarget> target = vm::path_target(command.path_to, image);
  if (!target) return failure(fmt::format("--to={}: {}", command.path_to, target.error()));
  return *target;
}

Outcome<std::string> path_text(const vm::Machine& machine, const vm::Record& record,
                               const RunCommand& command, const isa::SourceFiles& sources) {
  const auto path = vm::critical_path(machine, record.cycles);
  if (!path || path->steps.empty()) {
    return failure(command.path_to.empty()
                       ? "--path: nothing happened that takes time"
                       : fmt::format("--to={}: nothing happened there", command.path_to));
  }
  const PathTeller teller(machine.image(), *path, sources);
  const bool as_json = command.path.ends_with(".json");
  return as_json ? teller.json().dump(2) + "\n" : teller.text(command.path_steps);
}

}  // namespace wse::cli
