// The line of a trap: that of the instruction; of a router, that of what its wavelet followed.
#include "vm/report/trap_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/instruction/each_instruction.h"

namespace wse::vm {
namespace {

struct Place {
  std::string what;       // ", task main of relay, pc 12", ", route of red"; empty if nobody knows
  isa::SourceLine where;  // line 0: none
};

// The first `setroute` of the program that writes the routing.
isa::SourceLine line_of_write(const isa::Program& program, std::size_t routing) {
  std::optional<isa::SourceLine> where;
  isa::for_each_instruction(program.code, [&](const isa::Instruction& i, std::uint32_t pc) {
    if (i.op == isa::Op::SetRoute && i.target == routing && !where) where = program.line_of(pc);
  });
  return where.value_or(isa::SourceLine{});
}

// A router follows a `.route` of the image or a `.routing` that its PE has written.
Place place_of_routing(const Scene& scene, const TrapReport& trap) {
  const isa::Image& image = scene.image;
  for (const isa::Route& route : image.routes) {
    if (&route.routing != trap.routing) continue;
    return {fmt::format(", route of {}", image.colour_name(route.colour)), route.where};
  }
  const isa::Program& program = *scene.loaded.program_at(trap.pe)->program;
  const auto written = std::ranges::find(program.routings, trap.routing,
                                         [](const isa::NamedRouting& r) { return &r.routing; });
  const auto index = static_cast<std::size_t>(written - program.routings.begin());
  return {fmt::format(", routing {} of {}", written->name, program.shown_name()),
          line_of_write(program, index)};
}

Place place_of(const Scene& scene, const TrapReport& trap) {
  if (trap.stream != nullptr) {
    return {fmt::format(", stream {}", trap.stream->name), trap.stream->where};
  }
  if (trap.routing != nullptr) return place_of_routing(scene, trap);
  if (trap.pc == kNoPc) return {};
  const isa::Program& program = *scene.loaded.program_at(trap.pe)->program;
  const isa::Task& task = program.tasks[scene.cores.core(trap.pe).task];
  return {fmt::format(", task {} of {}, pc {}", task.name, program.shown_name(), trap.pc),
          program.line_of(trap.pc)};
}

// Says where the same instruction, route or stream of the same program trapped in that cycle.
std::string others_text(const Scene& scene, const TrapReport& first) {
  const LoadedProgram* program = scene.loaded.program_at(first.pe);
  std::vector<PeId> places;
  for (const auto& strip : scene.cores) {
    if (!strip->trap.first() || strip->trap.first()->cycle != first.cycle) continue;
    for (const FirstTrap::Other& other : strip->trap.all()) {
      const bool alike = other.trap == first.trap && other.pc == first.pc &&
                         other.routing == first.routing && other.stream == first.stream;
      const bool same_code = first.pc == kNoPc || scene.loaded.program_at(other.pe) == program;
      if (alike && same_code) places.push_back(other.pe);
    }
  }
  std::ranges::sort(places);
  places.erase(std::ranges::unique(places).begin(), places.end());
  if (places.size() < 2) return {};
  return fmt::format("\n  it traps at {} PEs in this cycle: {}", places.size(),
                     places_text(scene.mesh, places));
}

}  // namespace

TrapRecord trap_record(const Scene& scene, const TrapReport& trap) {
  return {.kind = trap.trap,
          .cycle = trap.cycle,
          .x = scene.mesh.x_of(trap.pe),
          .y = scene.mesh.y_of(trap.pe),
          .line = scene.image.place_text(place_of(scene, trap).where),
          .detail = trap.detail};
}

std::string trap_text(const Scene& scene, const TrapReport& trap) {
  const Place place = place_of(scene, trap);
  const std::string line = scene.image.place_text(place.where);
  const isa::TrapInfo& info = isa::info(trap.trap);
  return fmt::format("trap {} in cycle {} at {}{}{}{}\n  {}{}{}{}", info.text, trap.cycle,
                     pe_text(scene.mesh, trap.pe), place.what, line.empty() ? "" : ", ", line,
                     info.meaning, trap.detail.empty() ? "" : ": ", trap.detail,
                     others_text(scene, trap));
}

}  // namespace wse::vm
