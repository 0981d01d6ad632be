// The choice of who moves elements and wavelets: the transport for whole wafers wherever it can, or
// the general one that steps each PE. The results do not depend on it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace wse::vm {

enum class TransportChoice : std::uint8_t { Auto, Wafer, Stepper };
std::optional<TransportChoice> transport_named(std::string_view name);  // auto, wafer, stepper

}  // namespace wse::vm
