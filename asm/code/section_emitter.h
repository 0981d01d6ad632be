// Tasks and functions: their headers, labels, and what ends the code below them where it has no
// end.
#pragma once

#include "asm/code/emitter_context.h"

namespace wse::assembler {

class SectionEmitter {
 public:
  explicit SectionEmitter(EmitterContext& e) : e_(e), c_(e.c), code_(e.code) {}

  // A header: ends what is before it.
  void begin(const BodySyntax& body);
  void label(const BodySyntax& body);
  // Before each instruction: code before the first task is told once.
  void instruction(const BodySyntax& body);
  // After each line of the body.
  void pass(const isa::SourceLine& line) { last_line_ = line; }

  // A function returns, a task ends. Where there is only main, the PE has nothing more to do.
  void close();
  // Whether the program, which is written, can come to its end.
  void check_end();

 private:
  void begin_task(const HeaderPlan& plan);
  bool has_main_only() const;

  EmitterContext& e_;
  ProgramContext& c_;
  CodeWriter& code_;
  const HeaderPlan* section_ = nullptr;  // the task or function whose lines follow
  bool told_early_code_ = false;
  isa::SourceLine last_line_;
};

}  // namespace wse::assembler
