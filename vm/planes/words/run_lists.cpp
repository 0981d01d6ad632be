// Runs come into queues and leave them.
#include "vm/planes/words/run_lists.h"

namespace wse::vm::wafer {

void RunLists::append(PlaneQueue& queue, std::uint32_t lane, const Standing& wavelet) {
  messages_.hold(wavelet.message);
  runs_.append(queue.run_list(lane), {.number = queue.pushed().value(lane),
                                      .message = wavelet.message,
                                      .word = static_cast<std::uint32_t>(wavelet.word),
                                      .hops = wavelet.hops & (~0u >> 1),
                                      .advances = wavelet.advances});
}

void RunLists::drop(PlaneQueue& queue, std::uint32_t lane) {
  const std::uint32_t message = runs_.drop_first(queue.run_list(lane)).message;
  if (!isa::mutant(isa::Mutant::TrainKept)) messages_.release(message);
}

}  // namespace wse::vm::wafer
