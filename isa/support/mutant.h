// Planted errors, to prove that the test suite would see real ones.
//
// Only a build with WSE_MUTANTS (preset `sanitize`) contains them; the environment variable
// WSE_MUTANT then names the one that is active. In every other build mutant() is the constant false
// and leaves no trace in the code.
#pragma once

#ifdef WSE_MUTANTS
#include <cstdlib>
#include <string_view>
#endif

namespace wse::isa {

enum class Mutant {
#define MUTANT(kind, name, text, meaning) name,
#include "isa/support/mutants.def"
#undef MUTANT
};

#ifdef WSE_MUTANTS
inline bool mutant(Mutant which) {
  static const std::string_view kNames[] = {
#define MUTANT(kind, name, text, meaning) text,
#include "isa/support/mutants.def"
#undef MUTANT
  };
  static const char* const kActive = std::getenv("WSE_MUTANT");
  return kActive != nullptr && kNames[static_cast<int>(which)] == kActive;
}
#else
constexpr bool mutant(Mutant) { return false; }
#endif

}  // namespace wse::isa
