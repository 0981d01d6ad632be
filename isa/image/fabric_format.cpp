// The routers in a .wsb file: routes, filters, streams, and what programs write.
#include "isa/image/image_parts.h"

namespace wse::isa::wsb {

template <class Archive>
void pass(Archive& archive, Of<Archive, SwitchPosition>& position) {
  archive.byte(position.rx, kPorts);
  archive.word(position.tx);
}

template <class Archive>
void pass(Archive& archive, Of<Archive, Routing>& routing) {
  archive.list(routing.positions, 5);
  archive.flag(routing.ring);
  archive.byte(routing.pop, kPopModes);
}

template <class Archive>
void pass(Archive& archive, Of<Archive, FilterShape>& shape) {
  archive.byte(shape.kind, kFilterKinds);
  archive.byte(shape.counts, kFilterCounts);
  archive.flag(shape.control_filtered);
}

template <class Archive>
void pass_named(Archive& archive, Of<Archive, NamedRouting>& named) {
  archive.text(named.name);
  pass(archive, named.routing);
}

template <class Archive>
void pass_named(Archive& archive, Of<Archive, NamedFilter>& named) {
  archive.text(named.name);
  pass(archive, named.shape);
  archive.list(named.values, 5);
}

template <class Archive>
void pass_route(Archive& archive, Of<Archive, Route>& route) {
  archive.word(route.colour);
  pass(archive, route.rect);
  pass(archive, route.routing);
  archive.bits(2 * kMaxPositions, route.torn_down, route.start);
  pass(archive, route.where);
}

template <class Archive>
void pass_filter(Archive& archive, Of<Archive, Filter>& filter) {
  archive.word(filter.colour);
  pass(archive, filter.rect);
  pass(archive, filter.shape);
  archive.list(filter.values, 4);
  pass(archive, filter.where);
}

template <class Archive>
void pass_stream(Archive& archive, Of<Archive, Stream>& stream) {
  archive.text(stream.name);
  pass(archive, stream.type);
  archive.bits(4, stream.is_array, stream.enters);
  archive.word(stream.count);
  pass(archive, stream.rect);
  archive.byte(stream.side, kPorts);
  archive.word(stream.colour);
  pass(archive, stream.where);
}

void pass(PartWriter& archive, const NamedRouting& routing) { pass_named(archive, routing); }
void pass(PartReader& archive, NamedRouting& routing) { pass_named(archive, routing); }
void pass(PartWriter& archive, const NamedFilter& filter) { pass_named(archive, filter); }
void pass(PartReader& archive, NamedFilter& filter) { pass_named(archive, filter); }
void pass(PartWriter& archive, const Route& route) { pass_route(archive, route); }
void pass(PartReader& archive, Route& route) { pass_route(archive, route); }
void pass(PartWriter& archive, const Filter& filter) { pass_filter(archive, filter); }
void pass(PartReader& archive, Filter& filter) { pass_filter(archive, filter); }
void pass(PartWriter& archive, const Stream& stream) { pass_stream(archive, stream); }
void pass(PartReader& archive, Stream& stream) { pass_stream(archive, stream); }

}  // namespace wse::isa::wsb
