// Messages that cross borders between strips: lent to the strips that they go to, and borrowed
// from those that they come from.
//
// Words of a message that is complete travel with the first one that crosses. While a message is
// being made the user has an incomplete copy, and its owner holds the message as a loan with a
// number. The copy is completed when the sender ends; until then words of it are asked for by mail.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "vm/planes/borders/border.h"
#include "vm/planes/messages/messages.h"

namespace wse::vm::wafer {

class Loans {
 public:
  // Both must live longer.
  Loans(Messages& messages, Border& border) : messages_(messages), border_(border) {}

  // ---- messages
  // Writes the arrival of a run of the message, or of one of its rows, to a strip, with its words
  // or as a loan. Rows are made.
  void lend(std::uint32_t message, std::uint32_t row, Arrival arrival, std::uint32_t strip);
  // Returns a copy of the message that arrives from a strip, which the caller holds. Its words are
  // next in `letters`, if there are any.
  std::uint32_t borrow(std::uint32_t strip, const Arrival& arrival, LetterReader& letters);
  // Gives back the incomplete copies that nobody needs any more.
  void give_back_copies();
  // Sends all words of the message, which are made, to strips with an incomplete copy.
  void complete_copies(std::uint32_t message);
  // Reads the next letter of a strip: a completion, or a loan that ends.
  void read(std::uint32_t strip, LetterReader& letters);
  // Calls visit(message) once for each hold on a message of this strip for another one.
  template <class Visit>
  void for_each_hold(Visit visit) const {
    for (const auto& [message, loan] : lent_) visit(message);
  }

  // ---- words that are needed at once
  // Asks the owner for the words of an incomplete copy that are missing before word `end`. Returns
  // the number of the request. The caller keeps the copy until it is answered.
  std::uint64_t ask(std::uint32_t copy, std::uint64_t end);
  bool is_open(std::uint64_t request) const { return open_requests_.contains(request); }
  // The copy has the words.
  void take_answer(std::uint32_t strip, LetterReader& answer);
  // Returns the message of a loan of this strip.
  std::uint32_t message_of(std::uint32_t loan) const { return loans_[loan].message; }
  // Answers what another strip has asked for. The words are made.
  void answer(std::uint32_t strip, const LoanLetter& ask) const;

 private:
  struct Loan {
    std::uint32_t message = kNone;
    std::uint32_t user = 0;  // the strip
  };
  using Source = std::pair<std::uint32_t, std::uint32_t>;  // strip, number of its loan

  // Takes the words of the copy that it lacks from all, which are next in `letters`. `length` may
  // be less than what was known when the message was sent.
  void complete(std::uint32_t copy, std::uint64_t length, LetterReader& letters);
  void take_completion(std::uint32_t strip, LetterReader& letters);
  void end_loan(std::uint32_t loan);
  void give_back(const Source& source);

  Messages& messages_;
  Border& border_;
  std::vector<Loan> loans_;  // by number
  std::vector<std::uint32_t> free_loans_;
  std::unordered_multimap<std::uint32_t, std::uint32_t> lent_;  // loans, by message
  std::unordered_map<std::uint32_t, Source> sources_;           // by copy
  std::map<Source, std::uint32_t> copies_;
  std::set<std::uint64_t> open_requests_;
  std::uint64_t last_request_ = 0;
};

}  // namespace wse::vm::wafer
