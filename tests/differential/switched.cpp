// Colours with several positions, control wavelets, reconfiguration, and the servers that take what
// comes of them.
#include <fmt/format.h>

#include <algorithm>

#include "tests/differential/mesh_writer.h"

namespace wse::differential {
namespace {

constexpr std::string_view kPops[] = {"never", "always", "on_advance", "on_advance_nop"};

}  // namespace

// A set of targets of what the router before sends: onward, to the PE, or both.
std::string MeshWriter::position(const Flow& flow, std::size_t k, bool first, bool may_tap) {
  const Place here = flow.path[k];
  const std::string from = k == 0 ? "ramp" : side(here, flow.path[k - 1]);
  std::string to;
  const bool last = k + 1 == flow.path.size();
  if (!last && (!may_tap || !random_.one_in(4))) to = side(here, flow.path[k + 1]);
  if (to.empty() || (may_tap && random_.one_in(2))) to += to.empty() ? "ramp" : ", ramp";
  return fmt::format("[{}-> {}]", first ? from + " " : "", to);
}

void MeshWriter::route_switched(Flow& flow) {
  for (std::size_t k = 0; k < flow.path.size(); ++k) {
    const Place here = flow.path[k];
    const bool server = servers_.contains(here);
    const bool last = k + 1 == flow.path.size();
    const bool may_tap = server || last || random_.one_in(30);
    const std::uint32_t positions = 1 + random_.below(4);
    std::string text;
    for (std::uint32_t p = 0; p < positions; ++p) {
      text += (p == 0 ? "" : " ") + position(flow, k, p == 0, may_tap);
    }
    if (random_.one_in(2)) text += " ring";
    text += fmt::format(" pop={}", kPops[random_.below(4)]);
    switched_routes_[{here, flow.colour}] = text;
    const bool torn = random_.one_in(14);
    if (torn) torn_.insert({here, flow.colour});
    std::string at_start = torn ? " torn_down" : "";
    if (random_.one_in(4)) at_start += fmt::format(" start={}", random_.below(positions));
    lines_ += fmt::format(".route {} at {}: {}{}\n", flow.colour, at(here), text, at_start);
    if (!server || !may_tap) continue;
    fed_[here].push_back(flow.colour);
    uncertain_.insert(here);
    if (random_.one_in(2)) add_filter(flow.colour, here);
  }
}

std::string MeshWriter::control_word() {
  static constexpr std::string_view kCommands[] = {"adv", "adv", "adv", "nop", "nop", "rst", "rst"};
  static constexpr std::string_view kEntries[] = {"31", "31", "31", "stop", "note", "note"};
  std::string word = "control(";
  word += random_.one_in(30) ? "stray" : kEntries[random_.below(6)];
  const std::uint32_t commands = 1 + random_.below(random_.one_in(2) ? 1 : 8);
  for (std::uint32_t k = 0; k < commands; ++k) {
    const std::string command =
        random_.one_in(25) ? "teardown" : std::string(kCommands[random_.below(7)]);
    word += random_.one_in(3) ? fmt::format(", ignore({})", command) : ", " + command;
  }
  if (commands == 1 && random_.one_in(2)) word += fmt::format(", data={}", random_.below(500));
  return word + ")";
}

void MeshWriter::switched_transfer(Flow& flow) {
  PeWriter& sender = pe(flow.path.front());
  const std::uint32_t messages = 1 + random_.below(4);
  for (std::uint32_t k = 0; k < messages; ++k) {
    if (random_.one_in(2)) {
      sender.control(flow.colour, control_word(), random_.one_in(6));
    } else {
      sender.send({flow.colour, random_.below(6), random_.one_in(8)});
    }
  }
  const Place last = flow.path.back();
  if (!servers_.contains(last) && random_.one_in(3)) receive(flow.colour, last, random_.below(4));
}

// What a PE may write while the colour is torn down here; then it continues.
void MeshWriter::reconfigure(Place place, const std::string& colour) {
  PeWriter& writer = pe(place);
  const auto switched = switched_routes_.find({place, colour});
  if (random_.one_in(2)) writer.delay();
  if (switched != switched_routes_.end() && random_.one_in(2)) {
    const std::string routing = fmt::format("again_{}_{}", colour, ++names_);
    writer.directive(fmt::format(".routing {} = {}", routing, switched->second));
    writer.line(fmt::format("setroute {}, {}", writer.colour(colour), routing));
  }
  if (random_.one_in(3)) writer.line(fmt::format("setpos {}, 0", writer.colour(colour)));
  if (random_.one_in(3)) {
    const std::string filter = fmt::format("others_{}_{}", colour, ++names_);
    const std::uint32_t limit = 1 + random_.below(3);
    std::string what = fmt::format("counter max=1 limit={}", limit);
    if (kind_.plain && random_.one_in(2)) {
      what = fmt::format("sparse max={} limit={} start={} then={}", random_.below(3), limit,
                         random_.below(limit + 1), random_.below(4));
    }
    writer.directive(fmt::format(".filtering {} = {}", filter, what));
    writer.line(fmt::format("setfilter {}, {}", writer.colour(colour), filter));
    uncertain_.insert(place);
  }
  writer.line("teardown_exit " + writer.colour(colour));
}

void MeshWriter::teardown_task(Place place, const std::string& colour) {
  pe(place).header(fmt::format("task redo_{} teardown {}:", colour, pe(place).colour(colour)));
  reconfigure(place, colour);
}

// Main sets up; then tasks take what comes, and the program ends with the last expected wavelet if
// it can know which that is.
void MeshWriter::write_server(Place place) {
  PeWriter& writer = pe(place);
  writer.in_task(true);
  writer.directive(".i32 log[32]");
  const std::vector<std::string>& colours = fed_[place];
  for (const std::string& colour : colours)
    writer.directive(fmt::format(".i32 inbox_{}[3]", colour));
  if (random_.one_in(2)) writer.scalars();
  for (const auto& [where, colour] : torn_) {
    if (where == place) reconfigure(place, colour);
  }
  const bool counts = !uncertain_.contains(place) && expected_[place] > 0 && random_.one_in(2);
  for (const std::string& colour : colours) {
    const bool may_end = !random_.one_in(4);
    writer.server_task(colour, counts ? expected_[place] : 0, may_end);
  }
  for (const auto& [where, text] : switched_routes_) {
    if (where.first == place && !random_.one_in(5)) teardown_task(place, where.second);
  }
  if (!random_.one_in(10)) {
    writer.header("task noting control note (noted):");
    writer.line("add32 r6, r6, noted");
  }
  writer.header("task stopping control stop:");
  writer.line(random_.one_in(8) ? "halt" : "add32 r7, r7, 1");
  if (!counts) writer.directive(".passive");
}

}  // namespace wse::differential
