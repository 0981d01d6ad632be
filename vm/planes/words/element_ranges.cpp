// One range of elements: what it takes, where it makes its words, what must come first.
#include "vm/planes/words/element_ranges.h"

#include <algorithm>

#include "isa/support/mutant.h"

namespace wse::vm::wafer {
namespace {

// Words that are made at once of a message whose end nobody knows, where nothing must come first.
constexpr std::uint64_t kWordsAtOnce = 1024;

// Returns in which place a thread keeps half of a packed wavelet.
std::uint64_t half_of(std::uint32_t thread, std::size_t source) {
  return 2 * std::uint64_t{thread} + source;
}

}  // namespace

std::uint32_t ElementRanges::half_taken(std::uint32_t thread, std::size_t k) const {
  return half_taken_.at(half_of(thread, k));
}

void ElementRanges::take_half(std::uint32_t thread, std::size_t k, std::uint32_t word) {
  half_taken_[half_of(thread, k)] = word;
}

std::uint64_t ElementRanges::elements_for(std::uint32_t index, std::uint64_t words) const {
  const Flow& flow = *parts_.threads[index].flow;
  return flow.packed_out ? std::min(2 * words, flow.length) : words;
}

std::optional<Demand> ElementRanges::apply(std::uint32_t index, std::uint64_t end,
                                           const ElementName& name) {
  Thread& thread = parts_.threads[index];
  const Flow& flow = *thread.flow;
  if (flow.runs_ahead() || (flow.is_send() && isa::mutant(isa::Mutant::SendAhead))) {
    end = flow.length != kNoBound ? flow.length : std::max(end, thread.applied + kWordsAtOnce);
  }
  std::uint64_t count = end - thread.applied;
  if (flow.at_once && flow.has_fifo()) {
    if (const auto need = parts_.fifos.limit(thread, count)) {
      return Demand{.end = need->elements, .thread = need->thread};
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
  if (thread.message != kNone) words.out = room_for(thread, count);
  parts_.client.moved(thread.id(), thread.applied, static_cast<std::uint32_t>(count), words,
                      name.cycle);
  thread.applied += count;
  if (thread.message != kNone) count_made(thread);
  for (std::size_t k = 0; k < 2; ++k) {
    if (thread.in[k] != kNoChannel) take_words(thread, k, count, words.in[k]);
  }
  return std::nullopt;
}

void ElementRanges::count_made(const Thread& thread) {
  Message& message = parts_.messages[thread.message];
  const std::uint64_t made = thread.flow->words_out(thread.applied);
  if (message.rows == nullptr) {
    message.made = made;
    return;
  }
  isa::check_that(made == message.length, "a row of a message is made as a whole");
  message.rows->set_made(parts_.table.grid().lane_of(thread.pe));
}

std::uint32_t* ElementRanges::room_for(const Thread& thread, std::uint64_t count) {
  const Flow& flow = *thread.flow;
  Message& message = parts_.messages[thread.message];
  if (count == flow.length && flow.has_input() && !flow.packed_out) {
    for (std::size_t k = 0; k < 2; ++k) {
      if (thread.in[k] == kNoChannel || thread.in[1 - k] != kNoChannel || flow.packed_in[k])
        continue;
      const auto [queue, lane] = parts_.table.queue(thread.in[k], kDownRamp);
      const Run& run = parts_.run_lists.first(*queue, lane);
      const bool whole = run.word == 0 && parts_.messages[run.message].length == count;
      if (whole && parts_.messages.is_last_holder(run.message))
        parts_.messages.hand_over(run.message, thread.message);
    }
  }
  if (message.words.begin == nullptr && flow.length != kNoBound) {
    parts_.messages.reserve(thread.message, message.length);
  }
  const std::uint64_t elements = flow.packed_out ? 2 : 1;  // of a word
  parts_.messages.reserve(thread.message, (thread.applied + count + elements - 1) / elements);
  return message.words_of(parts_.table.grid().lane_of(thread.pe)) + thread.applied / elements;
}

std::optional<Demand> ElementRanges::find_words(Thread& thread, std::size_t k, std::uint64_t& count,
                                                const std::uint32_t*& words) {
  const auto [queue, lane] = parts_.table.queue(thread.in[k], kDownRamp);
  const Standing first = parts_.run_lists.find(*queue, lane, thread.next[k]);
  const Message& message = parts_.messages[first.message];
  const std::uint64_t elements = thread.flow->packed_in[k] ? 2 : 1;  // of a word
  std::uint64_t found = std::min((count + elements - 1) / elements, message.length - first.word);
  found = std::min(found, parts_.run_lists.end_of_first(*queue, lane) - thread.next[k]);
  if (message.made_of(first.row) < first.word + found)
    return Demand{.message = first.message, .row = first.row, .end = first.word + found};
  count = std::min(count, found * elements);
  words = message.words_of(first.row) + first.word;
  return std::nullopt;
}

void ElementRanges::take_words(Thread& thread, std::size_t k, std::uint64_t count,
                               const std::uint32_t* words) {
  const auto [queue, lane] = parts_.table.queue(thread.in[k], kDownRamp);
  std::uint64_t taken = count;
  if (thread.flow->packed_in[k]) {
    taken = (thread.applied + 1) / 2 - (thread.applied - count + 1) / 2;
    if (taken == 0) return;
    const bool is_half = thread.applied % 2 != 0 && thread.applied != thread.flow->length;
    if (is_half) half_taken_[half_of(parts_.threads.index(thread.id()), k)] = words[taken - 1];
  }
  thread.next[k] += taken;
  const Standing last = parts_.run_lists.look(*queue, lane, thread.next[k] - 1);
  if (parts_.run_lists.is_last(last)) parts_.run_lists.drop(*queue, lane);
}

std::uint64_t ElementRanges::left_of_run(const Thread& thread, std::size_t k) {
  const auto [queue, lane] = parts_.table.queue(thread.in[k], kDownRamp);
  const Standing first = parts_.run_lists.find(*queue, lane, thread.next[k]);
  if (first.is_control()) return 0;
  const Message& message = parts_.messages[first.message];
  const std::uint64_t before_next = parts_.run_lists.end_of_first(*queue, lane) - thread.next[k];
  const std::uint64_t count = std::min(message.length - first.word, before_next);
  return message.made_of(first.row) < first.word + count ? 0 : count;
}

}  // namespace wse::vm::wafer
