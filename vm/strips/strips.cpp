// Sums, firsts, and the strip that knows.
#include "vm/strips/strips.h"

#include <algorithm>
#include <exception>
#include <system_error>
#include <thread>
#include <tuple>

#include "isa/support/mutant.h"
#include "vm/support/shares.h"

namespace wse::vm {

std::vector<PeRange> cut_rows(const isa::Topology& mesh, const std::vector<PeId>& placed,
                              std::uint32_t most) {
  const std::uint32_t width = mesh.width();
  std::vector<PeRange> strips;
  std::uint32_t row = 0;
  for (const std::uint32_t end :
       share_rows(placed, mesh.height(), most, [width](PeId pe) { return pe / width; })) {
    strips.push_back({row * width, end * width});
    row = end;
  }
  return strips;
}

Strip& Strips::add(std::uint32_t number, const PeRange& pes) {
  return *strips_.emplace_back(std::make_unique<Strip>(number, pes, history_, tracer_));
}

PeRange Strips::pes() const {
  if (strips_.empty()) return {0, 0};
  return {strips_.front()->pes.first, strips_.back()->pes.end};
}

Strip& Strips::of(PeId pe) const {
  return **std::ranges::find_if(strips_, [pe](const auto& strip) { return pe < strip->pes.end; });
}

Strip& Strips::of_channel(ChannelId channel) const {
  return **std::ranges::find_if(
      strips_, [&](const auto& strip) { return channel < channels_.first(strip->pes.end); });
}

const TrapReport* Strips::first_trap() const {
  const TrapReport* first = nullptr;
  for (const auto& strip : strips_) {
    if (!strip->trap.first()) continue;
    const TrapReport& trap = *strip->trap.first();
    const bool earlier = first == nullptr ||
                         std::tuple(trap.cycle, trap.pe) < std::tuple(first->cycle, first->pe) ||
                         (isa::mutant(isa::Mutant::TrapOfTheLast) && trap.cycle == first->cycle);
    if (earlier) first = &trap;
  }
  return first;
}

Counters Strips::counters() const {
  Counters sum;
  for (const auto& strip : strips_) sum.add(strip->ledger.counters);
  return sum;
}

void Strips::at_once(const std::function<void(std::size_t k)>& work) const {
  std::vector<std::exception_ptr> failures(strips_.size());
  const auto guarded = [&](std::size_t k) {
    try {
      work(k);
    } catch (...) {
      failures[k] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    threads.reserve(strips_.size());
    for (std::size_t k = 1; k < strips_.size(); ++k) {
      try {
        threads.emplace_back(guarded, k);
      } catch (const std::system_error&) {  // the host gives no more threads
        guarded(k);
      }
    }
    guarded(0);
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

Cycle last_event(const Strips& strips) {
  Cycle last = 0;
  for (const auto& strip : strips) {
    last = std::max({last, strip->agenda.last(), strip->ledger.counters.latest_finish});
  }
  return last;
}

TransportTotals Strips::totals(const isa::Topology& mesh, const ArrivedBefore& before) const {
  std::vector<TransportTotals> of_strips(strips_.size());
  at_once([&](std::size_t k) {
    of_strips[k] = totals_of(mesh, *strips_[k]->transport, strips_[k]->pes, before);
  });
  TransportTotals sum;
  for (const TransportTotals& totals : of_strips) sum.add(totals);
  return sum;
}

ChannelState Strips::channel(ChannelId channel) const {
  return inspector(channel).channel(channel);
}

std::uint32_t Strips::queued(ChannelId channel, QueuePort port) const {
  return inspector(channel).queued(channel, port);
}

StandingWavelet Strips::wavelet(ChannelId channel, QueuePort port, std::uint32_t k) const {
  return inspector(channel).wavelet(channel, port, k);
}

std::uint32_t Strips::full_ports(ChannelId channel, Cycle now) const {
  return inspector(channel).full_ports(channel, now);
}

std::uint64_t Strips::dropped(ChannelId channel) const {
  return inspector(channel).dropped(channel);
}

StreamEndId Strips::stream_in(ChannelId channel, isa::Port side) const {
  return inspector(channel).stream_in(channel, side);
}

std::vector<WaitingThread> Strips::waiting(PeId pe, Cycle now) const {
  return of(pe).transport->inspector().waiting(pe, now);
}

std::uint64_t Strips::refused(PeId pe, std::uint32_t fifo) const {
  return of(pe).transport->inspector().refused(pe, fifo);
}

}  // namespace wse::vm
