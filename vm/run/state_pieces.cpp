// Hides machines, cuts their states into pieces, and puts these together.
#include "vm/run/state_pieces.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "vm/run/kept_books.h"
#include "vm/run/machine_state.h"
#include "vm/run/parts.h"

namespace wse::vm {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{4} << 20;

// The beginning of a piece.
struct PieceHead {
  std::uint64_t next = 0;
  bool is_last = true;

  template <class Archive>
  void pass(Archive& archive) {
    archive.number(next);
    archive.number(is_last);
  }
};

MessageBytes piece_of(PieceHead head, std::span<const std::byte> bytes) {
  StateWriter writer;
  head.pass(writer);
  writer.bytes(bytes);
  return std::move(writer.written());
}

}  // namespace

// A machine as it is, with the books of a stepper, while this lives.
struct StatePieces::Hidden {
  explicit Hidden(Machine& its_machine)
      : machine(its_machine),
        parts(*its_machine.parts_),
        state(its_machine),
        of_state(its_machine, {}) {
    was_shown = state.hide();  // after which each strip works on its own thread again
    kept.emplace(parts);
    kept->count_planes();
    if (parts.on_wafer) make_words();
    StripReport report;
    report.finish = parts.strips.counters().latest_finish;
    const Cycle finish = parts.communicator->join_others(report).finish;
    for (const auto& strip : parts.strips) strip->ledger.activity.flush();
    agree_on_charges();
    books.emplace(of_state.books(finish));
    books->collect();
  }

  // Lets all strips of all processes take the stalls that those of one process would take.
  void agree_on_charges() {
    StripReport report;
    for (const auto& strip : parts.strips) {
      Slices* const slices = strip->ledger.slices();
      if (slices != nullptr) report.finish = std::max(report.finish, slices->charged_until());
    }
    const Cycle charged = parts.communicator->join_others(report).finish;
    for (const auto& strip : parts.strips) {
      if (Slices* const slices = strip->ledger.slices()) slices->charged_until(charged);
    }
  }

  // Makes the words that stand in queues while the others still answer who lacks some.
  void make_words() {
    TransportState of_pe;
    const PeRange own = parts.strips.pes();
    for (PeId pe = own.first; pe < own.end; ++pe) {
      of_pe.clear();
      parts.strips.of(pe).transport->states().give(pe, parts.now, of_pe);
    }
  }

  Machine& machine;
  Machine::Parts& parts;
  MachineState state;
  StateParts of_state;
  std::optional<MachineState::KeptBooks> kept;
  bool was_shown = false;
  std::optional<LedgerState> books;
};

// The sums of all processes.
struct StatePieces::Gathered {
  using Entries = std::vector<StateParts::Entry>;

  Gathered(const Machine::Parts& parts, Streams all) : p(parts), streams(std::move(all)) {}

  // Adds what sums_of() has written of the next process.
  bool add(StateReader& reader, const LedgerSums::Kept& kept) {
    std::vector<PeRange> ranges;
    reader.list(ranges, sizeof(PeRange), [&](PeRange& range) {
      reader.number(range.first);
      reader.number(range.end);
      reader.expect(range.first < range.end && range.end <= p.mesh.pes());
    });
    for (Entries& entries : agendas) {
      Entries more;
      reader.list(more, sizeof(Cycle) + sizeof(PeId), [&](StateParts::Entry& entry) {
        reader.number(entry.first);
        reader.below(entry.second, p.mesh.pes());
      });
      entries.insert(entries.end(), more.begin(), more.end());
    }
    streams.pass_share(reader);
    LedgerSums of_process;
    of_process.pass(reader, kept);
    sums.add(std::move(of_process));
    if (p.links && !ranges.empty()) add_slices(reader, ranges, kept.now);
    reader.expect(reader.left() == 0);
    return reader.ok();
  }

  void add_slices(StateReader& reader, const std::vector<PeRange>& ranges, Cycle now) {
    std::vector<Slices*> of_process;
    const SliceTiles tiles(p.mesh);
    for (const PeRange& range : ranges) {
      slices.emplace_back(tiles, range, p.options.slices);
      of_process.push_back(&slices.back());
    }
    Slices::pass(reader, of_process, tiles, {ranges.front().first, ranges.back().end}, now);
    LinkSlices part(p.mesh, p.options.slices);
    part.pass(reader, now);
    if (!reader.ok()) return;
    links ? links->add(part) : void(links.emplace(std::move(part)));
  }

  const Machine::Parts& p;
  std::array<Entries, 2> agendas;  // of cores, of transports
  Streams streams;
  LedgerSums sums;
  std::deque<Slices> slices;
  std::optional<LinkSlices> links;
};

StatePieces::StatePieces(Machine& machine) : hidden_(std::make_unique<Hidden>(machine)) {}

StatePieces::~StatePieces() = default;

void StatePieces::end() {
  const bool was_shown = hidden_->was_shown;
  Machine::Parts& p = hidden_->parts;
  hidden_.reset();
  if (was_shown) p.show(true);
}

bool StatePieces::has_any(const Machine& machine) { return machine.parts_->strips.size() > 0; }

MessageBytes StatePieces::none() { return piece_of({}, {}); }

// ---- a process gives its pieces

