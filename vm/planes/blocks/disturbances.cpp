// Rests begin and end.
#include "vm/planes/blocks/disturbances.h"

#include <bit>

#include "isa/support/mutant.h"

namespace wse::vm::wafer {

Disturbances::Disturbances(const Parts& parts)
    : table_(parts.table),
      border_(parts.border),
      activity_(parts.activity),
      rests_(parts.rests),
      eventful_(table_.grid().blocks()),
      stirred_(table_.grid().blocks()) {}

void Disturbances::tell_sending(const RouterPlanes& router, const Moves& moves, Cycle now) {
  for (std::uint32_t link = 0; link < kLinks; ++link) {
    const bool sending = (moves.sending >> link & 1) != 0;
    const bool changed = (moves.changed >> link & 1) != 0;
    if (!sending && !changed) continue;
    for (const std::uint32_t number : router.beside[link]) {
      if (number == kNone) continue;
      const std::uint32_t block = table_[number].block;
      if (!border_.owns(block)) {
        const bool said = changed && !isa::mutant(isa::Mutant::BorderDeaf);
        border_.letters_to_owner(block).sendings.push_back({number, said});
        continue;
      }
      if (changed && !isa::mutant(isa::Mutant::SteadyDeaf)) disturb(block, now);
      if (!rests_.has(block)) activity_.touch(number);
    }
  }
}

// A block that has not decided in this cycle is woken and steps as others do.
void Disturbances::end_rest(std::uint32_t block, Cycle now) {
  if (block <= deciding_) return disturb_decided(block, now);
  stirred_.add(block);
  rests_.wake(block, now);
}

void Disturbances::disturb_decided(std::uint32_t block, Cycle now) {
  if (!rests_.has(block)) return;
  stirred_.add(block);
  rests_.join(block, now);
  for (std::uint32_t k = table_.first(block); k < table_.first(block + 1); ++k) activity_.touch(k);
}

void Disturbances::tell_room(const RouterPlanes& router) {
  for (std::uint32_t link = 0; link < kLinks; ++link) {
    if ((router.room_changed >> link & 1) == 0) continue;
    for (const std::uint32_t number : router.beside[link]) {
      if (number == kNone) continue;
      const std::uint32_t block = table_[number].block;
      if (border_.owns(block)) {
        if (!isa::mutant(isa::Mutant::SteadyRoom)) stirred_.add(block);
      } else if (!isa::mutant(isa::Mutant::BorderRoom)) {
        border_.letters_to_owner(block).stirred.push_back(block);
      }
    }
  }
}

void Disturbances::end_block(std::uint32_t block, std::uint32_t routers, bool repeats) {
  repeats ? repeating_.push_back({block, routers}) : forget(block, routers);
}

void Disturbances::forget(std::uint32_t block, std::uint32_t routers) {
  for (std::uint32_t rest = routers; rest != 0; rest &= rest - 1) {
    table_[table_.first(block) + static_cast<std::uint32_t>(std::countr_zero(rest))].forget();
  }
}

void Disturbances::close(Cycle now) {
  stirred_.for_each([&](std::uint32_t block) {
    if (rests_.has(block)) rests_.wake(block, now + 1);
  });
  for (const auto [block, routers] : repeating_) {
    if (stirred_.has(block) || !rests_.begin(block, now + 1)) forget(block, routers);
  }
  repeating_.clear();
  stirred_.clear();
  eventful_.clear();
}

void Disturbances::take_stirred(const Letters& letters, Cycle now) {
  for (const std::uint32_t block : letters.stirred) {
    if (rests_.has(block)) rests_.wake(block, now);
  }
}

}  // namespace wse::vm::wafer
