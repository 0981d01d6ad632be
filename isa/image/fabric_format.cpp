// What a .wsb file says about routers: routes, filters, streams, and what programs write. Each
// read_x is below its write and takes the members in the same order.
#include "isa/image/image_parts.h"

namespace wse::isa::wsb {
namespace {

void write(ByteWriter& out, const Routing& r) {
  out.list(r.positions, [](ByteWriter& o, const SwitchPosition& position) {
    o.u8(static_cast<std::uint8_t>(position.rx));
    o.u32(position.tx);
  });
  out.u8(r.ring ? 1 : 0);
  out.u8(static_cast<std::uint8_t>(r.pop));
}
Routing read_routing(ByteReader& in) {
  Routing r;
  r.positions = in.list<SwitchPosition>(5, [](ByteReader& i) {
    const Port rx = i.enumerator<Port>(kPorts);
    return SwitchPosition{rx, i.u32()};
  });
  r.ring = in.enumerator<unsigned char>(2) != 0;
  r.pop = in.enumerator<PopMode>(kPopModes);
  return r;
}

void write(ByteWriter& out, const FilterShape& shape) {
  out.u8(static_cast<std::uint8_t>(shape.kind));
  out.u8(static_cast<std::uint8_t>(shape.counts));
  out.u8(shape.control_filtered ? 1 : 0);
}
FilterShape read_shape(ByteReader& in) {
  const auto kind = in.enumerator<FilterKind>(kFilterKinds);
  const auto counts = in.enumerator<FilterCounts>(kFilterCounts);
  return {kind, counts, in.enumerator<unsigned char>(2) != 0};
}

}  // namespace

void write(ByteWriter& out, const NamedRouting& r) {
  out.text(r.name);
  write(out, r.routing);
}
NamedRouting read_named_routing(ByteReader& in) {
  std::string name = in.text();
  return {std::move(name), read_routing(in)};
}

void write(ByteWriter& out, const NamedFilter& f) {
  out.text(f.name);
  write(out, f.shape);
  out.list(f.values, kWritePart);
}
NamedFilter read_named_filter(ByteReader& in) {
  std::string name = in.text();
  const FilterShape shape = read_shape(in);
  return {std::move(name), shape, in.list<SlotValue>(5, read_slot_value)};
}

void write(ByteWriter& out, const Route& r) {
  out.u32(r.colour);
  write(out, r.rect);
  write(out, r.routing);
  out.u8(static_cast<std::uint8_t>((r.torn_down ? 1 : 0) | r.start << 1));
  write(out, r.where);
}
Route read_route(ByteReader& in) {
  Route r;
  r.colour = in.u32();
  r.rect = read_rect(in);
  r.routing = read_routing(in);
  const auto at_start = in.enumerator<unsigned char>(2 * kMaxPositions);
  r.torn_down = (at_start & 1) != 0;
  r.start = at_start >> 1;
  r.where = read_line(in);
  return r;
}

void write(ByteWriter& out, const Filter& f) {
  out.u32(f.colour);
  write(out, f.rect);
  write(out, f.shape);
  out.list(f.values, kWritePart);
  write(out, f.where);
}
Filter read_filter(ByteReader& in) {
  Filter f;
  f.colour = in.u32();
  f.rect = read_rect(in);
  f.shape = read_shape(in);
  f.values = in.list<Formula>(4, read_formula);
  f.where = read_line(in);
  return f;
}

void write(ByteWriter& out, const Stream& s) {
  out.text(s.name);
  out.u8(static_cast<std::uint8_t>(s.type));
  out.u8(static_cast<std::uint8_t>((s.is_array ? 1 : 0) | (s.enters ? 2 : 0)));
  out.u32(s.count);
  write(out, s.rect);
  out.u8(static_cast<std::uint8_t>(s.side));
  out.u32(s.colour);
  write(out, s.where);
}
Stream read_stream(ByteReader& in) {
  Stream s;
  s.name = in.text();
  s.type = read_type(in);
  const auto flags = in.enumerator<std::uint8_t>(4);
  s.is_array = (flags & 1) != 0;
  s.enters = (flags & 2) != 0;
  s.count = in.u32();
  s.rect = read_rect(in);
  s.side = in.enumerator<Port>(kPorts);
  s.colour = in.u32();
  s.where = read_line(in);
  return s;
}

}  // namespace wse::isa::wsb
