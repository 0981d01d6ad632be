// Each strip has a part of every book.
#include "vm/run/books.h"

#include <algorithm>

#include "vm/run/parts.h"

namespace wse::vm {

Books::Books(const Machine& machine) : machine_(machine) {
  const Machine::Parts& p = *machine.parts_;
  for (const auto& strip : p.strips) strips_.push_back(&*strip);
  if (!p.is_shared()) return;
  const std::span<const PeId> own = p.own_placed();
  placed_.emplace(own.begin(), own.end());
}

std::vector<LineTable> Books::line_tables() const {
  const Machine::Parts& p = *machine_.parts_;
  std::vector<LineTable> tables;
  if (!p.lines) return tables;
  for (std::uint32_t program = 0; program < p.lines->programs(); ++program) {
    LineTable& table = tables.emplace_back(p.lines->empty_table(program));
    for (Strip* const strip : strips_) strip->ledger.lines()->add_to(table);
  }
  return tables;
}

Scene Books::scene() const { return machine_.parts_->scene(); }

std::vector<const Slices*> Books::slices_of_strips() const {
  std::vector<const Slices*> strips;
  for (Strip* const strip : strips_) {
    if (strip->ledger.slices() != nullptr) strips.push_back(strip->ledger.slices());
  }
  return strips;
}

Slices::Machine Books::sliced_machine(const SliceTiles& tiles) const {
  const Machine::Parts& p = *machine_.parts_;
  return {tiles, placed_ ? *placed_ : p.loaded.placed(), p.cycles, p.links->shift()};
}

std::optional<SliceFrame> Books::slice_frame() const {
  const std::vector<const Slices*> strips = slices_of_strips();
  if (strips.empty()) return std::nullopt;
  const SliceTiles tiles(machine_.parts_->mesh);
  return Slices::frame(strips, sliced_machine(tiles));
}

std::vector<std::uint64_t> Books::slices_of(const SliceFrame& frame, Activity activity) const {
  const SliceTiles tiles(machine_.parts_->mesh);
  return Slices::cycles_of(activity, frame, slices_of_strips(), sliced_machine(tiles));
}

std::vector<std::uint64_t> Books::link_sums(const SliceFrame& frame) const {
  Machine::Parts& p = *machine_.parts_;
  return p.links->sums_at_end(frame, [this](Cycle now, LinkSums& sums) {
    for (Strip* const strip : strips_) strip->transport->counts().read_links(now, sums);
  });
}

std::vector<std::uint64_t> Books::links_of(const SliceFrame& frame, std::uint32_t port,
                                           const std::vector<std::uint64_t>& sums) const {
  return machine_.parts_->links->of_port(port, frame, sums);
}

std::size_t Books::unfinished() const {
  const Scene now = scene();
  return static_cast<std::size_t>(std::ranges::count_if(
      now.loaded.placed(), [&](PeId pe) { return !now.cores.is_done(pe, now.now); }));
}

Causes* Books::causes() const {
  Machine::Parts& p = *machine_.parts_;
  return p.causes ? &*p.causes : nullptr;
}

isa::SourceLine Books::line_of(PeId pe, std::uint32_t pc) const {
  return machine_.parts_->loaded.program_at(pe)->program->line_of(pc);
}

std::optional<SliceTable> Books::slices() const {
  const std::vector<const Slices*> strips = slices_of_strips();
  if (strips.empty()) return std::nullopt;
  const SliceTiles tiles(machine_.parts_->mesh);
  SliceTable table = Slices::table(strips, sliced_machine(tiles));
  const std::vector<std::uint64_t> sums = link_sums(table);
  for (std::uint32_t port = 0; port < machine_.parts_->mesh.links(); ++port) {
    const auto more = links_of(table, port, sums);
    table.links.insert(table.links.end(), more.begin(), more.end());
  }
  return table;
}

}  // namespace wse::vm
