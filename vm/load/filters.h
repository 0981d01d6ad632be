// The filters of an image at the PEs at which it puts them.
#pragma once

#include "isa/image.h"
#include "vm/transport.h"

namespace wse::vm {

// Errors: a formula that fails, a value that no filter can have.
isa::Status set_filters(const isa::Image& image, const isa::Topology& mesh,
                        const ChannelMap& channels, Transport& transport);

}  // namespace wse::vm
