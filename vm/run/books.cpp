// Each strip has a part of every book.
#include "vm/run/books.h"

#include "vm/run/parts.h"

namespace wse::vm {

std::vector<LineTable> Books::line_tables() const {
  const Machine::Parts& p = *machine_.parts_;
  std::vector<LineTable> tables;
  if (!p.lines) return tables;
  for (std::uint32_t program = 0; program < p.lines->programs(); ++program) {
    LineTable& table = tables.emplace_back(p.lines->empty_table(program));
    for (const auto& strip : p.strips) strip->ledger.lines()->add_to(table);
  }
  return tables;
}

Scene Books::scene() const { return machine_.parts_->scene(); }

std::optional<SliceTable> Books::slices() const {
  const Machine::Parts& p = *machine_.parts_;
  std::vector<const Slices*> strips;
  for (const auto& strip : p.strips) {
    if (strip->ledger.slices() == nullptr) return std::nullopt;
    strips.push_back(strip->ledger.slices());
  }
  const SliceTiles tiles(p.mesh);
  SliceTable table = Slices::table(strips, {tiles, p.loaded.placed(), p.cycles, p.links->shift()});
  p.links->add_to(table, [&p](Cycle now, LinkReader& reader) {
    for (const auto& strip : p.strips) strip->transport->counts().read_links(now, reader);
  });
  return table;
}

}  // namespace wse::vm
