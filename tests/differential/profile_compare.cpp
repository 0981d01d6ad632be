// Looks up the oracle's number for each number of the machine.
#include "tests/differential/profile_compare.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "vm/run/books.h"

namespace wse::differential {
namespace {

// Returns the number of a row of pe_counters.def, a ramp, a link or a mark that the oracle has for
// a PE.
std::uint64_t number_of(const oracle::PeNumbers& numbers, std::string_view name,
                        const isa::Image& image) {
#define PE_COUNTED(counted) \
  if (name == #counted) return numbers.counted;
#include "isa/machine/pe_counters.def"
#undef PE_COUNTED
  if (name == "ramp_down") return numbers.ramp_down;
  if (name == "ramp_up") return numbers.sent;
  constexpr std::string_view kMark = "mark_first_";
  if (name.starts_with(kMark)) {
    const auto mark = std::ranges::find(image.marks, name.substr(kMark.size()));
    const auto number = static_cast<std::uint32_t>(mark - image.marks.begin());
    const auto first = numbers.first_marks.find(number);
    return first == numbers.first_marks.end() ? 0xffffffff : first->second;
  }
  const auto port = isa::port_named(name.substr(std::string_view("link_").size()));
  return numbers.links[static_cast<std::size_t>(*port)];
}

// Every cycle of a PE with a program has a line and a cause: those of the machine, added up over
// PEs, are the oracle's.
void compare_lines(const vm::Machine& machine, const oracle::Outcome& outcome,
                   Differences& differences) {
  constexpr oracle::Doing kKinds[] = {oracle::Doing::Computes, oracle::Doing::Nothing,
                                      oracle::Doing::Halted};
  for (const vm::LineTable& table : vm::Books(machine).line_tables()) {
    const std::uint32_t program = table.program;
    for (const vm::LineRow& row : table.rows) {
      const oracle::Doing kind = kKinds[static_cast<std::size_t>(row.kind)];
      const auto found = outcome.lines.find({program, kind, row.where});
      const auto wanted = found == outcome.lines.end() ? oracle::CauseCycles{} : found->second;
      std::uint64_t all = 0;
      for (std::size_t k = 0; k < vm::kLineCauses; ++k) {
        differences.note_at(row.causes[k], wanted[k], "cycles of line {} of program {}: {}",
                            row.where.line, program, vm::kLineCauseTexts[k]);
        all += wanted[k];
      }
      differences.note_at(row.cycles, all, "cycles of line {} of program {}", row.where.line,
                          program);
    }
  }
}

// Adds what a PE did to the slices of its tile.
void add_activities(const oracle::PeNumbers& numbers, const vm::SliceTable& table, std::size_t tile,
                    std::vector<std::uint64_t>& cycles) {
  const std::size_t tiles = std::size_t{table.width} * table.height;
  const std::size_t slices = table.edges.size() - 1;
  std::uint64_t begin = 0;
  for (const oracle::ActivityRun& run : numbers.activities) {
    for (std::size_t k = 0; k < slices; ++k) {
      const std::uint64_t from = std::max(begin, table.edges[k]);
      const std::uint64_t to = std::min(run.until, table.edges[k + 1]);
      if (from < to) {
        cycles[(static_cast<std::size_t>(run.activity) * slices + k) * tiles + tile] += to - from;
      }
    }
    begin = run.until;
  }
}

// Adds the wavelets that left the PE over links to the slices of its tile.
void add_links(const oracle::PeNumbers& numbers, const isa::Topology& mesh,
               const vm::SliceTable& table, std::size_t tile, std::vector<std::uint64_t>& links) {
  const std::size_t tiles = std::size_t{table.width} * table.height;
  for (const oracle::LinkMove& move : numbers.moves) {
    const auto port = static_cast<isa::Port>(move.port);
    if (port == isa::Port::Ramp) continue;
    const auto after = std::ranges::upper_bound(table.edges, move.cycle);
    const auto slice = static_cast<std::size_t>(after - table.edges.begin()) - 1;
    ++links[(mesh.link_index(port) * table.slices() + std::min(slice, table.slices() - 1)) * tiles +
            tile];
  }
}

// Tiles and edges are the machine's own; the cycles of each are the oracle's.
void compare_slices(const vm::Machine& machine, const oracle::Outcome& outcome,
                    Differences& differences) {
  const std::optional<vm::SliceTable> table = vm::Books(machine).slices();
  if (!table) return;
  const std::uint32_t width = machine.image().width;
  const std::size_t tiles = std::size_t{table->width} * table->height;
  const std::size_t slices = table->edges.size() - 1;
  differences.note_at(table->edges.back(), outcome.cycles, "end of the slices");
  const isa::Topology mesh = machine.image().topology();
  std::vector<std::uint64_t> wanted(table->cycles.size());
  std::vector<std::uint64_t> links(table->links.size());
  for (std::size_t pe = 0; pe < outcome.pes.size(); ++pe) {
    const std::size_t tile = pe / width / table->side * table->width + pe % width / table->side;
    add_activities(outcome.pes[pe], *table, tile, wanted);
    add_links(outcome.pes[pe], mesh, *table, tile, links);
  }
  for (std::size_t k = 0; k < links.size(); ++k) {
    differences.note_at(table->links[k], links[k], "link {} in slice {} of tile {}",
                        k / tiles / slices, k / tiles % slices, k % tiles);
  }
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    differences.note_at(table->cycles[k], wanted[k], "activity {} in slice {} of tile {}",
                        k / tiles / slices, k / tiles % slices, k % tiles);
  }
}

}  // namespace

void compare_profile(const vm::Machine& machine, const oracle::Outcome& outcome,
                     Differences& differences) {
  const std::uint32_t width = machine.image().width;
  for (const std::string& name : machine.profile_arrays()) {
    const auto values = machine.profile_array(name);
    for (std::size_t pe = 0; pe < outcome.pes.size(); ++pe) {
      differences.note_at((*values)[pe], number_of(outcome.pes[pe], name, machine.image()),
                          "{} of PE({}, {}) in the profile", name, pe % width, pe / width);
    }
  }
  compare_lines(machine, outcome, differences);
  compare_slices(machine, outcome, differences);
}

}  // namespace wse::differential
