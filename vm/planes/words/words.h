// The words of the fabric, made when somebody needs them.
//
// Planes decide when an element issues; its value follows later, in ranges, when the instruction
// ends or somebody asks for a word that has been sent. A word that was not sent must not be asked
// for.
//
//     value(wavelet)
//       make(message, word)           a stack of demands: each needs the one above it first
//         ElementRanges::apply        one range of the sender, or a demand of its inputs
//         Loans::ask                  where another strip makes them
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "vm/planes/borders/border.h"
#include "vm/planes/words/element_ranges.h"
#include "vm/planes/words/loans.h"
#include "vm/planes/words/run_lists.h"

namespace wse::vm::wafer {

class Words final : public Server {
 public:
  struct Parts {  // all must live longer
    RouterTable& table;
    Threads& threads;
    const Fifos& fifos;
    Border& border;
    Messages& messages;
    RunLists& run_lists;
    Loans& loans;
    TransportClient& client;
  };
  explicit Words(const Parts& parts);

  // ---- messages
  // Opens a message for what the thread sends.
  void open_message(std::uint32_t thread);
  // Opens a message that another machine has begun. `half`: the first element of a packed wavelet
  // that is not sent, if there is one.
  void go_on_with_message(std::uint32_t thread, std::uint32_t half);
  // Opens a message in rows for what threads send that begin the same flow in this cycle: those of
  // that number, in these lanes of the block. Returns it. Only for what may_have_rows().
  std::uint32_t open_message(std::uint32_t block, const Lanes& lanes, std::uint32_t number);
  static bool may_have_rows(const Flow& flow, std::uint32_t lanes);
  // Closes it when the thread ends: all that it has sent is made.
  void close_message(Thread& thread);
  // Returns the value of a wavelet that was sent.
  std::uint32_t value(const Standing& wavelet);
  // Returns the word of an element that the thread has issued, or issues in this cycle.
  std::uint32_t word_of(const Thread& thread, std::uint64_t element) {
    return value({.message = thread.message,
                  .word = element,
                  .row = parts_.table.grid().lane_of(thread.pe)});
  }
  // Makes all words of the wavelet's message, or of its row, that wait for nobody: nothing can
  // change what a send from memory will send.
  void make_ready(const Standing& wavelet);

  // ---- elements
  // Applies the elements of the thread up to, but not including, `end`. They have issued.
  void apply(std::uint32_t thread, std::uint64_t end);
  // Applies elements of which wavelets name some; the last ones issue in cycle `now`.
  void apply_named(std::uint32_t thread, std::uint64_t end, Cycle now);
  // Applies what the thread, which has issued so many elements, received of messages of which no
  // more will come. Leaves threads alone that forward, whose messages stay in one piece.
  void apply_passed(std::uint32_t thread, std::uint64_t issued);

  // Returns the packed wavelet of source k of which the thread has applied one element; takes that
  // of another machine.
  std::uint32_t half_taken(std::uint32_t thread, std::size_t k) const {
    return ranges_.half_taken(thread, k);
  }
  void take_half(std::uint32_t thread, std::size_t k, std::uint32_t word) {
    ranges_.take_half(thread, k, word);
  }

  // Does a part of what other strips have asked for.
  bool serve() override;

 private:
  // A request of another strip.
  struct Asked {
    std::uint32_t strip = 0;
    LoanLetter letter;
  };
  // A demand on the stack.
  struct Wanted {
    Demand demand;
    std::uint64_t asked = 0;  // the request to another strip for these words; 0: there is none
    std::optional<Asked> answers = {};  // another strip waits for these words
  };
  bool is_met(const Demand& demand) const {
    return demand.message != kNone
               ? parts_.messages[demand.message].made_of(demand.row) >= demand.end
               : parts_.threads[demand.thread].applied >= demand.end;
  }
  // The thread that makes the words.
  std::uint32_t sender_of(const Demand& demand) const;
  void make(const Demand& demand);
  // Does something for the last demand. Returns false if it waits for another strip.
  bool work();
  void take_mail();
  void prefetch_next(ChannelId channel) const;

  Parts parts_;
  ElementRanges ranges_;
  std::vector<Wanted> demands_;
  Mail mail_;
};

}  // namespace wse::vm::wafer
