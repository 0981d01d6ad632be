// Vector instructions that scalar code passes: it runs ahead of the clock through one as if it were
// a scalar instruction that takes so many cycles. Such a one is the main thread's, works on memory
// and scalars alone, nothing else is in flight on its PE, and its plan was made before.
//
// Must never change anything but memory that the recorder has kept, and what it returns: jit/
// executes a stretch twice to compare engines, and rewind.cpp to stop within it.
#pragma once

#include "vm/executor.h"
#include "vm/pe/plans.h"

namespace wse::vm {

class PlannedPasser : public VectorPasser {
 public:
  // For stretches of the program, whose logs keep at most so many bytes of what vector instructions
  // overwrite.
  PlannedPasser(Plans& plans, const LoadedProgram& program, std::uint64_t most_kept)
      : plans_(plans), program_(program), most_kept_(most_kept) {}

  const VectorPrice* pass(VectorStart& start, StretchRecorder* recorder) override;

 private:
  Plans& plans_;
  const LoadedProgram& program_;
  std::uint64_t most_kept_;
};

}  // namespace wse::vm
