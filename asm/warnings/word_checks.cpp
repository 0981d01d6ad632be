// One colour after the other: who waits for words, where they come from, how many there are.
#include "asm/warnings/word_checks.h"

#include <algorithm>
#include <set>

#include "asm/code/reach.h"
#include "asm/syntax/code_places.h"
#include "asm/warnings/pe_set.h"
#include "isa/image/placement_values.h"

namespace wse::assembler {
namespace {

using isa::Port;

// Bounds of the work for a whole source.
constexpr std::size_t kFollowed = 4'000;   // PEs
constexpr std::size_t kRouters = 400'000;  // routers on the ways of messages

// The first two and the last two members: where ranges that do not fit show, and both halves of
// what alternates.
std::set<std::int64_t> ends_of(const isa::StridedRange& range) {
  if (range.count() == 0) return {};
  std::set<std::int64_t> ends = {range.first, range.end()};
  if (range.count() > 2) ends.insert({range.first + range.step, range.end() - range.step});
  return ends;
}

std::string words_text(std::uint64_t words) {
  return counted(static_cast<std::int64_t>(words), "word");
}

}  // namespace

WordChecks::WordChecks(const isa::Image& image, const isa::Profile& profile,
                       const std::vector<const ProgramSyntax*>& programs,
                       const std::vector<PlacedProgram>& placements,
                       const std::vector<PlacedStream>& streams,
                       const std::vector<PlacedFilter>& filters, const MeshChecker& mesh,
                       Reporter& reporter)
    : image_(image),
      profile_(profile),
      topology_(image.topology()),
      programs_(programs),
      placements_(placements),
      streams_(streams),
      mesh_(mesh),
      reporter_(reporter),
      steps_(kFollowedSteps),
      routers_(kRouters) {
  for (const PlacedFilter& filter : filters) filtered_ |= 1u << filter.item.colour;
  for (const isa::Program& program : image.programs) {
    if (!program.filters.empty()) filtered_ = ~0u;
  }
  find_awaited();
  followed_.reserve(kFollowed);
  for (std::uint32_t k = 0; k < placements.size(); ++k) follow_ends(k);
  ends_ = followed_.size();
}

std::vector<std::uint32_t> WordChecks::ends() const {
  std::vector<std::uint32_t> pes;
  for (std::size_t k = 0; k < ends_; ++k) pes.push_back(followed_[k].pe);
  return pes;
}

void WordChecks::follow_ends(std::uint32_t placement) {
  const isa::StridedRect& rect = placements_[placement].item.rect;
  for (const std::int64_t y : ends_of(rect.y)) {
    for (const std::int64_t x : ends_of(rect.x)) {
      follow(topology_.pe_at(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y)));
    }
  }
}

// nullptr if there is no program, or if enough PEs have been followed.
const WordChecks::Followed* WordChecks::follow(std::uint32_t pe) {
  if (const auto found = by_pe_.find(pe); found != by_pe_.end()) return &followed_[found->second];
  const std::optional<std::uint32_t> placement = mesh_.placement_at(pe);
  if (!placement || steps_ == 0 || followed_.size() == kFollowed) return nullptr;
  const isa::Placement& item = placements_[*placement].item;
  Followed made{.pe = pe, .placement = *placement};
  isa::PlacementValues values(image_, item);
  if (values.move_to(topology_.x_of(pe), topology_.y_of(pe))) {
    std::size_t steps = std::min(steps_, kFollowedStepsOfPe);
    const std::size_t before = steps;
    made.path = follow_main(image_.programs[item.program], values.slots().data(), steps);
    steps_ -= before - steps;
  }
  by_pe_[pe] = followed_.size();
  return &followed_.emplace_back(std::move(made));
}

const isa::Program& WordChecks::program_of(const Followed& followed) const {
  return image_.programs[placements_[followed.placement].item.program];
}

const ProgramSyntax& WordChecks::syntax_of(const Followed& followed) const {
  return *programs_[placements_[followed.placement].item.program];
}

void WordChecks::check(const std::vector<PlacedRoute>& routes, std::uint32_t colour) {
  if (reporter_.has_errors()) return;
  routes_ = &routes;
  colour_ = colour;
  said_.clear();
  const std::size_t count = followed_.size();  // those that are followed on the way are no ends
  for (std::size_t k = 0; k < count; ++k) check_received(followed_[k]);
  for (std::size_t k = 0; k < count; ++k) check_sent(followed_[k]);
  // Without any route the layout may be too small for the message: then nobody sends it either.
  const bool is_routed = std::ranges::any_of(routes, [colour](const PlacedRoute& route) {
    return route.item.colour == colour && !route.item.rect.empty();
  });
  for (std::uint32_t k = 0; k < image_.programs.size() && is_routed; ++k) {
    if ((awaited_[k] >> colour & 1) != 0 && !is_delivered(k)) report_awaited(k);
  }
}

