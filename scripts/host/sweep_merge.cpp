// Cuts the files into lines, sorts these by their points, and checks that each is there once.
#include "scripts/host/sweep_merge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace wse::script {
namespace {

constexpr std::string_view kColumns = "sweep_point,sweep_points,sweep_inputs,";
constexpr std::size_t kNamedGaps = 5;

// A line with its newline. Newlines in quotes are within it.
std::string_view take_line(std::string_view& text) {
  bool quoted = false;
  std::size_t at = 0;
  while (at < text.size() && (quoted || text[at] != '\n')) {
    if (text[at] == '"') quoted = !quoted;
    ++at;
  }
  const std::string_view line = text.substr(0, std::min(at + 1, text.size()));
  text.remove_prefix(line.size());
  return line;
}

std::string_view take_cell(std::string_view& line) {
  const std::string_view cell = line.substr(0, line.find(','));
  line.remove_prefix(std::min(cell.size() + 1, line.size()));
  return cell;
}

std::optional<std::uint64_t> number_of(std::string_view cell) {
  std::uint64_t number = 0;
  const char* const end = cell.data() + cell.size();
  const auto [rest, error] = std::from_chars(cell.data(), end, number);
  if (error != std::errc() || rest != end || cell.empty()) return std::nullopt;
  return number;
}

// A title row without its newline, for messages.
std::string_view shown(std::string_view titles) {
  while (titles.ends_with('\n') || titles.ends_with('\r')) titles.remove_suffix(1);
  return titles;
}

class Merger {
 public:
  isa::Status add(const SweepPart& part) {
    std::string_view text = part.text;
    if (!text.empty() && !text.ends_with('\n')) return cut_off(part);
    std::string_view titles = take_line(text);
    if (!titles.starts_with(kColumns)) return no_part(part);
    titles.remove_prefix(kColumns.size());
    if (titles_from_ == nullptr) {
      titles_ = titles;
      titles_from_ = &part;
    } else if (titles != titles_) {
      return isa::fail(fmt::format("{} has the columns {}, {} has {}", part.name, shown(titles),
                                   titles_from_->name, shown(titles_)));
    }
    for (std::size_t number = 2; !text.empty(); ++number) {
      const std::string_view line = take_line(text);
      if (!line.ends_with('\n')) return cut_off(part);  // in quotes
      if (isa::Status added = add_row(part, number, line); !added) return added;
    }
    return {};
  }

  isa::Result<std::string> whole() const {
    if (first_ == nullptr) return isa::fail("the files have no rows");
    if (isa::Status there = check_gaps(); !there) return isa::fail(there.error());
    std::string text(titles_);
    for (const auto& [point, row] : rows_) text += row.rest;
    return text;
  }

 private:
  struct Row {
    std::string_view rest;  // of the line, after the first three cells
    const SweepPart* part = nullptr;
    std::size_t line = 0;
  };

  static isa::Status no_part(const SweepPart& part) {
    return isa::fail(
        fmt::format("{} is no part of a sweep: its first columns are not {}, as wsevm run "
                    "FILE.lua points=K/N writes them",
                    part.name, kColumns.substr(0, kColumns.size() - 1)));
  }

  static isa::Status cut_off(const SweepPart& part) {
    return isa::fail(fmt::format(
        "{}: its last line is cut off; start its share again, which continues", part.name));
  }

  isa::Status add_row(const SweepPart& part, std::size_t number, std::string_view line) {
    std::string_view rest = line;
    const auto point = number_of(take_cell(rest));
    const auto points = number_of(take_cell(rest));
    const std::string_view inputs = take_cell(rest);
    if (!point || !points || *point < 1 || *point > *points || inputs.empty() || rest.empty()) {
      return isa::fail(
          fmt::format("{}: row {}: it does not begin with the number of a point, how many there "
                      "are, and their inputs",
                      part.name, number));
    }
    if (first_ == nullptr) {
      first_ = &part;
      points_ = *points;
      inputs_ = inputs;
    }
    if (*points != points_ || inputs != inputs_) {
      return isa::fail(fmt::format(
          "{}: row {}: it is of other inputs than {}: the script, its modules, arguments, machine "
          "or points were others; run all shares with the same",
          part.name, number, first_->name));
    }
    const auto [row, is_new] = rows_.try_emplace(*point, Row{rest, &part, number});
    if (is_new) return {};
    return isa::fail(fmt::format("point {} is in {} (row {}) and in {} (row {})", *point,
                                 row->second.part->name, row->second.line, part.name, number));
  }

  isa::Status check_gaps() const {
    const std::uint64_t missing = points_ - rows_.size();
    if (missing == 0) return {};
    std::vector<std::uint64_t> named;
    std::uint64_t next = 1;
    for (auto row = rows_.begin(); named.size() < kNamedGaps && next <= points_; ++next) {
      if (row != rows_.end() && row->first == next) {
        ++row;
      } else {
        named.push_back(next);
      }
    }
    const std::uint64_t more = missing - named.size();
    return isa::fail(fmt::format(
        "{} of {} points are in no file: {}{}; run their shares, or start them again, which "
        "continues",
        missing, points_, fmt::join(named, ", "),
        more == 0 ? "" : fmt::format(" and {} more", more)));
  }

  std::string_view titles_;
  const SweepPart* titles_from_ = nullptr;
  const SweepPart* first_ = nullptr;  // that has a row
  std::uint64_t points_ = 0;
  std::string_view inputs_;
  std::map<std::uint64_t, Row> rows_;
};

}  // namespace

isa::Result<std::string> merged_parts(std::span<const SweepPart> parts) {
  Merger merger;
  for (const SweepPart& part : parts) {
    if (const isa::Status added = merger.add(part); !added) return isa::fail(added.error());
  }
  return merger.whole();
}

}  // namespace wse::script
