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

std::vector<const Slices*> Books::slices_of_strips() const {
  std::vector<const Slices*> strips;
  for (const auto& strip : machine_.parts_->strips) {
    if (strip->ledger.slices() != nullptr) strips.push_back(strip->ledger.slices());
  }
  return strips;
}

std::optional<SliceFrame> Books::slice_frame() const {
  const Machine::Parts& p = *machine_.parts_;
  const std::vector<const Slices*> strips = slices_of_strips();
  if (strips.empty()) return std::nullopt;
  return Slices::frame(strips, SliceTiles(p.mesh), p.cycles);
}

std::vector<std::uint64_t> Books::slices_of(const SliceFrame& frame, Activity activity) const {
  const Machine::Parts& p = *machine_.parts_;
  return Slices::cycles_of(activity, frame, slices_of_strips(), SliceTiles(p.mesh),
                           p.loaded.placed());
}

std::optional<SliceTable> Books::slices() const {
  const Machine::Parts& p = *machine_.parts_;
  const std::vector<const Slices*> strips = slices_of_strips();
  if (strips.empty()) return std::nullopt;
  return Slices::table(strips, SliceTiles(p.mesh), p.loaded.placed(), p.cycles);
}

}  // namespace wse::vm
