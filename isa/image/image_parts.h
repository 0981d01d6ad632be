// The parts of a .wsb file that more than one of its files writes and reads: image_format.cpp,
// program_format.cpp and fabric_format.cpp. Nobody else includes this.
#pragma once

#include "isa/image/image.h"
#include "isa/support/bytes.h"

namespace wse::isa::wsb {

// ---- image_format.cpp
void write(ByteWriter& out, const SourceLine& where);
void write(ByteWriter& out, const StridedRect& rect);
void write(ByteWriter& out, const Formula& formula);
void write(ByteWriter& out, const SlotValue& value);
SourceLine read_line(ByteReader& in);
StridedRect read_rect(ByteReader& in);
Formula read_formula(ByteReader& in);
Type read_type(ByteReader& in);
SlotValue read_slot_value(ByteReader& in);
inline constexpr auto kWritePart = [](ByteWriter& out, const auto& part) { write(out, part); };

// ---- program_format.cpp
void write(ByteWriter& out, const Program& program);
Program read_program(ByteReader& in);

// ---- fabric_format.cpp
void write(ByteWriter& out, const Route& route);
void write(ByteWriter& out, const Filter& filter);
void write(ByteWriter& out, const Stream& stream);
void write(ByteWriter& out, const NamedRouting& routing);
void write(ByteWriter& out, const NamedFilter& filter);
Route read_route(ByteReader& in);
Filter read_filter(ByteReader& in);
Stream read_stream(ByteReader& in);
NamedRouting read_named_routing(ByteReader& in);
NamedFilter read_named_filter(ByteReader& in);

}  // namespace wse::isa::wsb
