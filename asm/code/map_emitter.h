// `map D, f, A [, B] [, index=r]`: what is mapped; the loop is written by map_loop.cpp.
#pragma once

#include "asm/code/call_emitter.h"
#include "asm/code/mapped_emitter.h"

namespace wse::assembler {

class MapLoop;

class MapEmitter {
 public:
  MapEmitter(EmitterContext& e, NameReader& names, CallEmitter& calls, VectorEmitter& vectors)
      : e_(e),
        c_(e.c),
        operands_(e.operands),
        code_(e.code),
        names_(names),
        calls_(calls),
        mapped_(e, vectors) {}

  void emit(const Line& line);

 private:
  bool read_for_map(const Line& line, const HeaderPlan& function, std::size_t k, MapLoop& map);

  EmitterContext& e_;
  ProgramContext& c_;
  OperandReader& operands_;
  CodeWriter& code_;
  NameReader& names_;
  CallEmitter& calls_;
  MappedEmitter mapped_;
};

}  // namespace wse::assembler
