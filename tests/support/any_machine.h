// Machines that nobody has built: any number of the profile anywhere within its bounds, or beyond.
// What check() demands of several numbers together is kept, so that nearly all of them can run.
#pragma once

#include <cstdint>
#include <span>

#include "isa/machine/profile.h"
#include "tests/support/random.h"

namespace wse::test_support {

// What a test must keep small: a run with more would take too long or too much memory.
struct Cap {
  std::uint32_t isa::Profile::* member;
  std::uint32_t most;
};

// `base` with one parameter in `share` replaced: by its least or most, by what fields of 8 and 16
// bits just hold or do not hold, or by anything between, small numbers more often.
isa::Profile any_machine(const isa::Profile& base, std::uint32_t share, std::span<const Cap> caps,
                         Random& random);

// One parameter of the profile is set to a number that it must not have.
void break_bounds(isa::Profile& profile, Random& random);

}  // namespace wse::test_support
