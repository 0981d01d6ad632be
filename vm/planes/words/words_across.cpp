// Words that cross borders between strips. What can be made at once is copied while the first word
// is on its way; of the rest the user has an incomplete copy, which is completed when the sender
// ends, or asked for if somebody needs a word before.
#include <algorithm>

#include "isa/support/mutant.h"
#include "vm/planes/words/words.h"

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

// Nothing can change what a send will send, and it waits for nobody.
Freight Words::lend(std::uint32_t index, std::uint32_t strip) {
  const std::uint32_t sender = trains_[index].sender;
  const std::uint64_t length = trains_[index].length;
  if (trains_[index].made < length && length != kNoBound && sender != kNone &&
      threads_[sender].flow->runs_ahead()) {
    make({index, length});
  }
  trains_.hold(index);
  if (trains_[index].made == length) {
    lent_.push_back(index);
    return {.length = length, .words = trains_[index].words.begin.get()};
  }
  Export& made = take_free(free_exports_, exports_);
  made.owner = border_.strip();
  made.user = strip;
  made.train = index;
  exported_.emplace(index, &made);
  trains_[index].exported = true;
  return {.length = length, .rest = &made};
}

std::uint32_t Words::borrow(const Freight& freight) {
  const std::uint32_t copy = trains_.take(freight.length, kNone, false);
  if (freight.rest == nullptr) {
    complete(copy, freight.length, freight.words);
    return copy;
  }
  trains_[copy].foreign = true;
  freight.rest->copy = copy;
  sources_.emplace(copy, freight.rest);
  return copy;
}

// `length` may be less than what was known when it was sent.
void Words::complete(std::uint32_t copy, std::uint64_t length, const std::uint32_t* words) {
  Train& train = trains_[copy];
  train.length = length;
  if (train.made == train.length) return;
  trains_.reserve(copy, train.length);
  std::copy(words + train.made, words + train.length, train.words.begin.get() + train.made);
  train.made = train.length;
}

void Words::end_loans() {
  for (const std::uint32_t train : lent_) trains_.release(train);
  lent_.clear();
}

void Words::give_back_copies() {
  trains_.clear_abandoned([this](std::uint32_t copy) {
    const auto source = sources_.find(copy);
    source->second->copy = kNone;
    border_.letters_to(source->second->owner).returned.push_back(source->second);
    sources_.erase(source);
  });
}

// All of it has been made.
void Words::tell_users(std::uint32_t train) {
  const auto [first, end] = exported_.equal_range(train);
  for (auto place = first; place != end; ++place) {
    border_.letters_to(place->second->user)
        .completions.push_back(
            {place->second, trains_[train].length, trains_[train].words.begin.get()});
  }
}

void Words::read(const Letters& letters) {
  for (const Completion& completion : letters.completions) {
    Export& source = *completion.of;
    // One that has been abandoned in this cycle is given back when all others are.
    if (source.copy == kNone || !trains_.is_held(source.copy)) continue;
    const std::uint32_t copy = std::exchange(source.copy, kNone);
    complete(copy, completion.length, completion.words);
    trains_[copy].foreign = false;
    sources_.erase(copy);
    border_.letters_to(source.owner).returned.push_back(&source);
    if (trains_[copy].exported) tell_users(copy);
  }
  for (Export* const returned : letters.returned) {
    const auto [first, end] = exported_.equal_range(returned->train);
    exported_.erase(std::find_if(first, end, [&](const auto& e) { return e.second == returned; }));
    trains_.release(returned->train);
    free_exports_.push_back(returned);
  }
}

// ---- words that are needed at once

// False if the answer has not come.
bool Words::ask(Demand& demand) {
  Train& copy = trains_[demand.train];
  if (demand.asked == nullptr) {
    trains_.reserve(demand.train, copy.length != kNoBound ? copy.length : demand.end);
    Request& request = take_free(free_requests_, requests_);
    const Export& source = *sources_.at(demand.train);
    request.of = &source;
    request.begin = isa::mutant(isa::Mutant::BorderAgain) ? 0 : copy.made;
    request.end = demand.end;
    request.to = copy.words.begin.get() + copy.made;
    request.is_answered.store(false, std::memory_order_relaxed);
    demand.asked = &request;
    border_.exchange().ask(source.owner, request);
    return false;
  }
  if (!demand.asked->is_answered.load(std::memory_order_acquire)) return false;
  copy.made = std::max(copy.made, demand.end);
  free_requests_.push_back(demand.asked);
  return true;
}

void Words::answer(Request& request) {
  const Train& train = trains_[request.of->train];
  const std::uint32_t* const words = train.words.begin.get();
  std::copy(words + request.begin, words + request.end, request.to);
  request.is_answered.store(true, std::memory_order_release);
}

void Words::take_requests() {
  border_.exchange().take_requests(border_.strip(), incoming_);
  for (Request* const request : incoming_) {
    demands_.push_back({.train = request->of->train, .end = request->end, .answers = request});
  }
  incoming_.clear();
}

bool Words::serve() {
  try {
    take_requests();
    return !demands_.empty() && work();
  } catch (...) {
    border_.exchange().fail();
    throw;
  }
}

}  // namespace wse::vm::wafer
