// Whether a machine fits into memory, asked before it is made.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "isa/image/image.h"
#include "isa/machine/profile.h"
#include "vm/front/failure.h"
#include "vm/run/transport_choice.h"

namespace wse::front {

// Returns a size for people: "512 MiB".
std::string size_text(std::uint64_t bytes);

// Whether a machine for the image may be made: with a limit, if it could not exceed it even if
// every PE wrote to all its memory; without one, if the host has what loading it takes. In each of
// several processes: if the share of one is enough. `ranks`: processes that have the machine
// together.
Outcome<void> fits_into_memory(const isa::Image& image, const isa::Profile& profile,
                               std::optional<std::uint64_t> max_memory,
                               vm::TransportChoice transport, std::uint32_t processes = 1,
                               std::uint32_t ranks = 1);

}  // namespace wse::front
