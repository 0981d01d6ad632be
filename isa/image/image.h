// The program image: what the assembler makes and the machine runs, in memory and as a .wsb file.
//
// Code is shared by all PEs of a program; what differs from PE to PE are parameter slots and
// initial data, both kept as formulas. Placements and routes are strided rectangles. An Image that
// read_image returned has passed verify(): indices are in range and every code word decodes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/descriptor/descriptor.h"
#include "isa/formula/formula.h"
#include "isa/instruction/types.h"
#include "isa/machine/fabric.h"
#include "isa/machine/filter.h"
#include "isa/machine/topology.h"
#include "isa/support/limits.h"
#include "isa/support/result.h"

namespace wse::isa {

inline constexpr std::uint32_t kImageVersion = 5;

// Parameter slots of a PE: these four, then the program's parameters, then its derived values.
inline constexpr std::string_view kBuiltinSlots[] = {"x", "y", "width", "height"};
inline constexpr std::uint32_t kBuiltinSlotCount = 4;

// A line of a source file; line 0 means none.
struct SourceLine {
  std::uint32_t file = 0;
  std::uint32_t line = 0;

  bool operator==(const SourceLine&) const = default;
};

struct Parameter {
  std::string name;
  Type type = Type::I32;
};

// A parameter of the whole image: `name=value` at run time replaces its value.
struct GlobalParameter {
  std::string name;
  Type type = Type::I32;
  Number value;
};

// A slot whose value the loader computes from x, y, width, height and the parameters.
struct DerivedSlot {
  Type type = Type::I32;
  Formula formula;

  bool operator==(const DerivedSlot&) const = default;
};

// An element of a list of values that differs from PE to PE.
struct ListedFormula {
  std::uint32_t element = 0;
  Formula formula;

  bool operator==(const ListedFormula&) const = default;
};

struct Symbol {
  std::string name;
  Type type = Type::I32;
  bool is_array = false;
  bool exported = false;
  std::uint32_t count = 1;         // elements, of all dimensions
  std::uint32_t address = 0;       // bytes
  std::optional<Formula> initial;  // of element i; zero if absent
  // Extents of an array of more than one dimension, outermost first; else empty.
  std::vector<std::uint32_t> shape{};
  // Instead of `initial`: the bits of the first elements, two at least, 16 of them zero-extended;
  // the others are zero. Elements that are formulas, ascending, have 0 there.
  std::vector<std::uint32_t> values{};
  std::vector<ListedFormula> formulas{};
  // A second name for memory of symbols that are no views, which come before all views. It has no
  // value of its own.
  bool is_view = false;
  SourceLine where;

  bool has_initial() const { return initial.has_value() || !values.empty(); }
  std::uint64_t bytes() const { return std::uint64_t{count} * info(type).bytes; }
  std::size_t dimensions() const { return is_array ? std::max<std::size_t>(1, shape.size()) : 0; }
  std::uint32_t extent(std::size_t k) const { return shape.empty() ? count : shape[k]; }
};

// The state with which the generator of random bits of a PE begins: 32 bits, the lowest kRandomBits
// of which are not all 0.
struct Seed {
  Formula value;  // over x, y, width, height and parameters
  SourceLine where;
};

// A routing that `setroute` writes.
struct NamedRouting {
  std::string name;
  Routing routing;
};

// A filter that `setfilter` writes.
struct NamedFilter {
  std::string name;
  FilterShape shape;
  std::vector<SlotValue> values;  // as many as the kind has
};

// A FIFO: elements first .. first + count - 1 of an array of the program, or all of an array of
// more than one dimension. Empty at the start.
struct Fifo {
  std::string name;
  std::uint32_t symbol = 0;
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  // The local tasks that are activated when it was full and is popped, was empty and is pushed.
  std::optional<std::uint32_t> on_leaving_full{};
  std::optional<std::uint32_t> on_leaving_empty{};
};

enum class TaskKind : std::uint8_t { Main, Local, Data, Control, Teardown };
inline constexpr std::uint32_t kTaskKinds = 5;

// The id of all teardown tasks. No other task can have it, nor kNoEntry (control_word.h).
inline constexpr std::uint32_t kTeardownId = 29;
inline constexpr std::uint32_t kMaxTaskArguments = 2;  // of a data task; a control task takes one
inline constexpr std::uint32_t kMaxLaunchArguments = 15;  // of an exported task

struct Task {
  std::string name;
  std::uint32_t entry = 0;  // code word index
  TaskKind kind = TaskKind::Main;
  SlotValue id;       // Local: its id, Data and Teardown: the colour, Control: the entry; Main: 0
  bool high = false;  // picked before tasks that are not
  // Registers that get the wavelet, in its order; of an exported task those that get the arguments
  // of a launch.
  std::vector<std::uint32_t> arguments;
  bool exported = false;                  // a launch from outside starts it; only Local
  std::vector<Type> argument_types = {};  // of an exported task, one for each argument
};

// Returns the types of the arguments of an exported task: "i32, f32".
std::string argument_text(const Task& task);

// One piece of a print text: plain text, then a value if `kind` says one.
struct PrintPiece {
  enum class Kind : std::uint8_t { None, Register, Memory, Slot };
  std::string text;
  Kind kind = Kind::None;
  Type type = Type::I32;
  std::uint32_t value = 0;  // register, byte address or slot
};
using PrintText = std::vector<PrintPiece>;

// From code word `pc` up to the next entry, the code comes from `where`.
struct LineEntry {
  std::uint32_t pc = 0;
  SourceLine where;
};

struct Program {
  std::string name;
  std::string role;  // what the source calls it, where that makes several: "heat(west=1, east=0)"
  std::vector<Parameter> parameters;
  std::vector<DerivedSlot> derived;
  std::vector<std::uint32_t> code;
  std::vector<std::uint32_t> literals;
  std::vector<DescriptorLiteral> descriptors;
  std::vector<Symbol> symbols;
  std::vector<Fifo> fifos;
  std::vector<NamedRouting> routings;
  std::vector<NamedFilter> filters;
  std::vector<Task> tasks;
  std::vector<PrintText> prints;
  std::vector<LineEntry> lines;
  bool passive = false;        // it only serves: the machine need not wait for it
  std::optional<Seed> seed{};  // absent: kRandomSeed

