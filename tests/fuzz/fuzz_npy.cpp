// NumPy files made up by libFuzzer.
#include "tests/fuzz/checks.h"

extern "C" int LLVMFuzzerTestOneInput(const std::byte* data, std::size_t size) {
  wse::fuzz::check_npy({data, size});
  return 0;
}
