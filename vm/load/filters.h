// The filters of an image at the PEs at which it puts them.
#pragma once

#include <functional>

#include "isa/image/image.h"
#include "vm/load/channel_map.h"
#include "vm/load/configuration.h"

namespace wse::vm {

// Calls set(channel, setting) for each. Errors: a formula that fails, a value that no filter can
// have.
isa::Status set_filters(const isa::Image& image, const isa::Topology& mesh,
                        const ChannelMap& channels,
                        const std::function<void(ChannelId, const FilterSetting&)>& set);

}  // namespace wse::vm
