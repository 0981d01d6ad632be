// Demands for words and elements, and who meets them.
#include "vm/planes/words/words.h"

#include <memory>
#include <utility>

#include "isa/support/mutant.h"

namespace wse::vm::wafer {
namespace {

// Words of all rows of a message, 2 MiB: what it takes until the last row is used stays bounded.
constexpr std::uint64_t kMostRowWords = 1u << 19;

}  // namespace

Words::Words(const Parts& parts)
    : parts_(parts),
      ranges_({parts.table, parts.threads, parts.fifos, parts.messages, parts.run_lists,
               parts.client}) {
  parts_.border.link().connect(*this);
}

void Words::open_message(std::uint32_t index) {
  Thread& thread = parts_.threads[index];
  const Flow& flow = *thread.flow;
  thread.message = parts_.messages.take(flow.words_out(flow.length), index, flow.advance);
}

void Words::go_on_with_message(std::uint32_t index, std::uint32_t half) {
  open_message(index);
  const Thread& thread = parts_.threads[index];
  Message& message = parts_.messages[thread.message];
  message.made = thread.flow->words_out(thread.applied);
  if (!thread.flow->packed_out || thread.applied % 2 == 0) return;
  parts_.messages.reserve(thread.message, message.made + 1);
  message.words_of(parts_.table.grid().lane_of(thread.pe))[message.made] = half;
}

std::uint32_t Words::open_message(std::uint32_t block, const Lanes& lanes, std::uint32_t number) {
  const Grid& grid = parts_.table.grid();
  MessageRows::Lanes rows;
  for (std::uint32_t k = 0; k < kWords; ++k) rows[k] = lanes.word(k);
  const Flow& flow = *parts_.threads[ThreadId{grid.pe_of(block, first_of(lanes)), number}].flow;
  const std::uint32_t message =
      parts_.messages.take_rows(flow.words_out(flow.length),
                                std::make_unique<MessageRows>(block, number, rows), flow.advance);
  for_each_lane(lanes, [&](std::uint32_t lane) {
    parts_.threads[ThreadId{grid.pe_of(block, lane), number}].message = message;
  });
  return message;
}

bool Words::may_have_rows(const Flow& flow, std::uint32_t lanes) {
  return lanes > 1 && flow.runs_ahead() && !flow.control && flow.length <= kMostRowWords / lanes;
}

void Words::close_message(Thread& thread) {
  Message& message = parts_.messages[thread.message];
  if (message.rows != nullptr) {
    parts_.messages.release(thread.message);
    thread.message = kNone;
    return;
  }
  if (message.made < message.length) {  // something has ended it early
    message.length = message.made;
    message.advances = false;
    message.is_cut = true;
  }
  if (message.exported) parts_.loans.complete_copies(thread.message);
  message.sender = kNone;
  parts_.messages.release(thread.message);
  thread.message = kNone;
}

std::uint32_t Words::value(const Standing& wavelet) {
  if (wavelet.is_control()) return static_cast<std::uint32_t>(wavelet.word);
  make({.message = wavelet.message, .row = wavelet.row, .end = wavelet.word + 1});
  return parts_.messages[wavelet.message].words_of(wavelet.row)[wavelet.word];
}

void Words::make_ready(const Standing& wavelet) {
  const Message& message = parts_.messages[wavelet.message];
  const Demand whole{.message = wavelet.message, .row = wavelet.row, .end = message.length};
  if (is_met(whole) || message.length == kNoBound) return;
  const std::uint32_t sender = sender_of(whole);
  if (sender != kNone && parts_.threads[sender].flow->runs_ahead()) make(whole);
}

std::uint32_t Words::sender_of(const Demand& demand) const {
  const Message& message = parts_.messages[demand.message];
  if (message.rows == nullptr) return message.sender;
  const PeId pe = parts_.table.grid().pe_of(message.rows->block(), demand.row);
  return parts_.threads.index({pe, message.rows->thread()});
}

// A chain of threads each of which forwards what the one before sends may be as long as the grid.
// Meanwhile other strips may need words that are before these.
void Words::make(const Demand& demand) {
  if (is_met(demand)) return;
  const std::size_t bottom = demands_.size();
  demands_.push_back({.demand = demand});
  try {
    while (demands_.size() > bottom) {
      if (work()) continue;
      parts_.border.link().wait_for_mail();
      take_mail();
    }
  } catch (...) {
    demands_.resize(bottom);
    parts_.border.link().fail();
    throw;
  }
}

bool Words::work() {
  Wanted& wanted = demands_.back();
  const Demand& demand = wanted.demand;
  if (wanted.asked != 0 && parts_.loans.is_open(wanted.asked)) return false;
  // Another request may have brought words that were asked for: then the message may be let go.
  const bool is_past = wanted.asked != 0 && !parts_.messages.is_held(demand.message);
  if (is_past || is_met(demand)) {
    if (wanted.answers) parts_.loans.answer(wanted.answers->strip, wanted.answers->letter);
    demands_.pop_back();
    return true;
  }
  std::uint32_t thread = demand.thread;
  std::uint64_t elements = demand.end;
  if (demand.message != kNone) {
    const Message& message = parts_.messages[demand.message];
    if (message.foreign) {
      wanted.asked = parts_.loans.ask(demand.message, demand.end);
      return false;
    }
    thread = sender_of(demand);
    elements = ranges_.elements_for(thread, demand.end);
  }
  if (const auto first = ranges_.apply(thread, elements, {})) {
    demands_.push_back({.demand = *first});
  }
  return true;
}

void Words::take_mail() {
  while (parts_.border.link().receive(mail_)) {
    LetterReader letters(mail_.bytes);
    if (letters.kind() == LetterKind::Answer) {
      parts_.loans.take_answer(mail_.from, letters);
      continue;
    }
    const auto ask = letters.take<LoanLetter>();
    demands_.push_back({.demand = {.message = parts_.loans.message_of(ask.loan), .end = ask.end},
                        .answers = Asked{mail_.from, ask}});
  }
}

bool Words::serve() {
  try {
    take_mail();
    return !demands_.empty() && work();
  } catch (...) {
    parts_.border.link().fail();
    throw;
  }
}

// ---- elements

void Words::apply(std::uint32_t index, std::uint64_t end) {
  while (parts_.threads[index].applied < end) {
    if (const auto first = ranges_.apply(index, end, {})) make(*first);
  }
}

// The wavelet that names an element of the destination is the head of its down-ramp.
void Words::apply_named(std::uint32_t index, std::uint64_t end, Cycle now) {
  const Thread& thread = parts_.threads[index];
  const std::uint32_t colour = thread.flow->in[kDestinationIndex];
  ElementName name{.cycle = now};
  if (colour != kNoColour) {
    const auto [queue, lane] =
        parts_.table.queue(parts_.table.channels().find(thread.pe, colour), kDownRamp);
    const Standing head = parts_.run_lists.find(*queue, lane, queue->popped(lane));
    name.element = value(head);
    if (parts_.run_lists.is_last(head)) parts_.run_lists.drop(*queue, lane);
  }
  while (thread.applied < end) {
    if (const auto first = ranges_.apply(index, end, name)) make(*first);
  }
}

// Many runs may have passed: while the elements of one are applied, the message of the next one
// comes, and the run after that.
[[gnu::always_inline]] inline void Words::prefetch_next(ChannelId channel) const {
  const auto [queue, lane] = std::as_const(parts_.table).queue(channel, kDownRamp);
  parts_.run_lists.fetch().next_message(*queue, lane);
}

void Words::apply_passed(std::uint32_t index, std::uint64_t issued) {
  Thread& thread = parts_.threads[index];
  const bool has_one_input = (thread.in[0] == kNoChannel) != (thread.in[1] == kNoChannel);
  if (!has_one_input || thread.message != kNone) return;
  const std::size_t k = thread.in[0] == kNoChannel ? 1 : 0;
  if (thread.flow->packed_in[k]) return;
  while (thread.applied < issued) {
    const std::uint64_t count = ranges_.left_of_run(thread, k);
    if (count == 0 || thread.applied + count > issued) return;
    prefetch_next(thread.in[k]);
    apply(index, thread.applied + count);  // of a FIFO others may have to come first
  }
}

}  // namespace wse::vm::wafer
