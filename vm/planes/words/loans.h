// Messages that cross borders between strips: lent to the strips that they go to, and borrowed
// from those that they come from.
//
// Words that are there when the first one crosses are copied while it is on its way. While a
// message is being made the user has an incomplete copy, which is completed when the sender ends;
// until then words of it are asked for one request at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "vm/planes/borders/border.h"
#include "vm/planes/messages/messages.h"

namespace wse::vm::wafer {

class Loans {
 public:
  // Both must live longer.
  Loans(Messages& messages, Border& border) : messages_(messages), border_(border) {}

  // ---- messages
  // Lends the message to the strip, as far as its words are made; holds it until they are copied.
  Freight lend(std::uint32_t message, std::uint32_t strip);
  // Returns a copy of a message of another strip, which the caller holds.
  std::uint32_t borrow(const Freight& freight);
  // Releases what was lent in the cycle before, which all have read.
  void end_loans();
  // Gives back the incomplete copies that nobody needs any more.
  void give_back_copies();
  // Sends all words of the message, which are made, to strips with an incomplete copy.
  void complete_copies(std::uint32_t message);
  // Reads completions, and copies that come back.
  void read(const Letters& letters);
  // Calls visit(message) once for each hold on a message of this strip for another one.
  template <class Visit>
  void for_each_hold(Visit visit) const {
    for (const std::uint32_t message : lent_) visit(message);
    for (const auto& [message, copy] : exported_) visit(message);
  }

  // ---- words that are needed at once
  // Asks the owner for the words of an incomplete copy that are missing before word `end`.
  Request& ask(std::uint32_t copy, std::uint64_t end);
  // Returns whether the answer has come; then the copy has its words, and the request is over.
  bool take_answer(std::uint32_t copy, Request& request);
  // Answers a request of another strip, whose words are made.
  void answer(Request& request) const;

 private:
  // `length` may be less than what was known when the message was sent.
  void complete(std::uint32_t copy, std::uint64_t length, const std::uint32_t* words);

  Messages& messages_;
  Border& border_;
  std::vector<std::uint32_t> lent_;                           // messages, in this cycle
  std::unordered_map<std::uint32_t, Export*> sources_;        // by copy
  std::unordered_multimap<std::uint32_t, Export*> exported_;  // by message
  std::deque<Export> exports_;
  std::vector<Export*> free_exports_;
  std::deque<Request> requests_;
  std::vector<Request*> free_requests_;
};

}  // namespace wse::vm::wafer
