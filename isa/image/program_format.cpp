// A program of a .wsb file: code, pools, data, tasks, texts and lines.
#include "isa/image/image_parts.h"

namespace wse::isa::wsb {

void write(ByteWriter& out, std::uint32_t word) { out.u32(word); }
std::uint32_t read_word(ByteReader& in) { return in.u32(); }

void write(ByteWriter& out, const DescriptorLiteral& d) {
  out.u8(static_cast<std::uint8_t>(d.kind));
  write(out, d.address);
  write(out, d.length);
  out.u32(static_cast<std::uint32_t>(d.stride));
  write(out, d.colour);
  out.u8(static_cast<std::uint8_t>((d.options.packed ? 1 : 0) | (d.options.control ? 2 : 0) |
                                   (d.options.advance ? 4 : 0) | (d.options.indexed ? 8 : 0) |
                                   static_cast<unsigned>(d.options.on_control) << 4));
  write(out, d.index);
  if (d.options.tells_task()) write(out, d.task);
  if (d.kind == DescriptorKind::Fifo) out.u8(static_cast<std::uint8_t>(d.fifo));
  out.u8(d.saves ? 1 : 0);
  out.u8(static_cast<std::uint8_t>(d.further));
  for (std::uint32_t k = 0; k < d.further; ++k) {
    write(out, d.inner[k].extent);
    out.u32(static_cast<std::uint32_t>(d.inner[k].stride));
  }
  if (d.has_ring()) write(out, d.ring);
  if (d.kind == DescriptorKind::Circular) write(out, d.start);
}
DescriptorLiteral read_descriptor(ByteReader& in) {
  DescriptorLiteral d;
  d.kind = in.enumerator<DescriptorKind>(kDescriptorKinds);
  d.address = read_slot_value(in);
  d.length = read_slot_value(in);
  d.stride = static_cast<std::int32_t>(in.u32());
  d.colour = read_slot_value(in);
  const auto options = in.enumerator<std::uint8_t>(16 * kOnControls);
  d.options = {.packed = (options & 1) != 0,
               .control = (options & 2) != 0,
               .advance = (options & 4) != 0,
               .indexed = (options & 8) != 0,
               .on_control = static_cast<OnControl>(options >> 4)};
  d.index = read_slot_value(in);
  if (d.options.tells_task()) d.task = read_slot_value(in);
  if (d.kind == DescriptorKind::Fifo) d.fifo = in.enumerator<std::uint8_t>(0xff);
  d.saves = in.enumerator<unsigned char>(2) != 0;
  d.further = in.enumerator<unsigned char>(kMaxDimensions);
  for (std::uint32_t k = 0; k < d.further; ++k) {
    d.inner[k].extent = read_slot_value(in);
    d.inner[k].stride = static_cast<std::int32_t>(in.u32());
  }
  if (d.has_ring()) d.ring = read_slot_value(in);
  if (d.kind == DescriptorKind::Circular) d.start = read_slot_value(in);
  return d;
}

void write(ByteWriter& out, const std::optional<std::uint32_t>& value) {
  out.u8(value ? 1 : 0);
  if (value) out.u32(*value);
}
std::optional<std::uint32_t> read_optional(ByteReader& in) {
  if (in.enumerator<unsigned char>(2) == 0) return std::nullopt;
  return in.u32();
}

void write(ByteWriter& out, const Fifo& fifo) {
  out.text(fifo.name);
  out.u32(fifo.symbol);
  out.u32(fifo.first);
  out.u32(fifo.count);
  write(out, fifo.on_leaving_full);
  write(out, fifo.on_leaving_empty);
}
Fifo read_fifo(ByteReader& in) {
  Fifo fifo;
  fifo.name = in.text();
  fifo.symbol = in.u32();
  fifo.first = in.u32();
  fifo.count = in.u32();
  fifo.on_leaving_full = read_optional(in);
  fifo.on_leaving_empty = read_optional(in);
  return fifo;
}

// The values of a list have the size of their type.
void write_listed(ByteWriter& out, const Symbol& s) {
  const bool is_short = info(s.type).bytes == 2;
  out.list(s.values, [is_short](ByteWriter& o, std::uint32_t bits) {
    o.u8(static_cast<std::uint8_t>(bits));
    o.u8(static_cast<std::uint8_t>(bits >> 8));
    if (is_short) return;
    o.u8(static_cast<std::uint8_t>(bits >> 16));
    o.u8(static_cast<std::uint8_t>(bits >> 24));
  });
  out.list(s.formulas, [](ByteWriter& o, const ListedFormula& listed) {
    o.u32(listed.element);
    write(o, listed.formula);
  });
}
void read_listed(ByteReader& in, Symbol& s) {
  const bool is_short = s.type != Type::Colour && info(s.type).bytes == 2;
  s.values = in.list<std::uint32_t>(is_short ? 2 : 4, [is_short](ByteReader& i) {
    if (!is_short) return i.u32();
    const std::uint32_t low = i.u8();
    return low | std::uint32_t{i.u8()} << 8;
  });
  s.formulas = in.list<ListedFormula>(8, [](ByteReader& i) {
    const std::uint32_t element = i.u32();
    return ListedFormula{element, read_formula(i)};
  });
}

void write(ByteWriter& out, const Symbol& s) {
  out.text(s.name);
  out.u8(static_cast<std::uint8_t>(s.type));
  out.u8(static_cast<std::uint8_t>((s.is_array ? 1 : 0) | (s.exported ? 2 : 0) |
                                   (s.initial ? 4 : 0) | (s.values.empty() ? 0 : 8) |
                                   (s.is_view ? 16 : 0)));
  out.u32(s.count);
  out.u32(s.address);
  if (s.initial) write(out, *s.initial);
  if (!s.values.empty()) write_listed(out, s);
  out.list(s.shape, [](ByteWriter& o, std::uint32_t extent) { o.u32(extent); });
  write(out, s.where);
}
Symbol read_symbol(ByteReader& in) {
  Symbol s;
  s.name = in.text();
  s.type = read_type(in);
  const auto flags = in.enumerator<std::uint8_t>(32);
  s.is_array = (flags & 1) != 0;
  s.exported = (flags & 2) != 0;
  s.is_view = (flags & 16) != 0;
  s.count = in.u32();
  s.address = in.u32();
  if ((flags & 4) != 0) s.initial = read_formula(in);
  if ((flags & 8) != 0) read_listed(in, s);
  s.shape = in.list<std::uint32_t>(4, read_word);
  s.where = read_line(in);
  return s;
}

void write(ByteWriter& out, const Task& task) {
  out.text(task.name);
  out.u32(task.entry);
  out.u8(static_cast<std::uint8_t>(task.kind));
  write(out, task.id);
  out.u8(task.high ? 1 : 0);
  out.list(task.arguments, [](ByteWriter& o, std::uint32_t number) { o.u32(number); });
}
Task read_task(ByteReader& in) {
  Task task;
  task.name = in.text();
  task.entry = in.u32();
  task.kind = in.enumerator<TaskKind>(kTaskKinds);
  task.id = read_slot_value(in);
  task.high = in.enumerator<unsigned char>(2) != 0;
  task.arguments = in.list<std::uint32_t>(4, read_word);
  return task;
}

void write(ByteWriter& out, const PrintPiece& piece) {
  out.text(piece.text);
  out.u8(static_cast<std::uint8_t>(piece.kind));
  out.u8(static_cast<std::uint8_t>(piece.type));
  out.u32(piece.value);
}
PrintPiece read_print_piece(ByteReader& in) {
  PrintPiece piece;
  piece.text = in.text();
  piece.kind = in.enumerator<PrintPiece::Kind>(4);
  piece.type = read_type(in);
  piece.value = in.u32();
  return piece;
}

constexpr auto kWrite = [](ByteWriter& out, const auto& item) { write(out, item); };

void write(ByteWriter& out, const Program& p) {
  out.text(p.name);
  out.list(p.parameters, [](ByteWriter& o, const Parameter& parameter) {
    o.text(parameter.name);
    o.u8(static_cast<std::uint8_t>(parameter.type));
  });
  out.list(p.derived, [](ByteWriter& o, const DerivedSlot& slot) {
    o.u8(static_cast<std::uint8_t>(slot.type));
    write(o, slot.formula);
  });
  out.list(p.code, kWrite);
  out.list(p.literals, kWrite);
  out.list(p.descriptors, kWrite);
  out.list(p.symbols, kWrite);
  out.list(p.fifos, kWrite);
  out.list(p.routings, kWrite);
  out.list(p.filters, kWrite);
  out.list(p.tasks, kWrite);
  out.list(p.prints, [](ByteWriter& o, const PrintText& text) { o.list(text, kWrite); });
  out.list(p.lines, [](ByteWriter& o, const LineEntry& entry) {
    o.u32(entry.pc);
    write(o, entry.where);
  });
  out.u8(p.passive ? 1 : 0);
}
Program read_program(ByteReader& in) {
  Program p;
  p.name = in.text();
  p.parameters = in.list<Parameter>(5, [](ByteReader& i) {
    std::string name = i.text();
    return Parameter{std::move(name), read_type(i)};
  });
  p.derived = in.list<DerivedSlot>(5, [](ByteReader& i) {
    const Type type = read_type(i);
    return DerivedSlot{type, read_formula(i)};
  });
  p.code = in.list<std::uint32_t>(4, read_word);
  p.literals = in.list<std::uint32_t>(4, read_word);
  p.descriptors = in.list<DescriptorLiteral>(28, read_descriptor);
  p.symbols = in.list<Symbol>(26, read_symbol);
  p.fifos = in.list<Fifo>(18, read_fifo);
  p.routings = in.list<NamedRouting>(10, read_named_routing);
  p.filters = in.list<NamedFilter>(11, read_named_filter);
  p.tasks = in.list<Task>(19, read_task);
  p.prints =
      in.list<PrintText>(4, [](ByteReader& i) { return i.list<PrintPiece>(10, read_print_piece); });
  p.lines = in.list<LineEntry>(12, [](ByteReader& i) {
    const std::uint32_t pc = i.u32();
    return LineEntry{pc, read_line(i)};
  });
  p.passive = in.enumerator<unsigned char>(2) != 0;
  return p;
}

}  // namespace wse::isa::wsb
