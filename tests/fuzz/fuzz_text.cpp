// Assembly texts made up by libFuzzer; where it crosses two inputs, they are spliced by lines and
// words.
#include <cstring>

#include "tests/fuzz/checks.h"
#include "tests/fuzz/splice.h"

extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
  wse::fuzz::check_text({data, size});
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const char* text, std::size_t text_size,
                                                 const char* donor, std::size_t donor_size,
                                                 char* out, std::size_t max_size, unsigned seed) {
  const std::string spliced =
      wse::fuzz::splice({text, text_size}, {donor, donor_size}, seed, max_size);
  std::memcpy(out, spliced.data(), spliced.size());
  return spliced.size();
}