  // Returns what people should read: the role, or the name.
  const std::string& shown_name() const { return role.empty() ? name : role; }
  // Returns whether the role may stand in messages as it is.
  bool has_printable_role() const {
    return std::ranges::all_of(role, [](char c) { return c >= ' ' && c <= '~'; });
  }

  std::uint32_t slot_count() const {
    return kBuiltinSlotCount + static_cast<std::uint32_t>(parameters.size() + derived.size());
  }
  std::uint32_t data_bytes() const;        // end of the last symbol
  std::uint64_t descriptor_bytes() const;  // of all descriptor literals in PE memory
  // Bytes of PE memory for code, literals, descriptor literals and slots, which lie at its top end.
  std::uint64_t code_bytes() const;
  const Symbol* find_symbol(std::string_view symbol) const;
  SourceLine line_of(std::uint32_t pc) const;
  bool has_main_only() const;  // no other task
  bool exports_tasks() const;  // launches from outside start one of its tasks
};

struct Placement {
  std::uint32_t program = 0;
  StridedRect rect;
  std::vector<Formula> arguments;  // one per parameter of the program
  SourceLine where;
};

struct Route {
  std::uint32_t colour = 0;
  StridedRect rect;
  Routing routing;
  bool torn_down = false;   // at the start
  std::uint32_t start = 0;  // the position of the switch there
  SourceLine where;
};

// A filter between router and PE for a colour.
struct Filter {
  std::uint32_t colour = 0;
  StridedRect rect;
  FilterShape shape;
  std::vector<Formula> values;  // as many as the kind has; over x, y, width, height, parameters
  SourceLine where;
};

// An array outside the grid, at the edge behind link port `side` of the PEs of `rect`: its elements
// enter there in their order, or what leaves there fills it.
struct Stream {
  std::string name;
  Type type = Type::I32;
  bool is_array = false;
  std::uint32_t count = 1;  // elements per PE
  StridedRect rect;
  Port side = Port::West;
  std::uint32_t colour = 0;
  bool enters = false;
  SourceLine where;
};

// A line `.expect`: what the program itself says about its result.
struct Expectation {
  enum class Subject : std::uint8_t { Symbol, Cycles };
  Subject subject = Subject::Symbol;
  std::string symbol;
  std::uint32_t first = 0;  // elements first .. first + count - 1
  std::uint32_t count = 1;
  StridedRect rect;
  Formula value;        // over x, y, width, height, i (the element's index) and global parameters
  double within = 0;    // allowed absolute difference of floats; 0: bit for bit
  std::string profile;  // only on this profile; empty: on all
  SourceLine where;
};

struct Image {
  std::uint32_t width = 1;
  std::uint32_t height = 1;
  std::uint32_t hypercube_dimensions = 0;  // if any, width is 2 to their power, height 1; 0: a mesh
  std::vector<std::string> colours;        // name of colour number k; empty: unnamed. At most 24
  std::vector<GlobalParameter> parameters;
  std::vector<Program> programs;
  std::vector<Placement> placements;
  std::vector<Route> routes;
  std::vector<Filter> filters;
  std::vector<Stream> streams;
  std::vector<Expectation> expectations;
  std::vector<std::string> marks;
  std::vector<std::string> sources;  // names of the source files

  Topology topology() const {
    return hypercube_dimensions > 0 ? Topology::hypercube(hypercube_dimensions)
                                    : Topology::mesh(width, height);
  }
  std::string colour_name(std::uint32_t colour) const;    // its name, or its number
  std::string place_text(const SourceLine& where) const;  // "heat.wsa:12", or "" without a line
};

// A part of an image larger than the format allows, in words, and the line that it comes from.
struct LimitBreach {
  std::string text;
  SourceLine where;  // line 0: no line in particular
};
std::optional<LimitBreach> limit_breach(const Image& image);

// Refuses images in which an index, address, range or code word is impossible.
Status verify(const Image& image);

// The bytes of a .wsb file: magic, version, length and checksum, then the image.
std::vector<std::byte> write_image(const Image& image);

// True if the bytes begin as a .wsb file does.
bool is_image(std::span<const std::byte> bytes);

// Errors: no .wsb file, another version (named), truncated, changed, or refused by verify().
Result<Image> read_image(std::span<const std::byte> bytes);

// Replaces the value of the global parameter `name`. Errors: no such parameter, not a number of its
// type.
Status set_parameter(Image& image, std::string_view name, std::string_view value);

// Text that assembles to the same image, byte for byte.
std::string disassemble(const Image& image);

}  // namespace wse::isa
