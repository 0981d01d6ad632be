// Messages of an editor made up by libFuzzer.
#include "tests/fuzz/checks.h"

extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
  wse::fuzz::check_messages({data, size});
  return 0;
}
