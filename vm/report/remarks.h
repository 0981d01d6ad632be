// Remarks on what else is odd at a PE or with a colour, and may be the reason for a wait that looks
// unlike it.
#pragma once

#include <string>

#include "vm/report/counts.h"

namespace wse::vm {

// Of the PE: words that nobody takes, of colours that are not in the mask `said`, and words that
// full FIFOs refused. Each begins with "; ".
std::string remarks_text(const Scene& scene, PeId pe, std::uint32_t said);

// Says what full FIFOs of the PE refused.
std::string refused_text(const Scene& scene, PeId pe);

// Says what filters kept away from the PE: "; the filter here (a.wsa:20) dropped 3 of the 8
// words that came".
std::string dropped_text(const Scene& scene, PeId pe, std::uint32_t colour);

// Where else words of the colour wait untaken: "; 4 words of red wait untaken at PE(2, 0), ...".
std::string strays_text(const Scene& scene, const Strays& strays, std::uint32_t colour);

// "2 control wavelets of red".
std::string controls_text(std::uint64_t count, const std::string& colour);

// Describes what waits at one side of a router, control wavelets before others: "2 control wavelets
// of red from PE(3, 0) wait at the east side of PE(2, 0) behind 1 wavelet, which position 1 takes".
// The queue there must not be empty.
std::string waiting_text(const Scene& scene, ChannelId id, isa::Port side);
// Describes the first router that holds back wavelets of the colour, and where others do; begins
// with "; ".
std::string holders_text(const Scene& scene, const Strays& strays, std::uint32_t colour);

// Says which position takes wavelets from that side: "which position 1 takes".
std::string who_takes(const isa::Routing& routing, isa::Port side);

}  // namespace wse::vm
