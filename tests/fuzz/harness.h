// What the fuzz targets share: a check that stops the run, and running an image within bounds.
// Must never let time depend on anything but the bounds below, or slow inputs would crowd out the
// others.
#pragma once

#include <string_view>

#include "isa/image/image.h"

namespace wse::fuzz {

inline constexpr std::uint32_t kMaxGridSide = 64;

// Ends the process as a finding unless `holds`; `what` is what should have been true.
void require(bool holds, std::string_view what, std::string_view detail = {});

// Loads the image on the profile `model`, and on a machine of which any number may be anything, and
// runs it, if it is small: a grid of at most 64 x 64 with at most 1024 PEs in use, little data, few
// cycles. Refusing it, trapping and deadlocks are all fine.
void run_bounded(const isa::Image& image);

}  // namespace wse::fuzz
