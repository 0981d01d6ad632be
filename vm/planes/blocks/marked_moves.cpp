// Marked wavelets leave a queue, turn a switch, and go where planes have decided.
#include "vm/planes/blocks/marked_moves.h"

#include <span>

#include "vm/support/prefetch.h"

namespace wse::vm::wafer {
namespace {

// Moves that wait for others: more would not stay in a host's nearest cache.
constexpr std::size_t kMostWaiting = 64;

}  // namespace

MarkedMoves::MarkedMoves(const Parts& parts)
    : table_(parts.table),
      run_lists_(parts.run_lists),
      switches_(parts.switches),
      arrivals_(parts.arrivals),
      sets_(parts),
      moves_(kMostWaiting + kLanes) {}

void MarkedMoves::move(RouterPlanes& router, const Lanes& marked, Cycle now) {
  for (std::uint32_t port = 0; port < isa::kMeshPorts; ++port) {
    if (router.queue[port] == nullptr) continue;
    Lanes moving = marked & router.popped[port];
    if (!moving.any()) continue;
    const bool may_share = (moving & router.queue[port]->lists().joined()).any();
    if (may_share) moving = sets_.move(router, port, moving, now);
    Move* next = &moves_[count_];
    for_each_lane(moving, [&](std::uint32_t lane) {
      next->router = &router;
      next->port = port;
      next->lane = lane;
      ++next;
    });
    count_ = static_cast<std::size_t>(next - moves_.data());
    if (count_ >= kMostWaiting) move_rest(now);
  }
}

void MarkedMoves::make(const Move& move, Cycle now) {
  const bool advances = move.port == kUpRamp && run_lists_.advances(move.wavelet);
  if (move.wavelet.is_control() || advances) return make_and_switch(move, now);
  if (move.wavelet.is_whole) return pass_on(move, now);
  deliver(move, move.ports, move.wavelet, now);
  if (run_lists_.is_last(move.wavelet)) {
    run_lists_.drop(*move.router->queue[move.port], move.lane);
  }
}

// Fetches ahead: a look at a wavelet needs memory that is far from caches.
void MarkedMoves::move_rest(Cycle now) {
  in_steps(
      std::span(moves_).first(count_),
      [](Move& move) __attribute__((always_inline)) {
        move.router->queue[move.port]->prefetch_lane(move.lane);
      },
      [this](Move& move) __attribute__((always_inline)) {
        run_lists_.fetch().run(*move.router->queue[move.port], move.lane);
      },
      [this](Move& move) { plan(move); }, [&](Move& move) { make(move, now); });
  count_ = 0;
}

void MarkedMoves::plan(Move& move) {
  const RouterPlanes& router = *move.router;
  PlaneQueue& from = *router.queue[move.port];
  const std::uint32_t lane = move.lane;
  const std::uint64_t number = from.popped(lane);
  move.ports = router.ways(lane);
  move.wavelet = run_lists_.find(from, lane, number);
  if (!move.wavelet.is_whole || move.port == kUpRamp) run_lists_.fetch().message(move.wavelet);
  if (move.wavelet.is_control()) {  // it acts on the switch
    prefetch_all(table_.channels()[table_.channel(router, lane)]);
  }
  move.begins = from.take_forced(lane) || move.wavelet.number == number;
  for_each_port(move.ports, [&](isa::Port to) {
    const auto link = static_cast<std::uint32_t>(to);
    if (link < kLinks) move.behind[link] = table_.behind(router, lane, link);
    if (!move.begins) return;
    if (link < kLinks) {
      const RouterTable::Behind& behind = move.behind[link];
      if (behind.queue != nullptr) behind.queue->prefetch_lane(behind.lane);
    } else {
      router.queue[kDownRamp]->prefetch_lane(lane);
    }
  });
}

void MarkedMoves::make_and_switch(const Move& move, Cycle now) {
  Channel& channel = table_.channels()[table_.channel(*move.router, move.lane)];
  Standing wavelet = move.wavelet;
  const bool advances = move.port == kUpRamp && run_lists_.advances(wavelet);
  run_lists_.hold(wavelet);
  if (run_lists_.is_last(wavelet)) {
    run_lists_.drop(*move.router->queue[move.port], move.lane);
  }
  if (wavelet.is_control()) {
    wavelet.advances = false;
    switches_.obey(channel, wavelet, move.ports != 0, now);
  }
  if (advances) switches_.advance(channel, now);
  deliver(move, move.ports, wavelet, now);
  run_lists_.release(wavelet);
}

void MarkedMoves::pass_on(const Move& move, Cycle now) {
  PlaneQueue& from = *move.router->queue[move.port];
  std::uint32_t rest = move.ports;
  bool is_gone = false;
  for_each_port(move.ports, [&](isa::Port to) {
    const auto link = static_cast<std::uint32_t>(to);
    if (is_gone) return;
    if (link == kUpRamp) {
      arrivals_.pass_to_pe(from, *move.router, move.lane);
      is_gone = true;
    } else {
      is_gone = arrivals_.pass_over_link(from, move.lane, move.behind[link], now);
    }
    if (is_gone) rest &= ~(1u << link);
  });
  if (rest != 0) deliver(move, rest, move.wavelet, now);
  if (!is_gone) run_lists_.drop(from, move.lane);
}

void MarkedMoves::deliver(const Move& move, std::uint32_t ports, const Standing& wavelet,
                          Cycle now) {
  for_each_port(ports, [&](isa::Port to) {
    const auto port = static_cast<std::uint32_t>(to);
    if (port == kUpRamp) return arrivals_.at_pe(*move.router, move.lane, wavelet, move.begins, now);
    arrivals_.over_link(move.behind[port], port, wavelet, move.begins, now);
  });
}

}  // namespace wse::vm::wafer