bool WordChecks::say_once(Problem problem, std::uint32_t program) {
  const std::pair said(problem, program);
  has_told_ = true;
  if (std::ranges::find(said_, said) != said_.end()) return false;
  said_.push_back(said);
  return true;
}

void WordChecks::check_received(const Followed& receiver) {
  const isa::Program& program = program_of(receiver);
  const auto use = std::ranges::find(receiver.path.received, colour_, &WordUse::colour);
  if (use == receiver.path.received.end() || program.passive) return;
  const std::uint32_t index = placements_[receiver.placement].item.program;
  const std::uint32_t x = topology_.x_of(receiver.pe);
  const std::uint32_t y = topology_.y_of(receiver.pe);
  const std::string colour = image_.colour_name(colour_);
  const auto where = [&] { return place_of(syntax_of(receiver), program, use->pc); };
  if (!delivers(receiver.pe)) {
    if (!say_once(Problem::NotDelivered, index)) return;
    reporter_.report(Problem::NotDelivered, where(), x, y, colour);
    return;
  }
  const Source source = source_of(receiver.pe);
  std::optional<std::uint64_t> sent;
  std::string sender;
  if (std::holds_alternative<Nobody>(source)) {
    sent = 0;
    sender = "no PE sends any there";
  } else if (const auto* stream = std::get_if<FromStream>(&source)) {
    if (!stream->stream->item.is_array) return;  // a host sends as many as it likes
    sent = stream->stream->item.count;
    sender = fmt::format("stream '{}', the only source of them, has {}", stream->stream->item.name,
                         words_text(*sent));
  } else if (const auto* from = std::get_if<FromPe>(&source)) {
    const Followed* const followed = follow(from->pe);
    const bool has_program = mesh_.placement_at(from->pe).has_value();
    if (followed != nullptr) sent = followed->path.all_sent(colour_);
    if (!has_program) sent = 0;
    sender = fmt::format(
        "PE ({}, {}), the only one whose words come there, {}", topology_.x_of(from->pe),
        topology_.y_of(from->pe),
        has_program ? fmt::format("sends {}", words_text(sent.value_or(0))) : "has no program");
  }
  if (!sent || use->words <= *sent || !say_once(Problem::FewWords, index)) return;
  reporter_.report(Problem::FewWords, where(), x, y, words_text(use->words), colour, sender);
}

// Back over routers that take the colour from one side for ever.
WordChecks::Source WordChecks::source_of(std::uint32_t pe) {
  std::uint32_t here = pe;
  for (std::size_t k = 0; k < topology_.pes() && routers_ > 0; ++k, --routers_) {
    const isa::SwitchPosition* const position = position_at(here);
    if (position == nullptr) return Unknown{};
    if (position->rx == Port::Ramp) return FromPe{here};
    const std::optional<std::uint32_t> before = topology_.neighbour(here, position->rx);
    if (!before) return beyond_edge(here, position->rx);
    if (!mesh_.may_route(colour_, *before)) return Nobody{};
    const isa::SwitchPosition* const sends = position_at(*before);
    if (sends == nullptr) return Unknown{};
    if ((sends->tx & isa::bit(isa::opposite(position->rx))) == 0) return Nobody{};
    here = *before;
  }
  return Unknown{};  // a circle, of which others speak, or too far
}

WordChecks::Source WordChecks::beyond_edge(std::uint32_t pe, Port side) {
  if (routers_ < streams_.size()) return Unknown{};
  routers_ -= streams_.size();
  for (const PlacedStream& stream : streams_) {
    const bool enters = stream.item.enters && stream.item.colour == colour_;
    if (!enters || stream.item.side != side) continue;
    if (contains(stream.item.rect, topology_.x_of(pe), topology_.y_of(pe))) {
      return FromStream{&stream};
    }
  }
  return Nobody{};
}

void WordChecks::check_sent(const Followed& sender) {
  const auto use = std::ranges::find(sender.path.sent, colour_, &WordUse::colour);
  if (use == sender.path.sent.end() || program_of(sender).passive) return;
  const bool may_vanish = ((filtered_ | sender.path.controls) >> colour_ & 1) != 0;
  const isa::SwitchPosition* const first = position_at(sender.pe);
  if (may_vanish || first == nullptr || first->rx != Port::Ramp) return;
  std::vector<Stop> open = {{.pe = sender.pe, .links = 0}};
  while (!open.empty() && routers_ > 0) {
    --routers_;
    const Stop here = open.back();
    open.pop_back();
    const std::uint32_t tx = position_at(here.pe)->tx;
    if ((tx & isa::bit(Port::Ramp)) != 0 && !check_target(sender, *use, here)) return;
    for (std::uint32_t k = 0; k < topology_.links(); ++k) {
      const Port port = topology_.link_port(k);
      if ((tx & isa::bit(port)) == 0) continue;
      const std::optional<std::uint32_t> next = topology_.neighbour(here.pe, port);
      if (!next) continue;  // a stream leaves
      const isa::SwitchPosition* const position = position_at(*next);
      if (position == nullptr || position->rx != isa::opposite(port)) continue;
      open.push_back({.pe = *next, .links = here.links + 1});
    }
  }
}

