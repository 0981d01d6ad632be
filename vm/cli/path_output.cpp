// Tables by kind, colour and line, then the steps.
#include "vm/cli/path_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>

#include "isa/support/visible.h"
#include "vm/cli/run_results.h"
#include "vm/path/segments.h"
#include "vm/profile/line_texts.h"
#include "vm/run/books.h"

namespace wse::cli {
namespace {

using Json = nlohmann::ordered_json;
using vm::Cycle;

constexpr std::size_t kShownLines = 12;
constexpr std::size_t kShownSegments = 40;

// Reads a number at the front of the text, and takes it away.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool take(std::string_view& text, char letter) {
  if (!text.starts_with(letter)) return false;
  text.remove_prefix(1);
  return true;
}

class PathTeller {
 public:
  PathTeller(const vm::Machine& machine, const vm::CriticalPath& path,
             const isa::SourceFiles& sources)
      : image_(machine.image()), mesh_(image_.topology()), path_(path), texts_(sources) {
    for (const vm::PathStep& step : path.steps) {
      if (step.colour != vm::Event::kNoStepColour) by_colour_[step.colour] += step.cycles();
      if (step.where.line > 0) by_line_[{step.where.file, step.where.line}] += step.cycles();
    }
  }

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
    if (!by_colour_.empty()) out += "      cycles   share  colour\n";
    for (const auto& [colour, cycles] : descending(by_colour_))
      out += row(cycles, colour_text(colour));
    const auto lines = descending(by_line_);
    if (!lines.empty()) out += "      cycles   share  line\n";
    for (std::size_t k = 0; k < std::min(lines.size(), kShownLines); ++k) {
      out += row(lines[k].second, line_text(lines[k].first));
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
    out["colours"] = Json::object();
    for (const auto& [colour, cycles] : by_colour_) out["colours"][colour_text(colour)] = cycles;
    out["lines"] = Json::array();
    for (const auto& [line, cycles] : descending(by_line_)) {
      out["lines"].push_back({{"line", place_of(line)}, {"cycles", cycles}});
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
  using Line = std::pair<std::uint32_t, std::uint32_t>;  // file, line

  template <class Key>
  static std::vector<std::pair<Key, Cycle>> descending(const std::map<Key, Cycle>& cycles) {
    std::vector<std::pair<Key, Cycle>> rows(cycles.begin(), cycles.end());
    std::ranges::stable_sort(rows, std::greater{}, &std::pair<Key, Cycle>::second);
    return rows;
  }
  std::vector<std::pair<std::string, Cycle>> kinds() const {
    std::map<std::string, Cycle> rows;
    for (std::size_t k = 0; k < vm::kStepKinds; ++k) {
      if (path_.by_kind[k] > 0) rows[vm::kStepKindTexts[k]] = path_.by_kind[k];
    }
    return descending(rows);
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
  std::string colour_text(std::uint8_t colour) const {
    return isa::visible_line(image_.colour_name(colour));
  }
  std::string place_of(const Line& line) const {
    const bool is_known = line.first < image_.sources.size();
    return fmt::format("{}:{}", is_known ? isa::visible_line(image_.sources[line.first]) : "?",
                       line.second);
  }
  std::string line_text(const Line& line) const {
    if (line.first >= image_.sources.size()) return place_of(line);
    const std::string& file = image_.sources[line.first];
    const auto lines = texts_.lines_of("", file);
    if (line.second > lines.size()) return place_of(line);
    return fmt::format("{} | {}", place_of(line), isa::visible_line(lines[line.second - 1]));
  }
  std::string step_text(const vm::PathStep& step) const {
    std::string text = vm::kStepKindTexts[static_cast<std::size_t>(step.kind)];
    if (step.colour != vm::Event::kNoStepColour) text += " `" + colour_text(step.colour) + "`";
    if (step.from_pe != step.pe) text += fmt::format(" from {}", pe_text(step.from_pe));
    text += (step.from_pe != step.pe ? " to " : " in ") + pe_text(step.pe);
    if (step.where.line > 0) text += ", " + place_of({step.where.file, step.where.line});
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
    if (step.colour != vm::Event::kNoStepColour) out["colour"] = colour_text(step.colour);
    if (step.where.line > 0) out["line"] = place_of({step.where.file, step.where.line});
    return out;
  }

  const isa::Image& image_;
  isa::Topology mesh_;
  const vm::CriticalPath& path_;
  vm::LineTexts texts_;
  std::map<std::uint8_t, Cycle> by_colour_;
  std::map<Line, Cycle> by_line_;
};

}  // namespace

Outcome<vm::PathTarget> path_target(const std::string& to, const isa::Image& image) {
  vm::PathTarget target;
  if (to.empty()) return target;
  std::string_view rest = to;
  const std::optional<std::uint64_t> x = take_number(rest);
  if (x && take(rest, ',')) {
    const std::optional<std::uint64_t> y = take_number(rest);
    const bool has_cycle = take(rest, '@');
    const std::optional<std::uint64_t> cycle = has_cycle ? take_number(rest) : vm::kNever;
    if (!y || !cycle || !rest.empty()) {
      return failure(fmt::format("--to={}: expected X,Y or X,Y@CYCLE, as in 3,0@120", to));
    }
    const isa::Topology mesh = image.topology();
    if (*x >= mesh.width() || *y >= mesh.height()) {
      return failure(
          fmt::format("--to={}: the grid has {} x {} PEs", to, mesh.width(), mesh.height()));
    }
    target.pe = mesh.pe_at(static_cast<std::uint32_t>(*x), static_cast<std::uint32_t>(*y));
    target.until = *cycle;
    return target;
  }
  const auto mark = std::ranges::find(image.marks, to);
  if (mark == image.marks.end()) {
    return failure(fmt::format("--to={}: neither X,Y, X,Y@CYCLE nor a mark of the program{}", to,
                               image.marks.empty()
                                   ? ", which has none"
                                   : fmt::format(": {}", fmt::join(image.marks, ", "))));
  }
  target.mark = static_cast<std::uint32_t>(mark - image.marks.begin());
  return target;
}

Outcome<void> write_path(const vm::Machine& machine, const vm::Record& record,
                         const RunCommand& command, const isa::SourceFiles& sources,
                         isa::InputList& inputs) {
  const auto path = vm::critical_path(machine, record.cycles);
  if (!path || path->steps.empty()) {
    return failure(command.path_to.empty()
                       ? "--path: nothing happened that takes time"
                       : fmt::format("--to={}: nothing happened there", command.path_to));
  }
  const PathTeller teller(machine, *path, sources);
  const bool as_json = command.path.ends_with(".json");
  return write_text_file(command.path, inputs,
                         as_json ? teller.json().dump(2) + "\n" : teller.text(command.path_steps));
}

}  // namespace wse::cli
