// Goes over the steps of the path once, and adds up those that are alike.
#include "vm/profile/path_arrays.h"

#include <algorithm>
#include <map>
#include <string>

#include "vm/path/path_tables.h"
#include "vm/profile/profile.h"

namespace wse::vm {
namespace {

using Json = nlohmann::ordered_json;
using Values = std::vector<std::uint64_t>;

// Steps of one kind at one line.
struct Group {
  std::uint64_t kind = 0;
  std::uint64_t line = kNoNumber;  // index in meta.path.lines
  Cycle cycles = 0;
  std::uint64_t steps = 0;
  PeId pe = 0;  // of the longest of them
  Cycle longest = 0;
};

class Steps {
 public:
  Steps(const isa::Image& image, const LineTexts& texts) : image_(image), texts_(texts) {}

  void add(const PathStep& step) {
    const auto kind = static_cast<std::uint64_t>(step.kind);
    const std::uint64_t line = line_of(step);
    kinds_.push_back(kind);
    cycles_.push_back(step.cycles());
    from_.push_back(step.from_pe);
    to_.push_back(step.pe);
    colours_.push_back(step.colour == Event::kNoStepColour ? kNoNumber : step.colour);
    of_lines_.push_back(line);
    Group& group =
        groups_.try_emplace({kind, line}, Group{.kind = kind, .line = line}).first->second;
    group.cycles += step.cycles();
    ++group.steps;
    if (step.cycles() <= group.longest) return;
    group.longest = step.cycles();
    group.pe = step.pe;
  }

  Json lines() const { return lines_; }

  // Most cycles first.
  Json groups() const {
    std::vector<Group> rows;
    for (const auto& [key, group] : groups_) rows.push_back(group);
    std::ranges::stable_sort(rows, std::greater{}, &Group::cycles);
    Json made = Json::array();
    for (const Group& row : rows) {
      made.push_back({{"kind", row.kind},
                      {"line", row.line == kNoNumber ? Json(nullptr) : Json(row.line)},
                      {"cycles", row.cycles},
                      {"steps", row.steps},
                      {"pe", row.pe}});
    }
    return made;
  }

  std::vector<std::pair<std::string_view, Values>> take() {
    return {{"path_step_kind", std::move(kinds_)},     {"path_step_cycles", std::move(cycles_)},
            {"path_step_from", std::move(from_)},      {"path_step_to", std::move(to_)},
            {"path_step_colour", std::move(colours_)}, {"path_step_line", std::move(of_lines_)}};
  }

 private:
  std::uint64_t line_of(const PathStep& step) {
    if (step.where.line == 0 || step.where.file >= image_.sources.size()) return kNoNumber;
    const auto [found, is_new] =
        line_indices_.try_emplace({step.where.file, step.where.line}, lines_.size());
    if (is_new) {
      const std::string& file = image_.sources[step.where.file];
      lines_.push_back({{"file", file},
                        {"line", step.where.line},
                        {"text", texts_.line_of("", file, step.where.line)}});
    }
    return found->second;
  }

  const isa::Image& image_;
  const LineTexts& texts_;
  Values kinds_, cycles_, from_, to_, colours_, of_lines_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> line_indices_;  // file, line
  std::map<std::pair<std::uint64_t, std::uint64_t>, Group> groups_;                // kind, line
  Json lines_ = Json::array();
};

}  // namespace

std::optional<PathArrays> path_arrays(const Machine& machine, Cycle cycles,
                                      const LineTexts& texts) {
  const auto path = critical_path(machine, cycles);
  if (!path || path->steps.empty()) return std::nullopt;
  Steps steps(machine.image(), texts);
  for (const PathStep& step : path->steps) steps.add(step);
  Json kinds = Json::array();
  Json terms_of_kinds = Json::array();
  for (std::size_t k = 0; k < kStepKinds; ++k) {
    kinds.push_back(kStepKindTexts[k]);
    terms_of_kinds.push_back(static_cast<std::size_t>(term_of(static_cast<StepKind>(k))));
  }
  const PathTables tables = path_tables(*path);
  Json terms = Json::array();
  for (std::size_t k = 0; k < tables.terms.size(); ++k) {
    terms.push_back({{"name", kPathTermTexts[k]}, {"cycles", tables.terms[k]}});
  }
  Json meta = {
      {"steps", path->steps.size()}, {"cycles", path->cycles},
      {"pe", path->steps.back().pe}, {"next_path", path->next ? Json(*path->next) : Json(nullptr)},
      {"kinds", std::move(kinds)},   {"terms_of_kinds", std::move(terms_of_kinds)},
      {"terms", std::move(terms)},   {"lines", steps.lines()},
      {"groups", steps.groups()}};
  return PathArrays{steps.take(), std::move(meta)};
}

}  // namespace wse::vm
