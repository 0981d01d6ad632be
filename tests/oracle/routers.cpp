// Movement of wavelets: sections 2 and 7 of the machine's definition, rule by rule.
#include "tests/oracle/routers.h"

#include <algorithm>
#include <bit>

namespace wse::oracle {
namespace {

constexpr std::uint32_t kRamp = static_cast<std::uint32_t>(isa::Port::Ramp);
constexpr std::uint32_t kRampBit = 1u << kRamp;

enum Command : std::uint32_t { kNop, kAdvance, kReset, kTeardown };
constexpr std::string_view kCommandNames[] = {"nop", "adv", "rst", "teardown"};

// Bits of a control wavelet, from the first command to the last: the lower of the two bits of the
// command, and the bit that keeps the wavelet away from the PE.
constexpr std::uint32_t kCommandBits[8] = {22, 25, 28, 1, 4, 7, 10, 13};
constexpr std::uint32_t kIgnoreBits[8] = {24, 27, 0, 3, 6, 9, 12, 15};

std::uint32_t with_bits(std::uint32_t word, std::uint32_t place, std::uint32_t width,
                        std::uint32_t value) {
  const std::uint32_t mask = ((1u << width) - 1) << place;
  return (word & ~mask) | value << place;
}

std::uint32_t without_first_command(std::uint32_t word) {
  std::uint32_t made = word;
  for (int k = 0; k < 8; ++k) {
    const bool last = k == 7;
    const std::uint32_t command = last ? kNop : word >> kCommandBits[k + 1] & 3;
    const std::uint32_t ignore = last ? 1 : word >> kIgnoreBits[k + 1] & 1;
    made = with_bits(with_bits(made, kCommandBits[k], 2, command), kIgnoreBits[k], 1, ignore);
  }
  return made;
}

std::uint32_t first_command(std::uint32_t word) { return word >> kCommandBits[0] & 3; }
bool keeps_from_pe(std::uint32_t word) { return (word >> kIgnoreBits[0] & 1) != 0; }

bool pops(isa::PopMode mode, std::uint32_t command, bool position_changed) {
  switch (mode) {
    case isa::PopMode::Never: return false;
    case isa::PopMode::Always: return true;
    case isa::PopMode::OnAdvance: return position_changed;
    case isa::PopMode::OnAdvanceNop: return position_changed || command == kNop;
  }
  return false;
}

bool passes(const Channel& channel, const Wavelet& wavelet) {
  const FilterSetting& filter = channel.filter;
  switch (filter.shape.kind) {
    case isa::FilterKind::None: return true;
    case isa::FilterKind::Range: {
      const std::uint32_t index = wavelet.word >> 16;
      return wavelet.control || (filter.values[0] <= index && index <= filter.values[1]);
    }
    case isa::FilterKind::Counter:
    case isa::FilterKind::Sparse:
      if (wavelet.control && !filter.shape.control_filtered) return true;
      return channel.counter <= filter.values[0];
  }
  return true;
}

}  // namespace

void Channel::begin_cycle() {
  for (Queue& queue : arrived) queue.begin_cycle();
  down.begin_cycle();
  const Setting setting{position, torn_down, filter, counter, limit};
  has_changed = setting != before;
  before = setting;
}

void Channel::set_filter(const FilterSetting& setting) {
  filter = setting;
  limit = setting.values[1];
  counter = setting.values[2];
}

void Channel::set_position_by(std::uint32_t command) {
  const auto count = static_cast<std::uint32_t>(routing.positions.size());
  if (count <= 1) return;
  if (command == kReset) position = 0;
  if (command != kAdvance) return;
  if (position + 1 < count) {
    ++position;
  } else if (routing.ring) {
    position = 0;
  }
}

bool Channel::empty_before() const {
  return down.empty_before() &&
         std::ranges::all_of(arrived, [](const Queue& queue) { return queue.empty_before(); });
}

Routers::Routers(const isa::Image& image, const isa::Profile& profile, StreamWords words,
                 Outcome& outcome)
    : profile_(profile),
      outcome_(outcome),
      width_(image.width),
      height_(image.height),
      ports_(isa::kMeshPorts + image.hypercube_dimensions),
      colours_(static_cast<std::uint32_t>(image.colours.size())),
      words_(std::move(words)) {
  reach(image);
  load(image, profile);
  open_streams(image);
}

// A wavelet can be where a program, a route or a stream is, and at the routers beside those.
void Routers::reach(const isa::Image& image) {
  std::vector<bool> is_reached(std::size_t{width_} * height_);
  const auto add = [&](std::uint32_t x, std::uint32_t y) {
    const std::uint32_t pe = y * width_ + x;
    is_reached[pe] = true;
    for (std::uint32_t port = 0; port < ports_; ++port) {
      if (const auto there = beside(pe, port)) is_reached[*there] = true;
    }
  };
  for (const isa::Placement& placement : image.placements) isa::for_each(placement.rect, add);
  for (const isa::Route& route : image.routes) isa::for_each(route.rect, add);
  for (const isa::Stream& stream : image.streams) isa::for_each(stream.rect, add);
  places_.resize(is_reached.size());
  for (std::uint32_t pe = 0; pe < is_reached.size(); ++pe) {
    places_[pe] = reached_.size();
    if (is_reached[pe]) reached_.push_back(pe);
  }
  channels_.resize(reached_.size() * colours_);
  links_.resize(reached_.size() * ports_);
}

void Routers::load(const isa::Image& image, const isa::Profile& profile) {
  for_each_channel([&](std::uint32_t, std::uint32_t, Channel& channel) {
    channel.arrived.resize(ports_);
    for (Queue& queue : channel.arrived) queue.depth = profile.router_depth;
    channel.arrived[kRamp].depth = profile.up_ramp_depth;
    channel.down.depth = profile.down_ramp_depth;
  });
  for (const isa::Route& route : image.routes) {
    isa::for_each(route.rect, [&](std::uint32_t x, std::uint32_t y) {
      Channel& here = channel(y * width_ + x, route.colour);
      here.routing = route.routing;
      here.torn_down = route.torn_down;
      here.position = route.start;
    });
  }
  std::vector<isa::Number> globals;
  for (const isa::GlobalParameter& parameter : image.parameters) globals.push_back(parameter.value);
  for (const isa::Filter& filter : image.filters) {
    isa::for_each(filter.rect, [&](std::uint32_t x, std::uint32_t y) {
      isa::FormulaPlace place;
      place.x = x;
      place.y = y;
      place.width = width_;
      place.height = height_;
      place.globals = globals;
      FilterSetting setting{filter.shape, {}};
      for (std::size_t k = 0; k < filter.values.size(); ++k) {
        setting.values[k] =
            static_cast<std::uint32_t>(isa::evaluate(filter.values[k], place)->integer);
      }
      channel(y * width_ + x, filter.colour).set_filter(setting);
    });
  }
}

void Routers::begin_cycle() {
  moved_ = false;
  for_each_channel([](std::uint32_t, std::uint32_t, Channel& channel) { channel.begin_cycle(); });
}

void Routers::step(Cycle now) {
  for (StreamEnd& end : stream_ends_) {
    if (end.enters) enter(end, now);
  }
  for (const std::uint32_t pe : reached_) step_router(pe, now);
}

void Routers::end_cycle() {
  for (const auto& change : changes_) change();
  changes_.clear();
}

bool Routers::waits_for_time(Cycle now) const {
  const auto waits = [now](const auto& link) { return link.free_from > now; };
  if (std::ranges::any_of(links_, waits) || std::ranges::any_of(stream_ends_, waits)) return true;
  return std::ranges::any_of(channels_, [now](const Channel& channel) {
    return channel.torn_down_in || channel.down.waits_for_time(now) ||
           std::ranges::any_of(channel.arrived,
                               [now](const Queue& queue) { return queue.waits_for_time(now); });
  });
}

// Colours in ascending order, or from cycle mod colours on; each output port serves one of them.
void Routers::step_router(std::uint32_t pe, Cycle now) {
  const bool rotates = profile_.arbitration == static_cast<std::uint32_t>(isa::Arbitration::Rotate);
  const auto turn = static_cast<std::uint32_t>(rotates ? now % profile_.colours : 0);
  const std::uint32_t first = turn < colours_ ? turn : 0;  // those after do not exist
  std::uint32_t taken = 0;
  for (std::uint32_t k = 0; k < colours_; ++k) {
    const std::uint32_t colour = (first + k) % colours_;
    Channel& here = channel(pe, colour);
    if (here.empty_before()) continue;
    for (const Queue& queue : here.arrived) {
      if (queue.head(now) != nullptr && (here.torn_down || here.routing.positions.empty())) {
        outcome_.blocked = true;
      }
    }
    if (here.torn_down || here.routing.positions.empty()) continue;
    const isa::SwitchPosition& position = here.routing.positions[here.position];
    const Wavelet* head = here.arrived[static_cast<std::size_t>(position.rx)].head(now);
    if (head == nullptr) continue;
    const Move move = plan(pe, colour, *head);
    if ((move.targets & taken) != 0 || !has_links(move, now) || !has_room(move)) {
      outcome_.blocked = true;
      continue;
    }
    if (const auto cause = refuses(move, *head)) {
      outcome_.raise({now, pe, *cause});
      continue;
    }
    taken |= move.targets;
    note(move, here.arrived[static_cast<std::size_t>(position.rx)], now);
    make(move, now);
  }
}

// Where the head of a colour wants to go: every tx of the position, but to the PE only what it may
// get. What it may not get needs no room and no port there.
Routers::Move Routers::plan(std::uint32_t pe, std::uint32_t colour, const Wavelet& head) {
  Channel& here = channel(pe, colour);
  Move move{pe, colour, here.routing.positions[here.position].tx};
  if ((move.targets & kRampBit) == 0) return move;
  if (head.control && keeps_from_pe(head.word)) {
    move.targets &= ~kRampBit;
    return move;
  }
  move.seen_by_filter = here.filter.shape.kind != isa::FilterKind::None;
  move.passes_filter = passes(here, head);
  if (!move.passes_filter) move.targets &= ~kRampBit;
  return move;
}

std::optional<std::uint32_t> Routers::beside(std::uint32_t pe, std::uint32_t port) const {
  if (port > kRamp) return pe ^ 1u << (port - kRamp - 1);  // of a hypercube
  const std::uint32_t x = pe % width_;
  const std::uint32_t y = pe / width_;
  switch (static_cast<isa::Port>(port)) {
    case isa::Port::West: return x == 0 ? std::nullopt : std::optional(pe - 1);
    case isa::Port::East: return x + 1 == width_ ? std::nullopt : std::optional(pe + 1);
    case isa::Port::North: return y == 0 ? std::nullopt : std::optional(pe - width_);
    case isa::Port::South: return y + 1 == height_ ? std::nullopt : std::optional(pe + width_);
    default: return std::nullopt;
  }
}

Queue* Routers::target(std::uint32_t pe, std::uint32_t port, std::uint32_t colour) {
  if (port == kRamp) return &channel(pe, colour).down;
  const auto there = beside(pe, port);
  if (!there) return nullptr;
  const auto entrance = static_cast<std::size_t>(isa::opposite(static_cast<isa::Port>(port)));
  return &channel(*there, colour).arrived[entrance];
}

bool Routers::has_links(const Move& move, Cycle now) {
  for (std::uint32_t port = 0; port < ports_; ++port) {
    const bool wanted = (move.targets >> port & 1) != 0;
    if (wanted && link(move.pe, port).free_from > now) return false;
  }
  return true;
}

bool Routers::has_room(const Move& move) {
  for (std::uint32_t port = 0; port < ports_; ++port) {
    if ((move.targets >> port & 1) == 0) continue;
    const Queue* queue = target(move.pe, port, move.colour);
    if (queue != nullptr && !queue->has_room()) return false;
  }
  return true;
}

void Routers::note(const Move& move, const Queue& from, Cycle now) {
  Conditions fulfilled{.word = from.wavelets().front().visible == now,
                       .front = from.has_left(),
                       .change = channel(move.pe, move.colour).has_changed};
  for (std::uint32_t port = 0; port < ports_; ++port) {
    if ((move.targets >> port & 1) == 0) continue;
    const Queue* queue = target(move.pe, port, move.colour);
    fulfilled.room |= queue != nullptr && queue->was_full();
    fulfilled.link |= link(move.pe, port).taken_until == now;
  }
  outcome_.happenings.push_back({now, move.pe, Happening::Sort::Move, move.colour, fulfilled});
}

void Routers::make(const Move& move, Cycle now) {
  Channel& here = channel(move.pe, move.colour);
  const isa::Port from = here.routing.positions[here.position].rx;
  Wavelet wavelet = here.arrived[static_cast<std::size_t>(from)].pop();
  moved_ = true;
  note_cuts(move, wavelet);
  if (move.seen_by_filter) count_filter(here, wavelet);
  if (move.seen_by_filter && !move.passes_filter && !wavelet.control) {
    ++outcome_.tally.words[{move.pe, move.colour}].dropped;
  }
  const bool advance = wavelet.advance && from == isa::Port::Ramp;
  wavelet.advance = false;
  if (wavelet.control) {
    Tally::Switching& past = outcome_.tally.switching[{move.pe, move.colour}];
    const bool tears_down = first_command(wavelet.word) == kTeardown;
    const std::uint32_t before = here.position;
    obey(here, wavelet, now);
    ++past.controls;
    past.turns += here.position != before ? 1 : 0;
    past.idle_controls += here.position == before && !tears_down ? 1 : 0;
    past.ended += move.targets == 0 ? 1 : 0;
  }
  if (advance) this->advance(move.pe, move.colour);
  for (std::uint32_t port = 0; port < ports_; ++port) {
    if ((move.targets >> port & 1) != 0) deliver(wavelet, move, port, now);
  }
}

void Routers::note_cuts(const Move& move, const Wavelet& wavelet) {
  Channel& here = channel(move.pe, move.colour);
  if (wavelet.control) return here.passage.control(first_command(wavelet.word) == kTeardown);
  if (wavelet.message == 0) return;
  here.passage.word({wavelet.message, here.position, move.passes_filter},
                    [&](Cut cut) { ++outcome_.cuts[{cut, move.pe}]; });
}

void Routers::advance(std::uint32_t pe, std::uint32_t colour) {
  Channel& here = channel(pe, colour);
  const std::uint32_t before = here.position;
  here.set_position_by(kAdvance);
  if (here.position == before) ++outcome_.tally.switching[{pe, colour}].idle_advances;
}

// One copy of a wavelet, to where it goes from here.
void Routers::deliver(Wavelet wavelet, const Move& move, std::uint32_t port, Cycle now) {
  if (port != kRamp) {
    link(move.pe, port).free_from = now + profile_.link_interval_cycles;
  }
  link(move.pe, port).taken_until =
      now + (port == kRamp ? 1 : std::max<Cycle>(profile_.link_interval_cycles, 1));
  Queue* queue = target(move.pe, port, move.colour);
  if (queue == nullptr) return leave(wavelet, move, port);
  ++link(move.pe, port).load;
  outcome_.pes[move.pe].moves.push_back({now, port});
  if (port == kRamp) {
    wavelet.visible = now + profile_.ramp_latency_cycles;
    outcome_.max_distance = std::max<std::uint64_t>(outcome_.max_distance, wavelet.distance);
  } else {
    wavelet.visible = now + profile_.hop_latency_cycles;
    ++wavelet.distance;
    ++outcome_.hops;
  }
  queue->push(wavelet);
}

// The first command acts on this router; then the list may lose it.
void Routers::obey(Channel& channel, Wavelet& wavelet, Cycle now) {
  const std::uint32_t command = first_command(wavelet.word);
  const std::uint32_t before = channel.position;
  channel.set_position_by(command);
  ++outcome_.met["command " + std::string(kCommandNames[command])];
  if (command == kTeardown) {
    channel.torn_down = true;
    channel.torn_down_in = now;
  }
  const auto mode = static_cast<std::size_t>(channel.routing.pop);
  ++outcome_.met["pop " + std::string(isa::kPopModeTexts[mode])];
  if (!pops(channel.routing.pop, command, channel.position != before)) return;
  wavelet.word = without_first_command(wavelet.word);
}

void Routers::count_filter(Channel& channel, const Wavelet& wavelet) {
  const FilterSetting& filter = channel.filter;
  ++outcome_.met["filter " + std::string(isa::info(filter.shape.kind).text)];
  if (filter.shape.kind == isa::FilterKind::Range) return;
  const isa::FilterCounts counts = filter.shape.counts;
  const bool counted = counts == isa::FilterCounts::Both ||
                       (counts == isa::FilterCounts::Control) == wavelet.control;
  if (!counted) return;
  if (channel.counter < channel.limit) {
    ++channel.counter;
    return;
  }
  channel.counter = 0;
  if (filter.shape.kind == isa::FilterKind::Sparse) channel.limit = filter.values[3];
}

}  // namespace wse::oracle
