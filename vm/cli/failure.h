// The words of vm/front for what went wrong: the commands speak them as their own.
#pragma once

#include "vm/front/failure.h"

namespace wse::cli {

using front::ExitCode;
using front::Failure;
using front::failure;
using front::Outcome;
using front::outcome;

}  // namespace wse::cli
