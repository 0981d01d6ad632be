// A program of a .wsb file: code, pools, data, tasks, texts and lines.
#include "isa/image/image_parts.h"

namespace wse::isa::wsb {

template <class Archive>
void pass(Archive& archive, Of<Archive, DescriptorLiteral::Inner>& dimension) {
  pass(archive, dimension.extent);
  archive.word(dimension.stride);
}

template <class Archive>
void pass(Archive& archive, Of<Archive, FabricOptions>& options) {
  archive.bits(32 * kOnControls, options.packed, options.control, options.advance, options.indexed,
               options.endless, options.on_control);
}

template <class Archive>
void pass(Archive& archive, Of<Archive, DescriptorLiteral>& d) {
  archive.byte(d.kind, kDescriptorKinds);
  pass(archive, d.address);
  pass(archive, d.length);
  archive.word(d.stride);
  pass(archive, d.colour);
  pass(archive, d.options);
  pass(archive, d.index);
  if (d.options.tells_task()) pass(archive, d.task);
  if (d.kind == DescriptorKind::Fifo) archive.byte(d.fifo, 0xff);
  archive.flag(d.saves);
  archive.byte(d.further, kMaxDimensions);
  for (std::uint32_t k = 0; k < d.further; ++k) pass(archive, d.inner[k]);
  if (d.has_ring()) pass(archive, d.ring);
  if (d.kind == DescriptorKind::Circular) pass(archive, d.start);
}

template <class Archive>
void pass(Archive& archive, Of<Archive, std::optional<std::uint32_t>>& value) {
  bool there = value.has_value();
  archive.flag(there);
  if (there) archive.word(archive.inside(value));
}

template <class Archive>
void pass(Archive& archive, Of<Archive, Fifo>& fifo) {
  archive.text(fifo.name);
  archive.word(fifo.symbol);
  archive.word(fifo.first);
  archive.word(fifo.count);
  pass(archive, fifo.on_leaving_full);
  pass(archive, fifo.on_leaving_empty);
}

template <class Archive>
void pass(Archive& archive, Of<Archive, ListedFormula>& listed) {
  archive.word(listed.element);
  pass(archive, listed.formula);
}

inline void pass_short(PartWriter& archive, const std::uint32_t& bits) {
  archive.byte(bits & 0xff, 0x100);
  archive.byte(bits >> 8, 0x100);
}
inline void pass_short(PartReader& archive, std::uint32_t& bits) {
  std::uint32_t high = 0;
  archive.byte(bits, 0x100);
  archive.byte(high, 0x100);
  bits |= high << 8;
}

// The values of a list have the size of their type.
template <class Archive>
void pass_listed(Archive& archive, Of<Archive, Symbol>& symbol) {
  const bool is_short = symbol.type != Type::Colour && info(symbol.type).bytes == 2;
  if (is_short) {
    archive.list(symbol.values, 2,
                 [](Archive& a, Of<Archive, std::uint32_t>& bits) { pass_short(a, bits); });
  } else {
    archive.list(symbol.values, 4);
  }
  archive.list(symbol.formulas, 8);
}

template <class Archive>
void pass(Archive& archive, Of<Archive, Symbol>& symbol) {
  archive.text(symbol.name);
  pass(archive, symbol.type);
  bool has_formula = symbol.initial.has_value();
  bool is_listed = !symbol.values.empty();
  archive.bits(32, symbol.is_array, symbol.exported, has_formula, is_listed, symbol.is_view);
  archive.word(symbol.count);
  archive.word(symbol.address);
  if (has_formula) pass(archive, archive.inside(symbol.initial));
  if (is_listed) pass_listed(archive, symbol);
  archive.list(symbol.shape, 4);
  pass(archive, symbol.where);
}

template <class Archive>
void pass(Archive& archive, Of<Archive, Task>& task) {
  archive.text(task.name);
  archive.word(task.entry);
  archive.byte(task.kind, kTaskKinds);
  pass(archive, task.id);
  archive.bits(4, task.high, task.exported);
  archive.list(task.arguments, 4);
  if (task.exported) archive.list(task.argument_types, 1);
}

template <class Archive>
void pass(Archive& archive, Of<Archive, PrintPiece>& piece) {
  archive.text(piece.text);
  archive.byte(piece.kind, 4);
  pass(archive, piece.type);
  archive.word(piece.value);
}

template <class Archive>
void pass(Archive& archive, Of<Archive, PrintText>& text) {
  archive.list(text, 10);
}

template <class Archive>
void pass(Archive& archive, Of<Archive, Parameter>& parameter) {
  archive.text(parameter.name);
  pass(archive, parameter.type);
}

template <class Archive>
void pass(Archive& archive, Of<Archive, DerivedSlot>& slot) {
  pass(archive, slot.type);
  pass(archive, slot.formula);
}

template <class Archive>
void pass(Archive& archive, Of<Archive, Seed>& seed) {
  pass(archive, seed.value);
  pass(archive, seed.where);
}

template <class Archive>
void pass(Archive& archive, Of<Archive, LineEntry>& entry) {
  archive.word(entry.pc);
  pass(archive, entry.where);
}

template <class Archive>
void pass_program(Archive& archive, Of<Archive, Program>& program) {
  archive.text(program.name);
  archive.text(program.role);
  archive.list(program.parameters, 5);
  archive.list(program.derived, 5);
  archive.list(program.code, 4);
  archive.list(program.literals, 4);
  archive.list(program.descriptors, 28);
  archive.list(program.symbols, 26);
  archive.list(program.fifos, 18);
  archive.list(program.routings, 10);
  archive.list(program.filters, 11);
  archive.list(program.tasks, 19);
  archive.list(program.prints, 4);
  archive.list(program.lines, 12);
  bool has_seed = program.seed.has_value();
  archive.bits(4, program.passive, has_seed);
  if (has_seed) pass(archive, archive.inside(program.seed));
}

void pass(PartWriter& archive, const Program& program) { pass_program(archive, program); }
void pass(PartReader& archive, Program& program) { pass_program(archive, program); }

}  // namespace wse::isa::wsb
