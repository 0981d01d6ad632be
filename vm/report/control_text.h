// A control wavelet that is in a down-ramp: what it asks for, who sent it, and why no task
// starts.
#pragma once

#include <string>

#include "vm/report/counts.h"

namespace wse::vm {

// The PE that sent the wavelet which is at `pe`: the only one so many links upstream that can,
// over any positions of the routers on the way. Returns nothing if several can, or the
// ways are too many.
std::optional<PeId> origin(const Scene& scene, PeId pe, std::uint32_t colour, std::uint32_t links);

// " from PE(1, 0)", or "" if that is not known: of a wavelet in the down-ramp of the channel, or in
// its queue at the side `side`.
std::string origin_text(const Scene& scene, const ChannelState& channel,
                        const StandingWavelet& wavelet);
std::string origin_text(const Scene& scene, const ChannelState& channel, isa::Port side,
                        const StandingWavelet& wavelet);

// "a control wavelet of red from PE(1, 0) for task stop (entry 40)".
std::string control_text(const Scene& scene, const ChannelState& channel,
                         const StandingWavelet& wavelet);

// Why the picker does not take the control wavelet that is first there: ", but colour red is
// blocked ...".
std::string obstacle_text(const Scene& scene, const ChannelState& channel,
                          const StandingWavelet& wavelet);

// Says who blocked the id, and what would unblock it, as what follows "is blocked": " (`block` at
// a.wsa:9), and nothing unblocks it: `unblock red` would".
std::string blocked_text(const Scene& scene, PeId pe, std::uint32_t id, const std::string& name);

// The name of the task that has the id at the PE, or the number.
std::string task_name(const Core& core, std::uint32_t id);

}  // namespace wse::vm
