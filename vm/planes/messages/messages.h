// Messages: the words that one instruction sends, made in ranges when somebody needs them, or when
// it ends; or, in rows, those that PEs of a block send alike. Run lists hold a message; who holds
// it last gives its place, and the room for its words, to another one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "isa/support/mutant.h"
#include "vm/planes/messages/message_rows.h"
#include "vm/planes/messages/runs.h"
#include "vm/planes/messages/word_room.h"

namespace wse::vm::wafer {

struct Message {
  std::uint64_t length = 0;      // words, of each row; kNoBound: nobody knows
  std::uint64_t made = 0;        // of them, if it has no rows
  std::uint32_t sender = kNone;  // the thread that makes the rest; kNone: nobody, or those of rows
  std::uint32_t holders = 0;
  bool advances = false;  // the switch of its sender advances after the last word
  bool foreign = false;   // a copy of one of another strip, which makes the rest
  bool exported = false;  // another strip has a copy that is not complete
  bool is_cut = false;    // its sender ended early, so no word of it is marked as the last one
  WordRoom words;         // none before the first one is made
  std::unique_ptr<MessageRows> rows;  // nullptr: one thread sends it

  // A row is named by the lane of its sender; without rows the name means nothing.
  std::uint64_t made_of(std::uint32_t lane) const {
    if (rows == nullptr) return made;
    return rows->is_made(lane) ? length : 0;
  }
  // The first word, where there is room for it.
  std::uint32_t* words_of(std::uint32_t lane) const {
    return words.begin.get() + (rows == nullptr ? 0 : rows->row_of(lane) * length);
  }
};

class Messages {
 public:
  // The message, which somebody holds.
  Message& operator[](std::uint32_t index) {
    isa::check_that(messages_[index].holders > 0, "a message that is looked at has a holder");
    return messages_[index];
  }
  const Message& operator[](std::uint32_t index) const {
    isa::check_that(messages_[index].holders > 0, "a message that is looked at has a holder");
    return messages_[index];
  }

  // Whether somebody holds it: a copy that nobody holds any more keeps its place for a while.
  bool is_held(std::uint32_t index) const { return messages_[index].holders > 0; }

  // Takes a message, which the caller holds.
  std::uint32_t take(std::uint64_t length, std::uint32_t sender, bool advances) {
    const std::uint32_t index = take_place();
    Message& message = messages_[index];
    message.length = length;
    message.made = 0;
    message.sender = sender;
    message.holders = 1;
    message.advances = advances;
    message.foreign = message.exported = message.is_cut = false;
    return index;
  }
  // Takes a message in rows of `length` words, which each of its senders holds.
  std::uint32_t take_rows(std::uint64_t length, std::unique_ptr<MessageRows> rows, bool advances) {
    const std::uint32_t index = take(length, kNone, advances);
    messages_[index].holders = rows->count();
    messages_[index].rows = std::move(rows);
    return index;
  }
  // kNone: a control wavelet, which is no message.
  void hold(std::uint32_t index) {
    if (index != kNone) ++messages_[index].holders;
  }
  void release(std::uint32_t index) {
    if (index == kNone || --messages_[index].holders > 0) return;
    messages_[index].rows.reset();
    rooms_.give_back(std::move(messages_[index].words));
    (messages_[index].foreign ? abandoned_ : free_).push_back(index);
  }
  // Copies that nobody needs any more, of messages that are not complete: their places are free
  // once leave(index) has been called for each.
  template <class Leave>
  void clear_abandoned(Leave leave) {
    for (const std::uint32_t index : abandoned_) {
      leave(index);
      free_.push_back(index);
    }
    abandoned_.clear();
  }

  // Messages that ever were at a time; some may be free.
  std::size_t size() const { return messages_.size(); }
  std::uint32_t holders(std::uint32_t index) const { return messages_[index].holders; }

  // Words for which there is room.
  std::uint64_t words() const { return rooms_.words(); }

  // Room for words up to, but not including, that one; in rows for all.
  void reserve(std::uint32_t index, std::uint64_t end) {
    Message& message = messages_[index];
    if (message.rows != nullptr) end = message.rows->count() * message.length;
    if (end <= message.words.size) return;
    WordRoom larger = rooms_.take(end);
    // Half of one that is not made may be there.
    const std::uint64_t used = std::min(message.made + 1, message.words.size);
    std::copy_n(message.words.begin.get(), used, larger.begin.get());
    rooms_.give_back(std::exchange(message.words, std::move(larger)));
  }
  // Whether nobody but the caller, who holds it once, can see any of its words, all of which are
  // made.
  bool is_last_holder(std::uint32_t index) const {
    const Message& message = messages_[index];
    if (message.rows != nullptr) return false;
    const bool alone = message.holders == 1 || isa::mutant(isa::Mutant::RoomShared);
    return alone && message.sender == kNone && message.made == message.length;
  }
  // The words of `from`, which nobody will read any more, lie where `to` makes its own.
  void hand_over(std::uint32_t from, std::uint32_t to) {
    messages_[to].words = std::move(messages_[from].words);
  }

 private:
  std::uint32_t take_place() {
    if (free_.empty()) {
      const std::uint32_t index = messages_.add();
      free_.reserve(messages_.capacity());
      return index;
    }
    const std::uint32_t index = free_.back();
    free_.pop_back();
    return index;
  }

  GrowingTable<Message> messages_;
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> abandoned_;
  WordRooms rooms_;
};

}  // namespace wse::vm::wafer
