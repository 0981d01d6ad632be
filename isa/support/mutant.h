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
  None,
#define MUTANT(kind, name, text, caught_by, meaning) name,
#include "isa/support/mutants.def"
#undef MUTANT
};

#ifdef WSE_MUTANTS
// The error that the environment names; an unknown name plants none.
inline Mutant mutant_of_environment() {
  const char* const wanted = std::getenv("WSE_MUTANT");
  if (wanted == nullptr) return Mutant::None;
#define MUTANT(kind, name, text, caught_by, meaning) \
  if (std::string_view(wanted) == text) return Mutant::name;
#include "isa/support/mutants.def"
#undef MUTANT
  return Mutant::None;
}

inline const Mutant kActiveMutant = mutant_of_environment();
inline bool mutant(Mutant which) { return which == kActiveMutant; }
#else
constexpr bool mutant(Mutant) { return false; }
#endif

}  // namespace wse::isa
