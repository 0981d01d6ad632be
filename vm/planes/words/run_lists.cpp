// Runs come into queues and leave them.
#include "vm/planes/words/run_lists.h"

namespace wse::vm::wafer {

void RunLists::append(PlaneQueue& queue, std::uint32_t lane, const Standing& wavelet) {
  trains_.hold(wavelet.train);
  records_.append(queue.trail(lane), {.number = queue.pushed(lane),
                                      .train = wavelet.train,
                                      .word = static_cast<std::uint32_t>(wavelet.word),
                                      .hops = wavelet.hops & (~0u >> 1),
                                      .advances = wavelet.advances});
}

void RunLists::drop(PlaneQueue& queue, std::uint32_t lane) {
  const std::uint32_t train = records_.drop_first(queue.trail(lane)).train;
  if (!isa::mutant(isa::Mutant::TrainKept)) trains_.release(train);
}

}  // namespace wse::vm::wafer
