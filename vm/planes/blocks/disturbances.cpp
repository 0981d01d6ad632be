// Rests begin and end.
#include "vm/planes/blocks/disturbances.h"

#include <bit>

#include "isa/support/mutant.h"

namespace wse::vm::wafer {
namespace {

// Puts what a block of another strip shows into a wire: beside the words `own` of block
// `own_block`.
void put_beside(const Grid& grid, std::uint64_t* own, std::uint32_t own_block, std::uint32_t block,
                const Lanes& lanes) {
  if (own == nullptr) return;  // nobody reads it
  write_wire(words_beside(grid, own, own_block, block), lanes);
}

}  // namespace

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
        const LetterKind kind = changed ? LetterKind::SentWire : LetterKind::Sending;
        write_wire_letter(router, link, number, kind);
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
      } else {
        write_wire_letter(router, link, number, LetterKind::RoomWire);
      }
    }
  }
}

void Disturbances::show_room(const RouterPlanes& router, std::uint32_t link) {
  const std::uint32_t back =
      static_cast<std::uint32_t>(isa::opposite(static_cast<isa::Port>(link)));
  for (const std::uint32_t number : router.beside[link]) {
    if (number == kNone || border_.owns(table_[number].block)) continue;
    put_beside(table_.grid(), table_[number].room_behind[back], table_[number].block, router.block,
               load(router.room[link]));
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

// Over that link of `router` is router `number` of another strip.
void Disturbances::write_wire_letter(const RouterPlanes& router, std::uint32_t link,
                                     std::uint32_t number, LetterKind kind) {
  MessageBytes& letters = border_.letters_to_owner(table_[number].block);
  append(letters,
         WireLetter{.kind = kind,
                    .router = number,
                    .link = static_cast<std::uint32_t>(isa::opposite(static_cast<isa::Port>(link))),
                    .block = router.block});
  if (kind == LetterKind::SentWire) append_lanes(letters, load(router.sent[link]));
  if (kind == LetterKind::RoomWire) append_lanes(letters, load(router.room[link]));
}

void Disturbances::take_sending(LetterReader& letters, Cycle now) {
  const auto sending = letters.take<WireLetter>();
  const std::uint32_t block = table_[sending.router].block;
  if (sending.kind == LetterKind::SentWire) {
    put_beside(table_.grid(), table_[sending.router].sent_here[sending.link], block, sending.block,
               letters.take_lanes());
    if (!isa::mutant(isa::Mutant::BorderDeaf)) disturb_decided(block, now);
  }
  if (!rests_.has(block)) activity_.touch(sending.router);
}

void Disturbances::take_room(LetterReader& letters, Cycle now) {
  const auto room = letters.take<WireLetter>();
  const std::uint32_t block = table_[room.router].block;
  put_beside(table_.grid(), table_[room.router].room_behind[room.link], block, room.block,
             letters.take_lanes());
  if (rests_.has(block) && !isa::mutant(isa::Mutant::BorderRoom)) rests_.wake(block, now);
}

}  // namespace wse::vm::wafer
