// In place of acoustic_quick.cpp where the compiler has no OpenMP: --quick is refused there.
#include "tests/reference/acoustic.h"

namespace wse::reference {

void step_quickly(const AcousticOptions& options, const Coefficients<float>& coefficients,
                  const Field<float>& now, Field<float>& before) {
  step_plainly(options, coefficients, now, before);
}

int quick_threads() { return 0; }

double triad_bandwidth() { return 0; }

}  // namespace wse::reference
