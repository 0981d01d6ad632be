// The past of control wavelets on the way to a switch that should have moved: which routers they
// reached, what they did there and why it was nothing, and where some wait.
#pragma once

#include <string>

#include "vm/report/scene.h"

namespace wse::vm {

// Describes the routers from the sender of the current input of the switch `at` to the switch
// itself: "; 2 control wavelets of c left PE(5, 0), where they moved no switch: the colour has one
// position there; none came to PE(1, 0)". "" if nothing was sent and nothing waits.
std::string commands_text(const Scene& scene, ChannelId at);

}  // namespace wse::vm