// Writes what Gathered::add() reads.
void StatePieces::write_sums(StateWriter& writer) {
  Machine::Parts& p = hidden_->parts;
  StateParts& state = hidden_->of_state;
  std::vector<PeRange> ranges;
  for (const auto& strip : p.strips) ranges.push_back(strip->pes);
  writer.list(ranges, sizeof(PeRange), [&](PeRange& range) {
    writer.number(range.first);
    writer.number(range.end);
  });
  for (const bool of_cores : {true, false}) {
    state.pass_agenda(writer, of_cores, state.entries(of_cores));
  }
  p.streams.pass_share(writer);
  hidden_->books->sums().pass(writer, hidden_->books->kept(p.now));
  if (!p.links) return;
  Slices::pass(writer, hidden_->books->slices(), SliceTiles(p.mesh), p.strips.pes(), p.now);
  p.links->pass(writer, p.now);
}

MessageBytes StatePieces::piece(const Request& request) {
  Machine::Parts& p = hidden_->parts;
  if (request.part == Part::Sums) {
    if (sums_.empty()) {
      StateWriter writer;
      write_sums(writer);
      sums_ = std::move(writer.written());
    }
    const std::uint64_t from = std::min<std::uint64_t>(request.from, sums_.size());
    const std::uint64_t end = std::min<std::uint64_t>(from + kPieceBytes, sums_.size());
    return piece_of({end, end == sums_.size()}, std::span(sums_).subspan(from, end - from));
  }
  const PeRange own = p.strips.pes();
  StateWriter writer;
  auto pe = static_cast<PeId>(std::clamp<std::uint64_t>(request.from, own.first, own.end));
  while (pe < own.end && writer.written().size() < kPieceBytes) {
    const PeId end = pe + std::min<PeId>(own.end - pe, 64);
    const PeRange some{pe, end};
    switch (request.part) {
      case Part::Cores: hidden_->of_state.pass_cores(writer, some); break;
      case Part::Transport: hidden_->of_state.pass_transport(writer, some); break;
      case Part::Activities: hidden_->books->pass_activities(writer, some, p.now); break;
      default: hidden_->books->pass_lines(writer, some); break;
    }
    pe = end;
  }
  return piece_of({pe, pe == own.end}, writer.written());
}

// ---- the first one writes all

std::optional<MessageBytes> StatePieces::fetched(std::uint32_t process, const Request& request) {
  broken_process_ = process;
  return process == 0 ? piece(request) : fetch_(process, request);
}

bool StatePieces::write_part(StateWriter& writer, Part part) {
  for (std::uint32_t process = 0; process < processes_; ++process) {
    PieceHead head{.next = 0, .is_last = false};
    while (!head.is_last && writer.ok()) {
      const std::uint64_t from = head.next;
      const auto piece = fetched(process, {part, from});
      if (!piece) return false;
      StateReader reader(*piece);
      head.pass(reader);
      if (!reader.ok() || (!head.is_last && head.next <= from)) return false;
      writer.bytes(std::span(*piece).last(reader.left()));
    }
  }
  return true;
}

std::optional<MessageBytes> StatePieces::all_sums_of(std::uint32_t process) {
  MessageBytes all;
  PieceHead head{.next = 0, .is_last = false};
  while (!head.is_last) {
    const auto piece = fetched(process, {Part::Sums, all.size()});
    if (!piece) return std::nullopt;
    StateReader reader(*piece);
    head.pass(reader);
    if (!reader.ok() || (!head.is_last && reader.left() == 0)) return std::nullopt;
    const auto bytes = std::span(*piece).last(reader.left());
    all.insert(all.end(), bytes.begin(), bytes.end());
  }
  return all;
}

bool StatePieces::gather(Gathered& gathered) {
  const LedgerSums::Kept kept = hidden_->books->kept(hidden_->parts.now);
  gathered.streams.add_all_ends();
  for (std::uint32_t process = 0; process < processes_; ++process) {
    const auto sums = all_sums_of(process);
    if (!sums) return false;
    if (sums->empty()) continue;  // it has no strips
    StateReader reader(*sums);
    if (!gathered.add(reader, kept)) return false;
  }
  gathered.sums.sort(kept);
  for (auto& entries : gathered.agendas) std::ranges::sort(entries);
  return true;
}

bool StatePieces::write(StateWriter& writer, std::uint32_t processes, const Fetch& fetch) {
  processes_ = processes;
  fetch_ = fetch;
  Machine::Parts& p = hidden_->parts;
  StateParts& state = hidden_->of_state;
  state.pass_clock(writer);
  if (!write_part(writer, Part::Cores) || !write_part(writer, Part::Transport)) return false;
  Gathered all(p, Streams(p.image));
  if (!gather(all)) return false;
  state.pass_agenda(writer, true, std::move(all.agendas[0]));
  state.pass_agenda(writer, false, std::move(all.agendas[1]));
  all.streams.pass(writer);
  if (!write_part(writer, Part::Activities) || !write_part(writer, Part::Lines)) return false;
  all.sums.pass(writer, hidden_->books->kept(p.now));
  if (p.links) {
    std::vector<Slices*> slices;
    for (Slices& of_strip : all.slices) slices.push_back(&of_strip);
    Slices::pass(writer, slices, SliceTiles(p.mesh), {0, p.mesh.pes()}, p.now);
    all.links->pass(writer, p.now);
  }
  p.tracer.pass(writer, p.now);
  return true;
}

}  // namespace wse::vm
