// What a thread of a machine that may continue is doing, in few words.
#pragma once

#include <string>

#include "vm/report/scene.h"

namespace wse::vm {

// What follows "PE(1, 0)" or "which": "is at a.wsa:7", "waits at a.wsa:7", "computes at a.wsa:9",
// "waits for microthread 2 at a.wsa:8", "has no task to run", "has halted".
std::string doing_text(const Scene& scene, ThreadId thread);

// The thread that sends the colour at the PE, or receives it: the main thread, which may start one,
// if none does.
ThreadId sender_of(const Scene& scene, PeId pe, std::uint32_t colour);
ThreadId receiver_of(const Scene& scene, PeId pe, std::uint32_t colour);

// Wavelets of the colour on the current way to the PE, its down-ramp included.
std::uint64_t on_the_way(const Scene& scene, PeId pe, std::uint32_t colour);

}  // namespace wse::vm
