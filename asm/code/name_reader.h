// Operands that are names: labels, marks, microthreads, settings, functions.
#pragma once

#include <string>
#include <vector>

#include "asm/code/emitter_context.h"

namespace wse::assembler {

class NameReader {
 public:
  // `marks` are the names of the marks of the image so far.
  NameReader(EmitterContext& e, NameTable& mark_names, std::vector<std::string>& marks)
      : e_(e), c_(e.c), mark_names_(mark_names), marks_(marks) {}

  // Numbers; nothing after an error.
  std::optional<std::uint32_t> label(ExprId id);
  std::optional<std::uint32_t> microthread(ExprId id);
  std::optional<std::uint32_t> mark(ExprId id);
  // A `.routing` or `.filtering` of the program; `what` and `directive` are for messages.
  std::optional<std::uint32_t> setting(ExprId id, const NameTable& names, std::string_view what,
                                       std::string_view directive);
  // nullptr after an error. For `map`, which takes instructions too, one of those may be meant.
  const HeaderPlan* function(ExprId id, bool or_instruction = false);

 private:
  EmitterContext& e_;
  ProgramContext& c_;
  NameTable& mark_names_;
  std::vector<std::string>& marks_;
};

}  // namespace wse::assembler
