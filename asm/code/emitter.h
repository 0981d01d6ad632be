// Body lines to code: chooses the row of the instruction table, then reads the operand letters of
// its format one by one.
//
// No mnemonic is here; a new row of instructions.def needs no change unless it brings a letter.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "asm/code/code_writer.h"
#include "asm/program/operand_reader.h"
#include "asm/program/program_context.h"

namespace wse::assembler {

class MapLoop;

class Emitter {
 public:
  // `marks` are the names of the marks of the image so far.
  Emitter(ProgramContext& context, NameTable& mark_names, std::vector<std::string>& marks)
      : c_(context), operands_(context), code_(context), mark_names_(mark_names), marks_(marks) {}

  // Headers, labels and instructions in order; what ends a task or function where it has no end.
  void emit_body();

 private:
  // One instruction of the source on its way.
  struct Line {
    const BodySyntax* syntax = nullptr;
    std::span<const ExprId> exprs{};
    std::vector<Operand>& operands;  // of value letters; the others stay empty
    const isa::InstructionInfo* row = nullptr;
  };
  // What an instruction still needs when its fields are filled.
  struct Work {
    isa::Instruction instruction{};
    const Operand* scalar = nullptr;  // the value of its S
    isa::OperandType scalar_type = isa::OperandType::Any32;
    const Operand* address = nullptr;
    const Operand* store = nullptr;   // where its result goes
    const Operand* loaded = nullptr;  // the descriptor that is loaded
    std::uint32_t label = kNoLabel;
  };
  static constexpr std::uint32_t kNoLabel = ~0u;

  void check_descriptors();
  void emit_label(const BodySyntax& body);
  void emit_header(const BodySyntax& body);
  void emit_task(const HeaderPlan& plan);
  void close_section();
  bool has_main_only() const;
  void check_end();
  void emit_instruction(const BodySyntax& body);
  void refuse_type(const BodySyntax& body);  // after an instruction that has none
  bool choose_row(Line& line);
  bool read_operands(Line& line);
  bool is_move(const Line& line) const;
  bool check_async(const Line& line);

  bool fill_scalar_row(const Line& line, Work& work);
  bool fill_letter(const Line& line, char letter, std::size_t k, Work& work);
  bool fill_destination(const Line& line, std::size_t k, Work& work);
  bool fill_descriptor_register(const Line& line, std::size_t k, std::uint32_t& field);
  bool fill_source(const Line& line, std::size_t k, std::uint32_t& field);
  bool fill_scalar(const Line& line, std::size_t k, Work& work);
  bool fill_address(const Line& line, std::size_t k, Work& work);
  bool fill_descriptor(const Line& line, std::size_t k, Work& work);
  bool fill_colour(const Line& line, std::size_t k, Work& work);
  bool fill_name(const Line& line, char letter, std::size_t k, Work& work);
  void finish(const Line& line, Work& work);
  void emit_move(const Line& line);
  void emit_assert(Line& line);
  bool emit_call(const Line& line);
  bool emit_table_jump(const Line& line);  // emit_table.cpp
  std::optional<Operand> entry_of_table(const Line& line, ExprId id);
  void jump_into(const HeaderPlan& plan);
  // Calls with arguments and a result (emit_call.cpp).
  struct Passed {
    Operand operand{};
    isa::OperandType type = isa::OperandType::Any32;
    std::uint32_t to = 0;  // the register of the function
  };
  void emit_call_with(const Line& line);
  bool takes(const Line& line, const HeaderPlan& plan);
  bool read_passed(const Line& line, std::size_t k, std::optional<isa::Type> type,
                   std::optional<Operand> operand, Passed& passed);
  bool keep_from_overwriting(std::vector<Passed>& passed);
  void emit_map(const Line& line);
  bool read_for_map(const Line& line, const HeaderPlan& function, std::size_t k, MapLoop& map);
  bool check_map(const Line& line);
  const isa::InstructionInfo* mapped_row(ExprId id) const;
  void emit_mapped(const Line& line, const isa::InstructionInfo& row);
  bool check_mapped(Line& line);
  bool check_mapped_lengths(Line& line);
  bool fill_mapped(const Line& line, Work& work);
  static std::string map_usage(const isa::InstructionInfo& row);

  bool fill_vector_row(Line& line, Work& work);
  bool fill_vector_destination(const Line& line, Work& work);
  bool fill_vector_source(const Line& line, char letter, std::size_t k, Work& work);
  bool check_vector(Line& line);
  void count_inputs(const Line& line);
  void note_work(const Line& line);
  void check_control(const Line& line);
  bool check_lengths(Line& line);
  bool check_end_is_known(const Line& line, const Operand& decides);
  bool check_unbounded(const Line& line);

  bool check_wavelet(const Line& line, std::size_t k);
  bool fill_task(const Line& line, std::size_t k, Work& work);
  bool fill_completion(const Line& line, Work& work);
  const HeaderPlan* function(ExprId id, bool or_instruction = false);

  bool check_element(const Line& line, std::size_t k);
  std::optional<std::uint32_t> microthread(ExprId id);
  std::optional<std::uint32_t> label(ExprId id);
  std::optional<std::uint32_t> mark(ExprId id);
  // A `.routing` or `.filtering` of the program; `what` and `directive` are for messages.
  std::optional<std::uint32_t> setting(ExprId id, const NameTable& names, std::string_view what,
                                       std::string_view directive);
  std::optional<std::uint32_t> print(ExprId id);
  std::optional<isa::Type> type_of(const Named& name);
  std::optional<isa::Type> compared_type(const Line& line);
  bool add_piece(const TextPiece& syntax, isa::PrintText& text);
  bool wrong_operand(const Line& line, std::size_t k, std::string_view wanted);
  bool wrong_name(ExprId id, std::string_view wanted);

  ProgramContext& c_;
  OperandReader operands_;
  CodeWriter code_;
  std::vector<Operand> line_operands_;  // of the present line: their memory serves all lines
  NameTable& mark_names_;
  std::vector<std::string>& marks_;
  const HeaderPlan* section_ = nullptr;  // the task or function whose lines follow
  bool ends_ = false;                    // control cannot run past the last instruction
  bool told_early_code_ = false;
  isa::SourceLine last_line_;
};

// "fadds destination, source, source", from the operand letters.
std::string usage(const isa::InstructionInfo& row);

}  // namespace wse::assembler
