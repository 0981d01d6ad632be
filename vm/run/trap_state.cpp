// Traps are raised again in their order: so the first of them is the first one.
#include "vm/run/trap_state.h"

#include <utility>
#include <vector>

namespace wse::vm {
namespace {

// Returns the number of the element that a pointer names, from 1 on; 0 if it names none of them.
template <class Range, class Member>
std::uint32_t number_in(const Range& range, Member member, const void* pointer) {
  std::uint32_t number = 0;
  for (const auto& one : range) {
    ++number;
    if (pointer == &(one.*member)) return number;
  }
  return 0;
}

}  // namespace

std::span<const isa::NamedRouting> TrapState::routings_of(PeId pe) const {
  const LoadedProgram* const program = loaded_.program_at(pe);
  if (program == nullptr) return {};
  return program->program->routings;
}

// A router follows a route of the image or a routing of its PE's program.
template <class Archive>
void TrapState::pass_routing(Archive& archive, PeId pe, const isa::Routing*& routing) const {
  const std::span<const isa::NamedRouting> written = routings_of(pe);
  std::uint32_t of_image = number_in(image_.routes, &isa::Route::routing, routing);
  std::uint32_t of_program = number_in(written, &isa::NamedRouting::routing, routing);
  archive.below(of_image, image_.routes.size() + 1);
  archive.below(of_program, written.size() + 1);
  if constexpr (Archive::kReads) {
    routing = nullptr;
    if (of_program > 0) routing = &written[of_program - 1].routing;
    if (of_image > 0) routing = &image_.routes[of_image - 1].routing;
  }
}

template <class Archive>
void TrapState::pass_stream(Archive& archive, const isa::Stream*& stream) const {
  std::uint32_t number = 0;
  if (stream != nullptr) {
    number = static_cast<std::uint32_t>(stream - image_.streams.data()) + 1;
  }
  archive.below(number, image_.streams.size() + 1);
  if constexpr (Archive::kReads) stream = number > 0 ? &image_.streams[number - 1] : nullptr;
}

template <class Archive>
void TrapState::pass(Archive& archive, FirstTrap& traps) const {
  TrapReport first;
  std::vector<FirstTrap::Other> all;
  if constexpr (!Archive::kReads) {
    all.assign(traps.all().begin(), traps.all().end());
    if (traps.first()) first = *traps.first();
  }
  archive.number(first.cycle);
  archive.text(first.detail);
  constexpr std::size_t kLeast = 9;
  bool was_first = false;
  const auto is_first = [&](const FirstTrap::Other& other) {
    return other.pe == first.pe && !std::exchange(was_first, true);
  };
  archive.list(all, kLeast, [&](FirstTrap::Other& other) {
    archive.number(other.trap);
    archive.number(other.pe);
    archive.number(other.pc);
    archive.expect(other.pe < image_.topology().pes());
    if (!archive.ok()) return;
    pass_routing(archive, other.pe, other.routing);
    pass_stream(archive, other.stream);
    bool has_detail = !Archive::kReads && is_first(other);
    archive.number(has_detail);
    if constexpr (Archive::kReads) {
      if (!archive.ok()) return;
      traps.raise({.trap = other.trap,
                   .cycle = first.cycle,
                   .pe = other.pe,
                   .pc = other.pc,
                   .detail = has_detail ? first.detail : std::string(),
                   .routing = other.routing,
                   .stream = other.stream});
    }
  });
}

template <class Archive>
void TrapState::pass(Archive& archive, Strips& strips, const PeRange& pes) const {
  for (const auto& strip : strips) {
    if (pes.contains(strip->pes.first)) pass(archive, strip->trap);
  }
}

template void TrapState::pass(StateWriter&, Strips&, const PeRange&) const;
template void TrapState::pass(StateReader&, Strips&, const PeRange&) const;

}  // namespace wse::vm
