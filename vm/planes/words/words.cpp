// Trails are read, trains are made, elements are applied.
#include "vm/planes/words/words.h"

#include <algorithm>

#include "isa/support/mutant.h"
#include "vm/planes/bits/router_table.h"

namespace wse::vm::wafer {
namespace {

// Of a train whose end nobody knows so many words are made at once, where nothing must come first.
constexpr std::uint64_t kWordsAtOnce = 1024;

// Below room for so many words of each thread, looking for trains that have passed takes longer
// than getting more.
constexpr std::uint64_t kWordsOfAThread = 32;

// In which place a thread keeps half of a packed wavelet.
std::uint64_t half_of(std::uint32_t thread, std::size_t source) {
  return 2 * std::uint64_t{thread} + source;
}

}  // namespace

void Words::append(PlaneQueue& queue, std::uint32_t lane, const Standing& wavelet) {
  trains_.hold(wavelet.train);
  records_.append(queue.trail(lane), {.number = queue.pushed(lane),
                                      .train = wavelet.train,
                                      .word = static_cast<std::uint32_t>(wavelet.word),
                                      .hops = wavelet.hops & (~0u >> 1),
                                      .advances = wavelet.advances});
}

void Words::drop(PlaneQueue& queue, std::uint32_t lane) {
  const std::uint32_t train = records_.drop_first(queue.trail(lane)).train;
  if (!isa::mutant(isa::Mutant::TrainKept)) trains_.release(train);
}

void Words::open_train(std::uint32_t index) {
  Thread& thread = threads_[index];
  const Flow& flow = *thread.flow;
  thread.train = trains_.take(flow.words_out(flow.length), index, flow.advance);
}

void Words::close_train(Thread& thread) {
  Train& train = trains_[thread.train];
  if (train.made < train.length) {  // something has ended it early
    train.length = train.made;
    train.advances = false;
    train.is_cut = true;
  }
  if (train.exported) tell_users(thread.train);
  train.sender = kNone;
  trains_.release(thread.train);
  thread.train = kNone;
}

std::uint32_t Words::value(const Standing& wavelet) {
  if (wavelet.is_control()) return static_cast<std::uint32_t>(wavelet.word);
  make({wavelet.train, wavelet.word + 1});
  return trains_[wavelet.train].words.begin[wavelet.word];
}

// A chain of threads each of which forwards what the one before sends may be as long as the grid.
// Meanwhile other strips may need words that are before these.
void Words::make(Demand demand) {
  if (is_met(demand)) return;
  const std::size_t bottom = demands_.size();
  demands_.push_back(demand);
  try {
    while (demands_.size() > bottom) {
      if (work()) continue;
      border_.exchange().wait(border_.strip());
      take_requests();
    }
  } catch (...) {
    demands_.resize(bottom);
    border_.exchange().fail();
    throw;
  }
}

bool Words::work() {
  Demand& demand = demands_.back();
  if (is_met(demand)) {
    if (demand.answers != nullptr) answer(*demand.answers);
    demands_.pop_back();
    return true;
  }
  std::uint32_t thread = demand.thread;
  std::uint64_t elements = demand.end;
  if (demand.train != kNone) {
    const Train& train = trains_[demand.train];
    if (train.foreign) return ask(demand);
    thread = train.sender;
    elements = elements_for(thread, demand.end);
  }
  if (const auto first = apply_range(thread, elements)) demands_.push_back(*first);
  return true;
}

void Words::apply(std::uint32_t index, std::uint64_t end) {
  while (threads_[index].applied < end) {
    if (const auto first = apply_range(index, end)) make(*first);
  }
}

std::uint64_t Words::elements_for(std::uint32_t index, std::uint64_t words) const {
  const Flow& flow = *threads_[index].flow;
  return flow.packed_out ? std::min(2 * words, flow.length) : words;
}

// The wavelet that names an element of the destination is the head of its down-ramp.
void Words::apply_named(std::uint32_t index, std::uint64_t end, Cycle now) {
  const Thread& thread = threads_[index];
  const std::uint32_t colour = thread.flow->in[kDestinationIndex];
  Name name{.cycle = now};
  if (colour != kNoColour) {
    const auto [queue, lane] =
        routers_.queue(routers_.channels().find(thread.pe, colour), kDownRamp);
    const Standing head = find(*queue, lane, queue->popped(lane));
    name.element = value(head);
    if (is_last(head)) drop(*queue, lane);
  }
  while (thread.applied < end) {
    if (const auto first = apply_range(index, end, name)) make(*first);
  }
}

std::optional<Words::Demand> Words::apply_range(std::uint32_t index, std::uint64_t end,
                                                const Name& name) {
  Thread& thread = threads_[index];
  const Flow& flow = *thread.flow;
  if (flow.runs_ahead() || (flow.is_send() && isa::mutant(isa::Mutant::SendAhead))) {
    end = flow.length != kNoBound ? flow.length : std::max(end, thread.applied + kWordsAtOnce);
  }
  std::uint64_t count = end - thread.applied;
  if (flow.at_once && flow.has_fifo()) {
    if (const auto need = fifos_.limit(thread, count)) {
      return Demand{.train = kNone, .end = need->elements, .thread = need->thread};
    }
  }
  FabricWords words;
  words.in[kDestinationIndex] = &name.element;
  const bool second = thread.applied % 2 != 0;  // of a packed wavelet
  if (second && (flow.packed_in[0] || flow.packed_in[1])) count = 1;
  for (std::size_t k = 0; k < 2; ++k) {
    if (thread.in[k] == kNoChannel) continue;
    if (second && flow.packed_in[k]) {
      words.in[k] = &half_taken_.at(half_of(index, k));
    } else if (const auto first = find_words(thread, k, count, words.in[k])) {
      return first;
    }
  }
  if (thread.train != kNone) words.out = room_for(thread, count);
  client_->moved(thread.id(), thread.applied, static_cast<std::uint32_t>(count), words, name.cycle);
  thread.applied += count;
  if (thread.train != kNone) trains_[thread.train].made = flow.words_out(thread.applied);
  for (std::size_t k = 0; k < 2; ++k) {
    if (thread.in[k] != kNoChannel) take_words(thread, k, count, words.in[k]);
  }
  return std::nullopt;
}

// Where the next `count` words of what the thread sends are to be made. What it forwards as a
// whole, and nobody else can see, changes in its place.
std::uint32_t* Words::room_for(const Thread& thread, std::uint64_t count) {
  const Flow& flow = *thread.flow;
  Train& train = trains_[thread.train];
  if (count == flow.length && flow.has_input() && !flow.packed_out) {
    for (std::size_t k = 0; k < 2; ++k) {
      if (thread.in[k] == kNoChannel || thread.in[1 - k] != kNoChannel || flow.packed_in[k])
        continue;
      const auto [queue, lane] = routers_.queue(thread.in[k], kDownRamp);
      const Record& record = records_[queue->trail(lane).first];
      const bool whole = record.word == 0 && trains_[record.train].length == count;
      if (whole && trains_.is_last_holder(record.train))
        trains_.hand_over(record.train, thread.train);
    }
  }
  if (train.words.begin == nullptr && flow.length != kNoBound) {
    trains_.reserve(thread.train, train.length);
  }
  const std::uint64_t elements = flow.packed_out ? 2 : 1;  // of a word
  trains_.reserve(thread.train, (thread.applied + count + elements - 1) / elements);
  return train.words.begin.get() + thread.applied / elements;
}

std::optional<Words::Demand> Words::find_words(Thread& thread, std::size_t k, std::uint64_t& count,
                                               const std::uint32_t*& words) {
  const auto [queue, lane] = routers_.queue(thread.in[k], kDownRamp);
  const Standing first = find(*queue, lane, thread.next[k]);
  const Train& train = trains_[first.train];
  const std::uint64_t elements = thread.flow->packed_in[k] ? 2 : 1;  // of a word
  std::uint64_t found = std::min((count + elements - 1) / elements, train.length - first.word);
  found = std::min(found, records_[queue->trail(lane).first].end - thread.next[k]);
  if (train.made < first.word + found) return Demand{first.train, first.word + found};
  count = std::min(count, found * elements);
  words = train.words.begin.get() + first.word;
  return std::nullopt;
}

// `words` are those that the thread has just applied.
void Words::take_words(Thread& thread, std::size_t k, std::uint64_t count,
                       const std::uint32_t* words) {
  const auto [queue, lane] = routers_.queue(thread.in[k], kDownRamp);
  std::uint64_t taken = count;
  if (thread.flow->packed_in[k]) {
    taken = (thread.applied + 1) / 2 - (thread.applied - count + 1) / 2;
    if (taken == 0) return;
    const bool is_half = thread.applied % 2 != 0 && thread.applied != thread.flow->length;
    if (is_half) half_taken_[half_of(threads_.index(thread.id()), k)] = words[taken - 1];
  }
  thread.next[k] += taken;
  const Standing last = look(*queue, lane, thread.next[k] - 1);
  if (is_last(last)) drop(*queue, lane);
}

// ---- room

void Words::wait_for_more() {
  most_words_ = std::max(threads_.size() * kWordsOfAThread, 2 * trains_.words());
}

// Many runs may have passed: while the elements of one are applied, the train of the next one
// comes, and the record after that.
[[gnu::always_inline]] inline void Words::prefetch_next(ChannelId channel) const {
  const auto [queue, lane] = std::as_const(routers_).queue(channel, kDownRamp);
  prefetch_next_train(*queue, lane);
}

void Words::apply_passed(std::uint32_t index, std::uint64_t issued) {
  Thread& thread = threads_[index];
  const bool has_one_input = (thread.in[0] == kNoChannel) != (thread.in[1] == kNoChannel);
  if (!has_one_input || thread.train != kNone) return;
  const std::size_t k = thread.in[0] == kNoChannel ? 1 : 0;
  if (thread.flow->packed_in[k]) return;
  while (thread.applied < issued) {
    const std::uint64_t count = words_of_run(thread, k);
    if (count == 0 || thread.applied + count > issued) return;
    prefetch_next(thread.in[k]);
    apply(index, thread.applied + count);  // of a FIFO others may have to come first
  }
}

std::uint64_t Words::words_of_run(Thread& thread, std::size_t k) {
  const auto [queue, lane] = routers_.queue(thread.in[k], kDownRamp);
  const Standing first = find(*queue, lane, thread.next[k]);
  if (first.is_control()) return 0;
  const Train& train = trains_[first.train];
  const std::uint64_t before_next = records_[queue->trail(lane).first].end - thread.next[k];
  const std::uint64_t count = std::min(train.length - first.word, before_next);
  return train.made < first.word + count ? 0 : count;
}

}  // namespace wse::vm::wafer
