// Everything that is known while one program is built: its names, registers, pools and image.
//
// Literals, slots and descriptor literals get their numbers in the order of the code that uses them
// first, so that disassembled text gives the same numbers again.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "asm/names/formulas.h"
#include "asm/names/globals.h"
#include "asm/names/names.h"
#include "asm/names/queue_uses.h"
#include "asm/program/fabric_inputs.h"
#include "asm/syntax/syntax.h"
#include "asm/text/report.h"
#include "isa/image/image.h"
#include "isa/machine/profile.h"

namespace wse::assembler {

// So many times the value of a register.
struct RegisterTerm {
  std::uint32_t number = 0;
  std::int64_t times = 1;

  bool operator==(const RegisterTerm&) const = default;
};

// What registers say of a slice when the code runs.
struct RunTimePart {
  std::vector<RegisterTerm> terms{};               // bytes that are added to the address
  std::optional<std::uint32_t> length_register{};  // in place of the length
  std::optional<RegisterTerm> stride{};            // in place of the stride

  bool empty() const { return terms.empty() && !length_register && !stride; }
};

// A descriptor operand whose formulas have no slots yet.
struct DescriptorPlan {
  isa::DescriptorKind kind = isa::DescriptorKind::Memory;
  isa::Formula address{};
  std::optional<isa::Formula> length{};
  std::int32_t stride = 1;
  isa::Formula colour{};
  isa::FabricOptions options{};
  isa::Formula index{};    // if options.indexed
  isa::Formula task{};     // if options.tells_task()
  std::uint32_t fifo = 0;  // number of a FIFO
  struct Inner {
    isa::Formula extent{};
    std::int32_t stride = 1;
  };
  std::vector<Inner> inner{};           // dimensions inside the one of `length` and `stride`
  std::optional<isa::Formula> ring{};   // elements of a circular one, of an array that is indexed
  std::optional<isa::Formula> start{};  // in the ring; none: its first element
  bool saves = false;
  std::optional<isa::Type> element{};  // of memory, if known
  RunTimePart run_time{};              // what registers say

  // Of all dimensions.
  std::optional<std::int64_t> constant_length() const;
  bool is_unbounded() const {
    return isa::has_colour(kind) && constant_length() == isa::kUnboundedLength;
  }
  // From the outside to the inside.
  void add_dimension(isa::Formula extent, std::int32_t inner_stride) {
    if (!length) {
      length = std::move(extent);
      stride = inner_stride;
    } else {
      inner.push_back({std::move(extent), inner_stride});
    }
  }
};

inline constexpr std::uint32_t kNoRegister = ~0u;

// What the header of a task or function says, resolved.
struct HeaderPlan {
  const HeaderSyntax* syntax = nullptr;
  std::optional<isa::Formula> id{};        // of a task; nothing: none, or it has an error
  std::vector<std::uint32_t> arguments{};  // registers
  std::uint32_t result = kNoRegister;      // of a function
  std::uint32_t link = kNoRegister;
  std::uint32_t label = 0;
  bool broken = false;
  bool duplicate = false;
};

// The pools of a program; equal values share a number.
class Pools {
 public:
  Pools(isa::Program& program, const Globals& globals) : program_(program), globals_(globals) {}

  std::uint32_t literal(std::uint32_t bits);
  // The slot that holds the value of a formula as a `type`.
  std::uint32_t slot(const isa::Formula& formula, isa::Type type);
  std::uint32_t descriptor(const DescriptorPlan& plan);
  // A constant, or the slot that holds the value.
  isa::SlotValue value(const isa::Formula& formula, isa::Type type);
  bool may_be_float(const isa::Formula& formula) const;

 private:
  std::optional<std::uint32_t> direct_slot(const isa::Formula& formula, isa::Type type) const;

  isa::Program& program_;
  const Globals& globals_;
  std::unordered_map<std::uint32_t, std::uint32_t> literals_;
  std::unordered_map<std::string, std::uint32_t> slots_;
  std::unordered_map<std::string, std::uint32_t> descriptors_;
};

// Names for small numbers: microthreads, queues.
struct NumberedNames {
  NameTable table;
  std::vector<std::uint32_t> numbers;  // by index of definition