// False if the words are too many for that PE. A copy that has no room holds all others up, so the
// sender never ends either.
bool WordChecks::check_target(const Followed& sender, const WordUse& use, const Stop& target) {
  const std::optional<std::uint64_t> taken = taken_at(target.pe);
  const std::uint64_t room = std::uint64_t{profile_.up_ramp_depth} + profile_.down_ramp_depth +
                             std::uint64_t{target.links} * profile_.router_depth;
  if (!taken || use.words <= *taken + room) return true;
  const std::uint32_t index = placements_[sender.placement].item.program;
  if (!say_once(Problem::ManyWords, index)) return false;
  endless_sends_.emplace(index, colour_);
  const isa::SourceRange where = place_of(syntax_of(sender), program_of(sender), use.pc);
  reporter_.report(Problem::ManyWords, where, topology_.x_of(sender.pe), topology_.y_of(sender.pe),
                   words_text(use.words), image_.colour_name(colour_), topology_.x_of(target.pe),
                   topology_.y_of(target.pe), words_text(*taken), words_text(room));
  return false;
}

// Words that the PE takes in all; nothing if that is not certain.
std::optional<std::uint64_t> WordChecks::taken_at(std::uint32_t pe) {
  if (!mesh_.placement_at(pe)) return 0;
  const Followed* const followed = follow(pe);
  return followed == nullptr ? std::nullopt : followed->path.all_received(colour_);
}

const isa::SwitchPosition* WordChecks::position_at(std::uint32_t pe) const {
  return mesh_.lasting_position(*routes_, colour_, pe);
}

bool WordChecks::delivers(std::uint32_t pe) const {
  return mesh_.may_deliver(*routes_, colour_, pe);
}

// ---- what no PE of a program can get, wherever its code asks for it

void WordChecks::find_awaited() {
  awaited_.resize(image_.programs.size());
  placements_of_.resize(image_.programs.size());
  for (std::size_t k = 0; k < image_.programs.size(); ++k) {
    const auto add = [&](const isa::SlotValue& colour) {
      if (!colour.is_slot) awaited_[k] |= 1u << colour.value;
    };
    for (const isa::DescriptorLiteral& literal : image_.programs[k].descriptors) {
      if (isa::receives(literal.kind)) add(literal.colour);
    }
    for (const isa::Task& task : image_.programs[k].tasks) {
      if (task.kind == isa::TaskKind::Data) add(task.id);
    }
  }
  for (std::uint32_t k = 0; k < placements_.size(); ++k) {
    const isa::Placement& item = placements_[k].item;
    if (!item.rect.empty()) placements_of_[item.program].push_back(k);
  }
}

// Also if the program runs nowhere.
bool WordChecks::is_delivered(std::uint32_t program) const {
  const auto gets_none = [this](std::uint32_t placement) {
    return isa::for_each_until(
        placements_[placement].item.rect,
        [this](std::uint32_t x, std::uint32_t y) { return !delivers(topology_.pe_at(x, y)); });
  };
  return placements_of_[program].empty() ||
         !std::ranges::all_of(placements_of_[program], gets_none);
}

void WordChecks::report_awaited(std::uint32_t index) {
  const isa::Program& program = image_.programs[index];
  const ProgramSyntax& syntax = *programs_[index];
  const std::string colour = image_.colour_name(colour_);
  const isa::SlotValue wanted{.value = colour_};
  for (const isa::Task& task : program.tasks) {
    if (task.kind != isa::TaskKind::Data || task.id != wanted) continue;
    reporter_.report(Problem::TaskNotDelivered, place_of(syntax, task), task.name, colour,
                     program.name);
    return;
  }
  if (!say_once(Problem::NotDelivered, index)) return;  // said with a PE already
  std::optional<std::uint32_t> first;
  any_reached(program, [&](const isa::Instruction& i, std::uint32_t pc) {
    if (i.op != isa::Op::LoadDescriptor) return false;
    const isa::DescriptorLiteral& d = program.descriptors[i.target];
    const bool empty = !d.length.is_slot && d.length.value == 0;
    if (isa::receives(d.kind) && d.colour == wanted && !empty && pc < first.value_or(~0u))
      first = pc;
    return false;
  });
  if (!first) return;
  reporter_.report(Problem::ProgramNotDelivered, place_of(syntax, program, *first), program.name,
                   colour);
}

}  // namespace wse::assembler
