// Loans of messages, and answers about some of their words.
#include "vm/planes/words/loans.h"

#include <algorithm>

#include "isa/support/mutant.h"
#include "vm/contract/boundary.h"

namespace wse::vm::wafer {

void Loans::lend(std::uint32_t index, std::uint32_t row, Arrival arrival, std::uint32_t strip) {
  const Message& message = messages_[index];
  arrival.length = message.length;
  MessageBytes& letters = border_.letters_to(strip);
  if (message.made_of(row) == message.length) {
    append(letters, arrival);
    append_words(letters, message.words_of(row), message.length);
    return;
  }
  if (free_loans_.empty()) {
    arrival.loan = static_cast<std::uint32_t>(loans_.size());
    loans_.emplace_back();
  } else {
    arrival.loan = free_loans_.back();
    free_loans_.pop_back();
  }
  loans_[arrival.loan] = {index, strip};
  lent_.emplace(index, arrival.loan);
  messages_.hold(index);
  messages_[index].exported = true;
  append(letters, arrival);
}

std::uint32_t Loans::borrow(std::uint32_t strip, const Arrival& arrival, LetterReader& letters) {
  const std::uint32_t copy = messages_.take(arrival.length, kNone, false);
  if (arrival.loan == kNone) {
    complete(copy, arrival.length, letters);
    return copy;
  }
  messages_[copy].foreign = true;
  const Source source(strip, arrival.loan);
  sources_.emplace(copy, source);
  copies_.emplace(source, copy);
  return copy;
}

void Loans::complete(std::uint32_t copy, std::uint64_t length, LetterReader& letters) {
  messages_[copy].length = length;
  if (messages_[copy].made < length) messages_.reserve(copy, length);
  Message& message = messages_[copy];
  letters.take_words(length, message.made, message.words.begin.get() + message.made);
  message.made = length;
}

void Loans::give_back(const Source& source) {
  append(border_.letters_to(source.first),
         LoanLetter{.kind = LetterKind::Return, .loan = source.second});
}

void Loans::give_back_copies() {
  messages_.clear_abandoned([this](std::uint32_t copy) {
    const auto source = sources_.find(copy);
    give_back(source->second);
    copies_.erase(source->second);
    sources_.erase(source);
  });
}

void Loans::complete_copies(std::uint32_t index) {
  const auto [first, end] = lent_.equal_range(index);
  const Message& message = messages_[index];
  for (auto place = first; place != end; ++place) {
    MessageBytes& letters = border_.letters_to(loans_[place->second].user);
    append(
        letters,
        LoanLetter{.kind = LetterKind::Completion, .loan = place->second, .end = message.length});
    append_words(letters, message.words.begin.get(), message.length);
  }
}

void Loans::read(std::uint32_t strip, LetterReader& letters) {
  if (letters.kind() == LetterKind::Completion) return take_completion(strip, letters);
  end_loan(letters.take<LoanLetter>().loan);
}

void Loans::take_completion(std::uint32_t strip, LetterReader& letters) {
  const auto letter = letters.take<LoanLetter>();
  const auto place = copies_.find({strip, letter.loan});
  // A copy that was abandoned in this cycle is given back when all others are.
  if (place == copies_.end() || !messages_.is_held(place->second)) {
    return letters.take_words(letter.end, letter.end, nullptr);
  }
  const std::uint32_t copy = place->second;
  complete(copy, letter.end, letters);
  messages_[copy].foreign = false;
  give_back(place->first);
  sources_.erase(copy);
  copies_.erase(place);
  if (messages_[copy].exported) complete_copies(copy);
}

void Loans::end_loan(std::uint32_t loan) {
  const std::uint32_t message = loans_[loan].message;
  const auto [first, end] = lent_.equal_range(message);
  lent_.erase(std::find_if(first, end, [loan](const auto& lent) { return lent.second == loan; }));
  messages_.release(message);
  free_loans_.push_back(loan);
}

// ---- words that are needed at once

std::uint64_t Loans::ask(std::uint32_t index, std::uint64_t end) {
  Message& copy = messages_[index];
  messages_.reserve(index, copy.length != kNoBound ? copy.length : end);
  const auto [strip, loan] = sources_.at(index);
  MessageBytes mail;
  append(mail, LoanLetter{.kind = LetterKind::Ask,
                          .loan = loan,
                          .request = ++last_request_,
                          .begin = copy.made,
                          .end = end});
  open_requests_.insert(last_request_);
  border_.link().post(strip, std::move(mail));
  return last_request_;
}

void Loans::answer(std::uint32_t strip, const LoanLetter& ask) const {
  const Message& message = messages_[message_of(ask.loan)];
  std::uint64_t first = ask.begin;
  if (isa::mutant(isa::Mutant::BorderAgain)) first = 0;
  if (isa::mutant(isa::Mutant::BorderNeighbour) && first > 0) --first;
  MessageBytes mail;
  LoanLetter letter = ask;
  letter.kind = LetterKind::Answer;
  append(mail, letter);
  append_words(mail, message.words.begin.get() + first, ask.end - ask.begin);
  border_.link().post(strip, std::move(mail));
}

void Loans::take_answer(std::uint32_t strip, LetterReader& answer) {
  const auto letter = answer.take<LoanLetter>();
  open_requests_.erase(letter.request);
  // A strip that has passed a meeting may ask one that has not: then letters with all words of the
  // copy may be read before the answer to what that one has asked in turn.
  const auto place = copies_.find({strip, letter.loan});
  // An answer that came before this one has served all who held the copy.
  if (place == copies_.end() || !messages_.is_held(place->second)) return;
  Message& copy = messages_[place->second];
  answer.take_words(letter.end - letter.begin, 0, copy.words.begin.get() + letter.begin);
  copy.made = std::max(copy.made, letter.end);
}

}  // namespace wse::vm::wafer
