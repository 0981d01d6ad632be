// The .wsb file: image to bytes and back.
//
//     0        8         12       20          28
//     +--------+---------+--------+-----------+-----------------
//     | magic  | version | length | checksum  | payload ...
//     +--------+---------+--------+-----------+-----------------
//
// Each read_x is below its write_x and takes the members in the same order. Nothing read here
// is trusted: ByteReader bounds every access and verify() judges the whole.
#include <fmt/format.h>

#include <algorithm>

#include "isa/image/image_parts.h"
#include "isa/support/bytes.h"
#include "isa/support/hash.h"

namespace wse::isa {
namespace wsb {

constexpr std::string_view kMagic = "wsevm\r\n\x1a";
constexpr std::size_t kHeaderBytes = 28;

constexpr auto kFormulaOps = static_cast<unsigned>(FormulaOp::SquareRoot) + 1;

void write(ByteWriter& out, const std::string& text) { out.text(text); }
std::string read_text(ByteReader& in) { return in.text(); }

void write(ByteWriter& out, const SourceLine& where) {
  out.u32(where.file);
  out.u32(where.line);
}
SourceLine read_line(ByteReader& in) {
  const std::uint32_t file = in.u32();
  return {file, in.u32()};
}

void write(ByteWriter& out, const StridedRect& rect) {
  for (const StridedRange& range : {rect.x, rect.y}) {
    out.u32(static_cast<std::uint32_t>(range.first));
    out.u32(static_cast<std::uint32_t>(range.last));
    out.u32(static_cast<std::uint32_t>(range.step));
  }
}
StridedRange read_range(ByteReader& in) {
  const auto first = static_cast<std::int32_t>(in.u32());
  const auto last = static_cast<std::int32_t>(in.u32());
  return {first, last, static_cast<std::int32_t>(in.u32())};
}
StridedRect read_rect(ByteReader& in) {
  const StridedRange x = read_range(in);
  return {x, read_range(in)};
}

void write(ByteWriter& out, const Number& number) {
  out.u8(number.is_float ? 1 : 0);
  if (number.is_float) {
    out.f64(number.real);
  } else {
    out.u64(static_cast<std::uint64_t>(number.integer));
  }
}
Number read_number(ByteReader& in) {
  if (in.enumerator<unsigned char>(2) != 0) return Number::of(in.f64());
  return Number::of(static_cast<std::int64_t>(in.u64()));
}

void write(ByteWriter& out, const Formula& formula) {
  out.list(formula.nodes, [](ByteWriter& o, const FormulaNode& node) {
    o.u8(static_cast<std::uint8_t>(node.op));
    const OperatorInfo* op = operator_info(node.op);
    for (unsigned k = 0; op != nullptr && k < op->operands; ++k) o.u32(node.operand[k]);
    if (node.op == FormulaOp::Constant) write(o, node.constant);
    if (node.op == FormulaOp::Parameter || node.op == FormulaOp::Global) o.u32(node.index);
  });
}
Formula read_formula(ByteReader& in) {
  return {in.list<FormulaNode>(1, [](ByteReader& i) {
    FormulaNode node;
    node.op = i.enumerator<FormulaOp>(kFormulaOps);
    const OperatorInfo* op = operator_info(node.op);
    for (unsigned k = 0; op != nullptr && k < op->operands; ++k) node.operand[k] = i.u32();
    if (node.op == FormulaOp::Constant) node.constant = read_number(i);
    if (node.op == FormulaOp::Parameter || node.op == FormulaOp::Global) node.index = i.u32();
    return node;
  })};
}

Type read_type(ByteReader& in) { return in.enumerator<Type>(kTypeCount); }

void write(ByteWriter& out, const SlotValue& value) {
  out.u8(value.is_slot ? 1 : 0);
  out.u32(value.value);
}
SlotValue read_slot_value(ByteReader& in) {
  const bool is_slot = in.enumerator<unsigned char>(2) != 0;
  return {is_slot, in.u32()};
}

void write(ByteWriter& out, const Placement& placement);
void write(ByteWriter& out, const Expectation& expectation);

constexpr auto kWrite = [](ByteWriter& out, const auto& item) { write(out, item); };

void write(ByteWriter& out, const Placement& p) {
  out.u32(p.program);
  write(out, p.rect);
  out.list(p.arguments, kWrite);
  write(out, p.where);
}
Placement read_placement(ByteReader& in) {
  Placement p;
  p.program = in.u32();
  p.rect = read_rect(in);
  p.arguments = in.list<Formula>(4, read_formula);
  p.where = read_line(in);
  return p;
}

void write(ByteWriter& out, const Expectation& e) {
  out.u8(static_cast<std::uint8_t>(e.subject));
  out.text(e.symbol);
  out.u32(e.first);
  out.u32(e.count);
  write(out, e.rect);
  write(out, e.value);
  out.f64(e.within);
  out.text(e.profile);
  write(out, e.where);
}
Expectation read_expectation(ByteReader& in) {
  Expectation e;
  e.subject = in.enumerator<Expectation::Subject>(2);
  e.symbol = in.text();
  e.first = in.u32();
  e.count = in.u32();
  e.rect = read_rect(in);
  e.value = read_formula(in);
  e.within = in.f64();
  e.profile = in.text();
  e.where = read_line(in);
  return e;
}

void write(ByteWriter& out, const Image& image) {
  out.u32(image.width);
  out.u32(image.height);
  out.u32(image.hypercube_dimensions);
  out.list(image.colours, kWrite);
  out.list(image.parameters, [](ByteWriter& o, const GlobalParameter& parameter) {
    o.text(parameter.name);
    o.u8(static_cast<std::uint8_t>(parameter.type));
    write(o, parameter.value);
  });
  out.list(image.programs, kWrite);
  out.list(image.placements, kWrite);
  out.list(image.routes, kWrite);
  out.list(image.filters, kWrite);
  out.list(image.streams, kWrite);
  out.list(image.expectations, kWrite);
  out.list(image.marks, kWrite);
  out.list(image.sources, kWrite);
}
Image read_payload(ByteReader& in) {
  Image image;
  image.width = in.u32();
  image.height = in.u32();
  image.hypercube_dimensions = in.u32();
  image.colours = in.list<std::string>(4, read_text);
  image.parameters = in.list<GlobalParameter>(13, [](ByteReader& i) {
    GlobalParameter parameter;
    parameter.name = i.text();
    parameter.type = read_type(i);
    parameter.value = read_number(i);
    return parameter;
  });
  image.programs = in.list<Program>(40, read_program);
  image.placements = in.list<Placement>(40, read_placement);
  image.routes = in.list<Route>(40, read_route);
  image.filters = in.list<Filter>(40, read_filter);
  image.streams = in.list<Stream>(40, read_stream);
  image.expectations = in.list<Expectation>(60, read_expectation);
  image.marks = in.list<std::string>(4, read_text);
  image.sources = in.list<std::string>(4, read_text);
  return image;
}

}  // namespace wsb

using namespace wsb;

std::vector<std::byte> write_image(const Image& image) {
  ByteWriter payload;
  write(payload, image);
  ByteWriter out;
  for (const char c : kMagic) out.u8(static_cast<std::uint8_t>(c));
  out.u32(kImageVersion);
  out.u64(payload.bytes().size());
  out.u64(hash_bytes(payload.bytes()));
  std::vector<std::byte> bytes = out.bytes();
  bytes.insert(bytes.end(), payload.bytes().begin(), payload.bytes().end());
  return bytes;
}

bool is_image(std::span<const std::byte> bytes) {
  return bytes.size() >= kMagic.size() &&
         std::ranges::equal(bytes.first(kMagic.size()), kMagic,
                            [](std::byte b, char c) { return b == static_cast<std::byte>(c); });
}

Result<Image> read_image(std::span<const std::byte> bytes) {
  if (!is_image(bytes)) {
    return fail("not a wsevm image (.wsb): it does not begin with the magic bytes");
  }
  if (bytes.size() < kHeaderBytes) return fail("the image is truncated inside its header");
  ByteReader header(bytes.subspan(kMagic.size(), kHeaderBytes - kMagic.size()));
  const std::uint32_t version = header.u32();
  if (version != kImageVersion) {
    return fail(
        fmt::format("the image has format version {}, this wsevm reads version {}; "
                    "assemble its source again",
                    version, kImageVersion));
  }
  const std::uint64_t length = header.u64();
  const std::span<const std::byte> payload = bytes.subspan(kHeaderBytes);
  if (length != payload.size()) {
    return fail(fmt::format("the image says it has {} bytes after its header, the file has {}",
                            length, payload.size()));
  }
  if (header.u64() != hash_bytes(payload)) {
    return fail("the image is damaged: its checksum does not match its content");
  }
  ByteReader in(payload);
  Image image = read_payload(in);
  if (in.failed() || in.left() != 0) return fail("the image is malformed");
  if (Status status = verify(image); !status) return std::unexpected(status.error());
  return image;
}

}  // namespace wse::isa
