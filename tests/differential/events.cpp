// What happens in the order of the program: transfers, and code beside them.
#include <fmt/format.h>

#include <algorithm>

#include "tests/differential/mesh_writer.h"

namespace wse::differential {

void MeshWriter::event() {
  const std::uint32_t pieces = 1 + random_.below(3);
  for (std::uint32_t k = 0; k < pieces; ++k) other_code();
  if (flows_.empty()) return;
  transfer(flows_[random_.below(static_cast<std::uint32_t>(flows_.size()))]);
}

void MeshWriter::other_code() {
  const Place place = any_place();
  if (servers_.contains(place)) return;
  PeWriter& writer = pe(place);
  if (mistaken_ && random_.one_in(16)) {
    mistaken_ = false;
    return writer.mistake();
  }
  const std::uint32_t choice = random_.below(13);
  if (!kind_.queues && choice == 8) return writer.compute();
  switch (choice) {
    case 0: return writer.delay();
    case 1: return writer.descriptors();
    case 2: return writer.stamp();
    case 3: return writer.call();
    case 4: return writer.split();
    case 5:
    case 6: return writer.scalars();
    case 7: return writer.gather();
    case 8: return writer.queues();
    case 9: return writer.forms();
    default: return writer.compute();
  }
}

void MeshWriter::transfer(Flow& flow) {
  switch (flow.kind) {
    case Flow::Kind::Line:
      if (random_.one_in(4)) return controlled_transfer(flow);
      return line_transfer(flow, random_.below(26));
    case Flow::Kind::Compass: return compass_transfer(flow);
    case Flow::Kind::Switched: return switched_transfer(flow);
  }
}

void MeshWriter::receive(const std::string& colour, Place place, std::uint32_t wavelets) {
  if (servers_.contains(place)) {
    expected_[place] += wavelets;
    return;
  }
  if (greedy_ && random_.one_in(4)) {
    greedy_ = false;
    ++wavelets;
  }
  if (kind_.queues && random_.one_in(6)) return pe(place).receive_by_queue({colour, wavelets}, "");
  if (wavelets > 3 && random_.one_in(3)) {
    const std::uint32_t first = 1 + random_.below(wavelets - 1);
    pe(place).receive({colour, first});
    wavelets -= first;
  }
  pe(place).receive({colour, wavelets});
}

// A flow that could bring on what the last router of this one gets.
Flow* MeshWriter::next_flow(const Flow& flow) {
  Flow* next = nullptr;
  for (Flow& other : flows_) {
    const bool follows = other.kind == Flow::Kind::Line && &other != &flow &&
                         other.path.front() == flow.path.back() && !other.taps.front() &&
                         other.enters.empty() && flow.taps.back();
    if (follows && random_.one_in(2)) next = &other;
  }
  return next;
}

// Data with a control wavelet after or among them, which the instructions that receive wait for.
void MeshWriter::controlled_transfer(Flow& flow) {
  if (!flow.enters.empty() || !flow.leaves.empty() || flow.taps.front()) return;
  const std::uint32_t before = random_.below(12);
  const std::uint32_t behind = random_.one_in(2) ? 0 : 1 + random_.below(8);
  PeWriter& sender = pe(flow.path.front());
  sender.send({flow.colour, before});
  sender.control(flow.colour, random_.one_in(2) ? "control(stop, nop)" : "control(note, adv)",
                 false);
  if (behind > 0) sender.send({flow.colour, behind});
  Flow* next = next_flow(flow);
  for (std::size_t k = 0; k < flow.path.size(); ++k) {
    if (!flow.taps[k]) continue;
    const Place place = flow.path[k];
    const End from{flow.colour, before};
    if (servers_.contains(place)) {
      expected_[place] += before + behind;
    } else if (behind > 0) {
      pe(place).receive_and_tell({flow.colour, before + behind});
    } else if (next != nullptr && k + 1 == flow.path.size()) {
      next->passed += before;
      pe(place).relay_until_control(from, {next->colour, before});
      for (std::size_t tap = 0; tap < next->path.size(); ++tap) {
        if (next->taps[tap]) receive(next->colour, next->path[tap], before);
      }
    } else if (kind_.queues && random_.one_in(4)) {
      pe(place).receive_by_queue(from, ", on_control=terminate");
    } else {
      pe(place).receive_until_control(from);
    }
  }
}

// Who hears himself must not wait for his send to end. The last receiver may pass everything on.
void MeshWriter::line_transfer(Flow& flow, std::uint32_t wavelets) {
  const bool hears_itself = flow.taps.front();
  if (!flow.enters.empty() && flow.stock < wavelets) return;
  if (!flow.enters.empty()) flow.stock -= wavelets;
  flow.passed += wavelets;
  if (flow.enters.empty()) {
    std::uint32_t first = wavelets > 3 && random_.one_in(3) ? random_.below(wavelets) : 0;
    if (hears_itself) first = 0;
    if (first > 0 && kind_.plain && kind_.queues && random_.one_in(2)) {
      first = pe(flow.path.front()).send_by_queue({flow.colour, first});
    } else if (first > 0) {
      pe(flow.path.front()).send({flow.colour, first});
    }
    pe(flow.path.front()).send({flow.colour, wavelets - first}, hears_itself);
  }
  Flow* next = next_flow(flow);
  for (std::size_t k = 0; k < flow.path.size(); ++k) {
    if (!flow.taps[k]) continue;
    if (k + 1 < flow.path.size() || next == nullptr) {
      receive(flow.colour, flow.path[k], wavelets);
      continue;
    }
    next->passed += wavelets;
    if (kind_.plain && kind_.queues && random_.one_in(3)) {
      pe(flow.path[k]).relay_by_queue({flow.colour, wavelets}, {next->colour, wavelets});
    } else {
      pe(flow.path[k]).relay({flow.colour, wavelets}, {next->colour, wavelets});
    }
    for (std::size_t tap = 0; tap < next->path.size(); ++tap) {
      if (next->taps[tap]) receive(next->colour, next->path[tap], wavelets);
    }
  }
}

void MeshWriter::compass_transfer(Flow& flow) {
  if (flow.used && !flow.ring) return;
  flow.used = true;
  for (std::size_t k = 1; k < flow.path.size(); ++k) {
    const std::uint32_t wavelets = random_.below(9);
    pe(flow.path.front()).send({flow.colour, wavelets, true});
    receive(flow.colour, flow.path[k], wavelets);
  }
}

}  // namespace wse::differential
