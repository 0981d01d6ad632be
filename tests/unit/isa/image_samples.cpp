// Builds the rich image piece by piece.
#include "tests/unit/isa/image_samples.h"

#include <algorithm>

#include "isa/instruction/codec.h"
#include "isa/support/bytes.h"
#include "isa/support/hash.h"

namespace wse::isa {
namespace {

Formula number(std::int64_t value) { return Formula::of(Number::of(value)); }

Formula variable(FormulaOp op, std::uint32_t index = 0) {
  Formula formula;
  formula.nodes.resize(1);
  formula.nodes[0].op = op;
  formula.nodes[0].index = index;
  return formula;
}

// `op` of a variable and an integer.
Formula with_number(FormulaOp op, FormulaOp left, std::int64_t value, std::uint32_t index = 0) {
  Formula formula = variable(left, index);
  formula.nodes.push_back(number(value).nodes[0]);
  FormulaNode root;
  root.op = op;
  root.operand[1] = 1;
  formula.nodes.push_back(root);
  return formula;
}

// x % 2 ? 2 : 0
Formula choice() {
  Formula formula = with_number(FormulaOp::Modulo, FormulaOp::X, 2);
  formula.nodes.push_back(number(2).nodes[0]);
  formula.nodes.push_back(number(0).nodes[0]);
  FormulaNode root;
  root.op = FormulaOp::Select;
  root.operand[0] = 2;
  root.operand[1] = 3;
  root.operand[2] = 4;
  formula.nodes.push_back(root);
  return formula;
}

// Every row of the table once, its scalar operand of every kind in turn, then halt.
void add_code(Program& program) {
  std::uint32_t kind = 0;
  std::uint32_t line = 10;
  for (const InstructionInfo& row : kInstructions) {
    Instruction i{.op = row.op};
    const std::string_view bits = info(row.format).bits;
    const auto has = [bits](char letter) { return bits.find(letter) != std::string_view::npos; };
    if (has('d')) i.destination = 1;
    if (has('a')) i.source_a = 2;
    if (has('b')) i.source_b = 3;
    if (has('D')) i.destination_kind = 1;
    if (has('A')) i.source_a_kind = 1;
    if (has('B')) i.source_b_kind = 2;
    const bool address = info(row.format).operands.find('@') != std::string_view::npos;
    if (has('k')) i.scalar_kind = address ? 1 : kind++ % 4;
    if (has('k') && !address) i.scalar = i.scalar_kind == 3 ? 7 : 1;
    if (has('m')) i.asynchronous = i.microthread = kind % 2;
    if (has('K')) i.colour_kind = line % 2;
    if (has('C')) i.colour = i.colour_kind != 0 ? 6 : 2;
    if (has('w') && i.asynchronous != 0) {
      i.completion = 1 + line % 2;
      i.completes_slot = line % 2;
      i.completes = i.completes_slot != 0 ? 6 : 24;
    }
    if (has('c')) i.condition = static_cast<std::uint32_t>(Condition::Less);
    program.lines.push_back({static_cast<std::uint32_t>(program.code.size()), {kind % 2, line++}});
    encode(i, program.code);
  }
  encode({.op = Op::Halt}, program.code);
}

std::vector<DescriptorLiteral> descriptors() {
  DescriptorLiteral memory;
  memory.address = {false, 8};
  memory.length = {false, 4};
  memory.stride = 2;
  DescriptorLiteral in;
  in.kind = DescriptorKind::FabricIn;
  in.colour = {true, 6};
  in.length = {true, 8};
  DescriptorLiteral out;
  out.kind = DescriptorKind::FabricOut;
  out.colour = {false, 2};
  out.length = {false, kNoLength};
  DescriptorLiteral endless;
  endless.kind = DescriptorKind::FabricIn;
  endless.colour = {false, 2};
  endless.length = {false, kNoLength};
  endless.options = {.endless = true, .on_control = OnControl::Terminate};
  return {memory, in, out, endless};
}

Program rich_program() {
  Program program;
  program.name = "rich";
  program.parameters = {
      {"count", Type::I32}, {"scale", Type::F32}, {"red", Type::Colour}, {"mask", Type::U32}};
  program.derived = {{Type::I32, with_number(FormulaOp::Add, FormulaOp::Parameter, 1)},
                     {Type::I32, with_number(FormulaOp::Multiply, FormulaOp::Global, 3, 1)}};
  program.literals = {0x3fc00000, 100'000, 0xffffffff};
  Symbol total{.name = "total", .type = Type::I32, .initial = {}, .where = {0, 3}};
  Symbol v{.name = "v",
           .type = Type::F32,
           .is_array = true,
           .exported = true,
           .count = 8,
           .address = 8,
           .initial = with_number(FormulaOp::Multiply, FormulaOp::I, 2),
           .where = {1, 4}};
  Symbol listed{.name = "listed",
                .type = Type::I16,
                .is_array = true,
                .count = 5,
                .address = 40,
                .initial = {},
                .values = {5, 0, 0xfff9},
                .formulas = {{1, with_number(FormulaOp::Add, FormulaOp::X, 1)}},
                .where = {1, 5}};
  program.symbols = {total, v, listed};
  program.descriptors = descriptors();
  using Kind = PrintPiece::Kind;
  program.prints = {{{"r1 = ", Kind::Register, Type::I32, 1},
                     {"\t\"{v}\\", Kind::Memory, Type::F32, 12},
                     {"", Kind::Slot, Type::F32, 5},
                     {"\n", Kind::None, Type::I32, 0}},
                    {}};
  program.routings = {{"turned", {{{Port::West, bit(Port::Ramp)}, {Port::West, 3}}, true}}};
  program.filters = {{"mine", {FilterKind::Range}, {{true, 4}, {false, 9}}}, {"open", {}, {}}};
  program.tasks = {{"main", 0, TaskKind::Main, {}, false, {}},
                   {"step", 2, TaskKind::Local, {false, 24}, true, {}},
                   {"take", 0, TaskKind::Data, {true, 6}, false, {3, 4}},
                   {"finish", 0, TaskKind::Control, {false, 63}, false, {5}},
                   {"rebuild", 2, TaskKind::Teardown, {false, 2}, false, {}}};
  program.passive = true;
  program.seed = {with_number(FormulaOp::Add, FormulaOp::Y, 5), {1, 7}};
  add_code(program);
  return program;
}

Program small_program() {
  Program program;
  program.name = "small";
  program.tasks = {
      {"main", 1, TaskKind::Main, {}, false, {}},
      {"other", 0, TaskKind::Local, {false, 30}, false, {7, 2}, true, {Type::F32, Type::I16}}};
  encode({.op = Op::Jump, .target = 1}, program.code);
  encode({.op = Op::Jump, .target = 0}, program.code);
  return program;
}

std::vector<Route> routes() {
  Route plain;
  plain.colour = 2;
  plain.rect = {{0, 3, 2}, {0, 1, 1}};
  plain.routing.positions = {{Port::West, bit(Port::East) | bit(Port::Ramp)}};
  plain.where = {0, 60};
  Route switched;
  switched.colour = 1;
  switched.rect = {{1, 1, 1}, {1, 1, 1}};
  switched.routing.positions = {{Port::Ramp, bit(Port::North)},
                                {Port::South, bit(Port::Ramp)},
                                {Port::East, bit(Port::West)},
                                {Port::North, 0x1f}};
  switched.routing.ring = true;
  switched.routing.pop = PopMode::OnAdvanceNop;
  return {plain, switched};
}

std::vector<Filter> filters() {
  Filter range;
  range.colour = 2;
  range.rect = {{0, 3, 1}, {0, 0, 1}};
  range.shape.kind = FilterKind::Range;
  range.values = {variable(FormulaOp::X), with_number(FormulaOp::Add, FormulaOp::X, 1)};
  range.where = {0, 62};
  Filter sparse;
  sparse.colour = 1;
  sparse.rect = {{1, 1, 1}, {1, 1, 1}};
  sparse.shape = {FilterKind::Sparse, FilterCounts::Both, true};
  sparse.values = {number(1), number(3), number(2), number(0xffff)};
  return {range, sparse};
}

std::vector<Stream> streams() {
  Stream in;
  in.name = "x_in";
  in.type = Type::F32;
  in.is_array = true;
  in.count = 7;
  in.rect = {{0, 0, 1}, {0, 1, 1}};
  in.side = Port::West;
  in.colour = 2;
  in.enters = true;
  in.where = {1, 64};
  Stream out;
  out.name = "y_out";
  out.rect = {{1, 3, 2}, {0, 0, 1}};
  out.side = Port::North;
  out.colour = 1;
  return {in, out};
}

std::vector<Expectation> expectations() {
  Expectation element;
  element.symbol = "v";
  element.first = 1;
  element.count = 3;
  element.rect = {{0, 3, 1}, {0, 1, 1}};
  element.value = with_number(FormulaOp::Add, FormulaOp::Global, 1);
  element.within = 0.5;
  element.where = {1, 70};
  Expectation cycles;
  cycles.subject = Expectation::Subject::Cycles;
  cycles.value = number(133);
  cycles.profile = "model";
  return {element, cycles};
}

}  // namespace

Image rich_image() {
  Image image;
  image.width = 4;
  image.height = 2;
  image.colours = {"red", "", "blue"};
  image.parameters = {{"gain", Type::F32, Number::of(0.25)},
                      {"n", Type::I32, Number::of(std::int64_t{-3})},
                      {"bits", Type::U32, Number::of(std::int64_t{7})}};
  image.programs = {rich_program(), small_program()};
  Placement first;
  first.rect = {{0, 3, 1}, {0, 0, 1}};
  first.arguments = {variable(FormulaOp::X), Formula::of(Number::of(0.5)), choice(),
                     variable(FormulaOp::Global, 2)};
  first.where = {0, 50};
  Placement second;
  second.program = 1;
  second.rect = {{1, 3, 2}, {1, 1, 1}};
  Placement nowhere;
  nowhere.program = 1;
  nowhere.rect = {{2, 1, 1}, {0, 0, 1}};
  image.placements = {first, second, nowhere};
  image.routes = routes();
  image.filters = filters();
  image.streams = streams();
  image.expectations = expectations();
  image.marks = {"begin", "end"};
  image.sources = {"rich.wsa", "lib/part.wsa"};
  return image;
}

std::vector<std::byte> file_around(std::span<const std::byte> payload) {
  std::vector<std::byte> file = write_image(Image{});
  ByteWriter header;
  header.u64(payload.size());
  header.u64(hash_bytes(payload));
  std::ranges::copy(header.bytes(), file.begin() + 12);
  file.resize(kImageHeaderBytes);
  file.insert(file.end(), payload.begin(), payload.end());
  return file;
}

}  // namespace wse::isa