  std::optional<std::uint32_t> find(std::string_view name) const {
    const Meaning* meaning = table.find(name);
    return meaning == nullptr ? std::nullopt : std::optional(numbers[meaning->index]);
  }
};

// Where the labels of a program lie, by index of definition: of code that was written before.
using LabelPlaces = std::vector<std::optional<std::uint32_t>>;

struct ProgramContext;

// Reads what is in address(...) (addresses.cpp).
class ProgramAddresses : public AddressBook {
 public:
  explicit ProgramAddresses(ProgramContext& context) : c_(context) {}
  std::optional<isa::Formula> address_of(ExprId id) const override;

 private:
  std::optional<isa::Formula> code_address(const Expr& name) const;

  ProgramContext& c_;
};

struct ProgramContext {
  ProgramContext(const Unit& unit_, const ProgramSyntax& syntax_, const Globals& globals_,
                 const isa::Profile& profile_, Reporter& reporter_)
      : unit(unit_),
        syntax(syntax_),
        globals(globals_),
        profile(profile_),
        reporter(reporter_),
        mistakes_before(reporter_.mistakes()),
        pools(program, globals_) {}
  ProgramContext(const ProgramContext&) = delete;
  ProgramContext& operator=(const ProgramContext&) = delete;

  FormulaBuilder formulas(FormulaScope::Level level = FormulaScope::Level::Placed,
                          bool index = false) const {
    return FormulaBuilder(
        unit, globals, reporter,
        {.level = level, .index = index, .locals = &names, .addresses = &addresses});
  }

  // Of the expansion or turn `scope`, else of those around it, else of the program itself; nullptr
  // if there is none.
  const Meaning* find_label(std::string_view name, std::uint32_t scope) const {
    const Meaning* found = find_in(scope, name);
    while (found == nullptr && scope != 0) {
      const auto parent = unit.scope_parents.find(scope);
      scope = parent == unit.scope_parents.end() ? 0 : parent->second;
      found = find_in(scope, name);
    }
    return found;
  }

  const Unit& unit;
  const ProgramSyntax& syntax;
  const Globals& globals;
  const isa::Profile& profile;
  Reporter& reporter;
  const std::size_t mistakes_before;  // of other programs and the top level
  isa::Program program;
  NameTable names;
  std::unordered_map<std::uint32_t, NameTable> labels;  // by scope
  NumberedNames microthreads;
  NumberedNames queues;
  QueueUses queue_uses;
  NameTable tasks;      // by index of the header
  NameTable functions;  // the same
  std::vector<HeaderPlan> headers;
  std::uint64_t local_ids = 0;  // bit k: a local task has id k
  std::uint64_t other_ids = 0;  // the same of data and control tasks, as far as they are known
  bool has_teardown = false;
  NameTable routings;  // numbers are those of the image
  NameTable filters;
  std::vector<std::uint32_t> registers;             // by index of .reg; kNoRegister if broken
  std::vector<std::uint32_t> descriptor_registers;  // by index of .dsr; kNoRegister if broken
  LabelPlaces label_targets;
  LabelPlaces known_labels;  // where they lie, if the code was written before
  ProgramAddresses addresses{*this};
  std::uint32_t mentioned_registers = 0;             // bit k: rk is mentioned, pinned or named
  std::uint32_t mentioned_descriptors = 0;           // bit k: dk is mentioned, pinned or named
  std::vector<const DataSyntax*> symbol_syntax;      // by index of the symbol
  std::unordered_set<std::string_view> broken_data;  // data and descriptors with an error
  std::uint64_t data_end = 0;
  std::vector<FabricInputs> fabric_inputs;  // of instructions that have too many
  Pools pools;

 private:
  const Meaning* find_in(std::uint32_t scope, std::string_view name) const {
    const auto table = labels.find(scope);
    return table == labels.end() ? nullptr : table->second.find(name);
  }
};

// Ids, registers and names of tasks and functions (headers.cpp).
void declare_headers(ProgramContext& context);

// Names, data addresses and register numbers of the program (declarations.cpp).
void declare(ProgramContext& context);

// `view(...)` instead of a value (views.cpp).
bool is_view(const ProgramContext& context, const DataSyntax& data);

// Puts a view, whose type and shape are known, over the memory that its line names; reports one
// that does not fit there. Elements are counted here if the shape leaves that open.
bool lay_view(ProgramContext& context, const DataSyntax& data, isa::Symbol& symbol);

// FIFOs, which name data and tasks (fifos.cpp).
void declare_fifos(ProgramContext& context);

// Where data begin: after those before them, in the bank or at the address that the line says;
// reports a place that they cannot have (data_address.cpp).
std::uint64_t data_address(const ProgramContext& context, const DataSyntax& data);

}  // namespace wse::assembler
