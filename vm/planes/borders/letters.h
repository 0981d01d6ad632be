// Letters: what a strip of a wafer tells another one, as values. A message of a link is letters one
// after the other, in the order in which they were written; each begins with its kind.
//
//     Sending       a router sends over a link as in the cycle before
//     SentWire      the same, otherwise than before; the lanes of the wire follow
//     RoomWire      queues behind a link show another room; the lanes of the wire follow
//     Arrival       a wavelet whose move is more than a count; the words of its message may follow
//     Completion    all words of a message of which the reader has an incomplete copy follow
//     Return        the reader's message is no longer needed
//
// Mail may come at any time: an Ask for words of a message that is not complete, and its Answer.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

#include "vm/contract/link.h"
#include "vm/planes/bits/lanes.h"
#include "vm/planes/messages/runs.h"

namespace wse::vm::wafer {

enum class LetterKind : std::uint32_t {
  Sending,
  SentWire,
  RoomWire,
  Arrival,
  Completion,
  Return,
  Ask,
  Answer
};

// A signal of a block of the writer.
struct WireLetter {
  LetterKind kind = LetterKind::Sending;
  std::uint32_t router = 0;  // of the reader, which sees it
  std::uint32_t link = 0;    // of that router, over which it sees it
  std::uint32_t block = 0;   // of the writer
};

struct Arrival {
  LetterKind kind = LetterKind::Arrival;
  std::uint32_t router = 0;  // of the queue
  std::uint32_t lane = 0;
  std::uint32_t link = 0;
  std::uint32_t begins = 0;   // 1: a run
  std::uint32_t control = 0;  // 1: a control wavelet
  std::uint32_t word = 0;     // of the message, or the commands
  std::uint32_t hops = 0;
  std::uint64_t length = 0;  // of the message, if a run of data begins
  // The loan, if the message is not complete. Else its words follow, if a run of data begins.
  std::uint32_t loan = kNone;
  std::uint32_t unused = 0;

  bool has_message() const { return begins != 0 && control == 0; }
};

// Completion: `end` words follow. Return. Ask: for the words from `begin` up to, but not including,
// `end`. Answer: those follow. `loan` is a number of the strip that lends, `request` one of the
// strip that asks.
struct LoanLetter {
  LetterKind kind = LetterKind::Return;
  std::uint32_t loan = 0;
  std::uint64_t request = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

inline void append_words(MessageBytes& message, const std::uint32_t* words, std::uint64_t count) {
  const auto bytes = std::as_bytes(std::span(words, count));
  message.insert(message.end(), bytes.begin(), bytes.end());
}

inline void append_lanes(MessageBytes& message, const Lanes& lanes) {
  const std::size_t at = message.size();
  message.resize(at + sizeof lanes);
  std::memcpy(message.data() + at, &lanes, sizeof lanes);
}

// Letters that came, from the first one on.
class LetterReader {
 public:
  explicit LetterReader(std::span<const std::byte> bytes) : left_(bytes) {}

  bool is_over() const { return left_.empty(); }
  LetterKind kind() const {
    LetterKind kind;
    std::memcpy(&kind, left_.data(), sizeof kind);
    return kind;
  }
  template <MessageValue T>
  T take() {
    T value;
    copy(&value, sizeof value);
    return value;
  }
  Lanes take_lanes() {
    Lanes lanes;
    copy(&lanes, sizeof lanes);
    return lanes;
  }
  // Skips `skipped` words, and puts the others of `count` there.
  void take_words(std::uint64_t count, std::uint64_t skipped, std::uint32_t* to) {
    constexpr std::size_t kBytes = sizeof(std::uint32_t);
    left_ = left_.subspan(skipped * kBytes);
    copy(to, (count - skipped) * kBytes);
  }

 private:
  void copy(void* to, std::size_t bytes) {
    if (bytes > 0) std::memcpy(to, left_.data(), bytes);
    left_ = left_.subspan(bytes);
  }

  std::span<const std::byte> left_;
};

}  // namespace wse::vm::wafer
