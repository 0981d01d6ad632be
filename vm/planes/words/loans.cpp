// Loans of messages, and requests for some of their words.
#include "vm/planes/words/loans.h"

#include <algorithm>
#include <utility>

#include "isa/support/mutant.h"
#include "vm/contract/boundary.h"

namespace wse::vm::wafer {
namespace {

template <class T>
T& take_free(std::vector<T*>& free, std::deque<T>& all) {
  if (free.empty()) return all.emplace_back();
  T* const one = free.back();
  free.pop_back();
  return *one;
}

}  // namespace

Freight Loans::lend(std::uint32_t index, std::uint32_t strip) {
  const std::uint64_t length = messages_[index].length;
  messages_.hold(index);
  if (messages_[index].made == length) {
    lent_.push_back(index);
    return {.length = length, .words = messages_[index].words.begin.get()};
  }
  Export& made = take_free(free_exports_, exports_);
  made.owner = border_.strip();
  made.user = strip;
  made.message = index;
  exported_.emplace(index, &made);
  messages_[index].exported = true;
  return {.length = length, .rest = &made};
}

std::uint32_t Loans::borrow(const Freight& freight) {
  const std::uint32_t copy = messages_.take(freight.length, kNone, false);
  if (freight.rest == nullptr) {
    complete(copy, freight.length, freight.words);
    return copy;
  }
  messages_[copy].foreign = true;
  freight.rest->copy = copy;
  sources_.emplace(copy, freight.rest);
  return copy;
}

void Loans::complete(std::uint32_t copy, std::uint64_t length, const std::uint32_t* words) {
  Message& message = messages_[copy];
  message.length = length;
  if (message.made == message.length) return;
  messages_.reserve(copy, message.length);
  std::copy(words + message.made, words + message.length, message.words.begin.get() + message.made);
  message.made = message.length;
}

void Loans::end_loans() {
  for (const std::uint32_t message : lent_) messages_.release(message);
  lent_.clear();
}

void Loans::give_back_copies() {
  messages_.clear_abandoned([this](std::uint32_t copy) {
    const auto source = sources_.find(copy);
    source->second->copy = kNone;
    border_.letters_to(source->second->owner).returned.push_back(source->second);
    sources_.erase(source);
  });
}

void Loans::complete_copies(std::uint32_t message) {
  const auto [first, end] = exported_.equal_range(message);
  for (auto place = first; place != end; ++place) {
    border_.letters_to(place->second->user)
        .completions.push_back(
            {place->second, messages_[message].length, messages_[message].words.begin.get()});
  }
}

void Loans::read(const Letters& letters) {
  for (const Completion& completion : letters.completions) {
    Export& source = *completion.of;
    // A copy that was abandoned in this cycle is given back when all others are.
    if (source.copy == kNone || !messages_.is_held(source.copy)) continue;
    const std::uint32_t copy = std::exchange(source.copy, kNone);
    complete(copy, completion.length, completion.words);
    messages_[copy].foreign = false;
    sources_.erase(copy);
    border_.letters_to(source.owner).returned.push_back(&source);
    if (messages_[copy].exported) complete_copies(copy);
  }
  for (Export* const returned : letters.returned) {
    const auto [first, end] = exported_.equal_range(returned->message);
    exported_.erase(std::find_if(first, end, [&](const auto& e) { return e.second == returned; }));
    messages_.release(returned->message);
    free_exports_.push_back(returned);
  }
}

// ---- words that are needed at once

Request& Loans::ask(std::uint32_t index, std::uint64_t end) {
  Message& copy = messages_[index];
  messages_.reserve(index, copy.length != kNoBound ? copy.length : end);
  Request& request = take_free(free_requests_, requests_);
  const Export& source = *sources_.at(index);
  request.of = &source;
  request.begin = isa::mutant(isa::Mutant::BorderAgain) ? 0 : copy.made;
  request.end = end;
  request.to = copy.words.begin.get() + copy.made;
  request.is_answered.store(false, std::memory_order_relaxed);
  border_.exchange().ask(source.owner, request);
  return request;
}

bool Loans::take_answer(std::uint32_t index, Request& request) {
  if (!request.is_answered.load(std::memory_order_acquire)) return false;
  Message& copy = messages_[index];
  copy.made = std::max(copy.made, request.end);
  free_requests_.push_back(&request);
  return true;
}

void Loans::answer(Request& request) const {
  const Message& message = messages_[request.of->message];
  const std::uint32_t* const words = message.words.begin.get();
  const bool shifts = isa::mutant(isa::Mutant::BorderNeighbour) && request.begin > 0;
  std::copy_n(words + request.begin - (shifts ? 1 : 0), request.end - request.begin, request.to);
  request.is_answered.store(true, std::memory_order_release);
}

}  // namespace wse::vm::wafer
