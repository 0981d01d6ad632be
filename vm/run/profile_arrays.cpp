// The profile of a run, array by array.
#include <fmt/format.h>

#include <limits>
#include <span>

#include "vm/run/parts.h"
#include "vm/strips/loads.h"

namespace wse::vm {
namespace {

// A number for what never was: a halt, or a mark that was passed.
constexpr std::uint64_t kNoCycle = std::numeric_limits<std::uint32_t>::max();

// The rows, each of which is in the PE's own part of the profile or in the loads.
enum class Row : std::uint8_t {
#define PE_COUNTED(name) name,
#include "isa/machine/pe_counters.def"
#undef PE_COUNTED
};

constexpr std::string_view kRows[] = {
#define PE_COUNTED(name) #name,
#include "isa/machine/pe_counters.def"
#undef PE_COUNTED
};

// A PE of a profile, and what it had done before: zeros if nothing was launched.
struct PeRow {
  const PeProfile& profile;
  PeId pe = 0;
  const PeProfile::Time& time_before;
  const PeProfile::Done& done_before;
  const Since& since;
};

std::uint64_t value_of(Row row, const PeRow& pe) {
  const auto cycles = [&pe](Activity activity) {
    const auto k = static_cast<std::size_t>(activity);
    return pe.profile.time(pe.pe).cycles[k] - pe.time_before.cycles[k];
  };
  switch (row) {
    case Row::busy: return cycles(Activity::Busy);
    case Row::memory_stall: return cycles(Activity::MemoryStall);
    case Row::wait_output: return cycles(Activity::WaitOutput);
    case Row::wait_input: return cycles(Activity::WaitInput);
    case Row::idle: return cycles(Activity::Idle);
    case Row::instructions:
      return pe.profile.done(pe.pe).instructions - pe.done_before.instructions;
    case Row::elements: return pe.profile.done(pe.pe).elements - pe.done_before.elements;
    case Row::flops: return pe.profile.done(pe.pe).flops - pe.done_before.flops;
    case Row::tasks: return pe.profile.time(pe.pe).tasks - pe.time_before.tasks;
    case Row::halted_at: {
      const Cycle halted_at = pe.profile.time(pe.pe).halted_at;
      return halted_at == kNever ? kNoCycle : pe.since.from_there(halted_at);
    }
    case Row::sent:
    case Row::received:
    case Row::queue_peak: break;
  }
  return 0;
}

std::vector<std::uint64_t> loads_of(const LoadedWay& way, const Strips& strips,
                                    const isa::Topology& mesh, const ArrivedBefore& before) {
  std::vector<const QueueCounts*> counts;
  for (const auto& strip : strips) counts.push_back(&strip->transport->counts());
  return loads_of(mesh, way, counts, before);
}

std::string link_array(isa::Port port) { return fmt::format("link_{}", isa::text(port)); }
std::optional<LoadedWay> way_named(std::string_view name, const isa::Topology& mesh) {
  using enum LoadedWay::Kind;
  if (name == "sent" || name == "ramp_up") return LoadedWay{.kind = Up};
  if (name == "received") return LoadedWay{.kind = Taken};
  if (name == "ramp_down") return LoadedWay{.kind = Down};
  for (std::uint32_t k = 0; k < mesh.links(); ++k) {
    if (name == link_array(mesh.link_port(k))) return LoadedWay{Link, mesh.link_port(k)};
  }
  return std::nullopt;
}

std::string mark_array(std::string_view mark) { return fmt::format("mark_first_{}", mark); }

std::span<const std::string> kept_marks(const isa::Image& image) {
  return std::span(image.marks).first(std::min(image.marks.size(), PeProfile::kMostMarks));
}

// Returns the cycles in which PEs first passed a mark; `now` is the last cycle that was done.
std::vector<std::uint64_t> first_marks(const Strips& strips, std::size_t pes, std::uint32_t mark,
                                       Cycle now, const Since& since) {
  std::vector<std::uint64_t> values(pes);
  for (const auto& strip : strips) {
    for (PeId pe = strip->pes.first; pe < strip->pes.end; ++pe) {
      const Cycle first = strip->ledger.profile()->first_mark(pe, mark);
      values[pe] = first <= now ? since.from_there(first) : kNoCycle;
    }
  }
  return values;
}

static_assert(PeProfile::kBytes + ChargedBooks::kWindowBytes <= Machine::kProfileBytes);

}  // namespace

std::vector<std::string> Machine::profile_arrays() const {
  std::vector<std::string> names(std::begin(kRows), std::end(kRows));
  names.insert(names.end(), {"ramp_down", "ramp_up"});
  for (std::uint32_t k = 0; k < parts_->mesh.links(); ++k) {
    names.push_back(link_array(parts_->mesh.link_port(k)));
  }
  for (const std::string& mark : kept_marks(parts_->image)) names.push_back(mark_array(mark));
  return names;
}

isa::Result<std::vector<std::uint64_t>> Machine::profile_array(std::string_view name) const {
  const Parts& p = *parts_;
  if (p.strips[0].ledger.profile() == nullptr) {
    return std::unexpected(std::string("the run kept no profile"));
  }
  if (const std::optional<LoadedWay> way = way_named(name, p.mesh)) {
    return loads_of(*way, p.strips, p.mesh, p.since.arrived);
  }
  const std::span<const std::string> marks = kept_marks(p.image);
  for (std::uint32_t k = 0; k < marks.size(); ++k) {
    if (name == mark_array(marks[k])) return first_marks(p.strips, p.mesh.pes(), k, p.now, p.since);
  }
  const auto* const row = std::ranges::find(kRows, name);
  if (row == std::end(kRows)) {
    return std::unexpected(fmt::format("a profile has no array '{}'", name));
  }
  std::vector<std::uint64_t> values(p.mesh.pes());
  const auto row_of = static_cast<Row>(row - kRows);
  if (row_of == Row::queue_peak) {
    for (PeId pe = p.strips.pes().first; pe < p.strips.pes().end; ++pe)
      values[pe] = p.strips.of(pe).transport->counts().peak(pe);
    return values;
  }
  const PeProfile::Time no_time;
  const PeProfile::Done nothing_done;
  const bool was_launched = !p.since.times.empty();
  for (const auto& strip : p.strips) {
    for (PeId pe = strip->pes.first; pe < strip->pes.end; ++pe) {
      const PeProfile& profile = *strip->ledger.profile();
      values[pe] = value_of(row_of, {profile, pe, was_launched ? p.since.times[pe] : no_time,
                                     was_launched ? p.since.done[pe] : nothing_done, p.since});
    }
  }
  return values;
}

}  // namespace wse::vm
