// Compares each step with the row that grows.
#include "vm/page/path_rows.h"

namespace wse::vm {
namespace {

struct Row {
  std::uint64_t kind = 0;
  std::uint64_t cycles = 0;
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  std::uint64_t colour = 0;
  std::uint64_t line = 0;
  std::int64_t way = 0;  // of each step: how far its PE is from the one before, as numbers
};

// PEs of one row of the mesh, or one below the other: a straight line leads over all of them.
bool continues(const Row& row, const Row& step) {
  return row.kind == step.kind && row.colour == step.colour && row.line == step.line &&
         row.to == step.from && row.way == step.way;
}

}  // namespace

PathRows path_rows(const Profile& profile) {
  PathRows rows;
  const Numbers kind = profile.numbers("path_step_kind");
  const Numbers cycles = profile.numbers("path_step_cycles");
  const Numbers from = profile.numbers("path_step_from");
  const Numbers to = profile.numbers("path_step_to");
  const Numbers colour = profile.numbers("path_step_colour");
  const Numbers line = profile.numbers("path_step_line");
  for (const Numbers* numbers : {&kind, &cycles, &from, &to, &colour, &line}) {
    if (numbers->size() != profile.path_steps) return rows;
  }
  const auto finish = [&rows](const Row& row) {
    if (rows.kind.size() == kMostPathRows) {
      ++rows.left_out;
      return;
    }
    rows.kind.add(row.kind);
    rows.cycles.add(row.cycles);
    rows.from.add(row.from);
    rows.to.add(row.to);
    rows.colour.add(row.colour);
    rows.line.add(row.line);
  };
  Row row;
  for (std::size_t k = 0; k < profile.path_steps; ++k) {
    Row step{kind[k],
             cycles[k],
             from[k],
             to[k],
             colour[k],
             line[k],
             static_cast<std::int64_t>(to[k] - from[k])};
    if (k > 0 && continues(row, step)) {
      row.cycles += step.cycles;
      row.to = step.to;
      continue;
    }
    if (k > 0) finish(row);
    row = step;
  }
  if (profile.path_steps > 0) finish(row);
  return rows;
}

}  // namespace wse::vm
