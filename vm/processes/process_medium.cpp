// Frames of an exchange, of mail, and of failures.
#include "vm/processes/process_medium.h"

#include <fmt/format.h>

#include <thread>

#include "isa/support/mutant.h"
#include "vm/support/state_archive.h"

namespace wse::vm {
namespace {

enum class FrameKind : std::uint8_t { Exchange, Mail, Failure };

template <class Archive>
void pass(Archive& archive, StripReport& report) {
  archive.number(report.next);
  archive.number(report.note);
  archive.number(report.finish);
  archive.number(report.trapped);
  archive.number(report.interrupted);
  archive.number(report.failed);
  archive.number(report.asks);
  archive.number(report.is_done);
  archive.number(report.busy_pes);
}

void append_bytes(MessageBytes& frame, std::span<const std::byte> bytes) {
  append(frame, std::uint64_t{bytes.size()});
  frame.insert(frame.end(), bytes.begin(), bytes.end());
}

// Reads what append_bytes() has written.
MessageBytes bytes_in(StateReader& reader) {
  std::uint64_t size = 0;
  reader.number(size);
  reader.expect(size <= reader.left());
  MessageBytes bytes(reader.ok() ? size : 0);
  reader.bytes(bytes);
  return bytes;
}

MessageBytes frame_of(FrameKind kind) { return {static_cast<std::byte>(kind)}; }

}  // namespace

std::uint32_t StripShares::process_of(std::uint32_t strip) const {
  std::uint32_t process = 0;
  while (first(process + 1) <= strip) ++process;
  return process;
}

// ---- a strip's link

// All have read what was written two turns ago, since they had before they joined last.
void ProcessCommunicator::ProcessLink::turn() {
  ++turn_;
  for (MessageBytes& message : written_[turn_ % kTurns]) message.clear();
  std::ranges::fill(sent_bytes_, std::size_t{0});
}

std::span<const std::byte> ProcessCommunicator::ProcessLink::from(std::uint32_t strip) {
  if (isa::mutant(isa::Mutant::MessageLost) && turn_ % 8 == 0) return {};
  const std::uint64_t slot = (turn_ - 1) % kTurns;
  if (all_.runs(strip)) return all_.place(strip).link.written_[slot][strip_];
  return came_[isa::mutant(isa::Mutant::FrameStale) && turn_ % 8 == 0 ? turn_ % kTurns : slot]
              [strip];
}

void ProcessCommunicator::ProcessLink::post(std::uint32_t strip, MessageBytes bytes) {
  if (all_.runs(strip)) {
    ProcessLink& there = all_.place(strip).link;
    const std::lock_guard lock(there.mutex_);
    there.mail_.push_back({strip_, std::move(bytes)});
    there.has_mail_.store(true, std::memory_order_release);
    return;
  }
  all_.put_out({all_.shares_.process_of(strip), strip_, strip, std::move(bytes)});
}

bool ProcessCommunicator::ProcessLink::receive(Mail& mail) {
  if (!has_mail_.load(std::memory_order_acquire)) return false;
  const std::lock_guard lock(mutex_);
  mail = std::move(mail_.front());
  mail_.pop_front();
  if (mail_.empty()) has_mail_.store(false, std::memory_order_relaxed);
  return true;
}

void ProcessCommunicator::ProcessLink::wait_for_mail() {
  const std::uint32_t failed = all_.failed_.load(std::memory_order_relaxed);
  if (failed != ~0u) throw LostStrip(fmt::format("strip {} has failed", failed));
  all_.throw_if_lost();
  const bool speaks = all_.is_alone_ || strip_ == all_.first_;
  const bool served = all_.is_alone_ && all_.serve_others(this);
  if (!speaks) return std::this_thread::yield();
  if (all_.pump(!served)) return;
  for (std::uint32_t process = 0; process < all_.unread_.size(); ++process) {
    if (all_.is_other(process)) all_.expect_alive(process);
  }
}

void ProcessCommunicator::ProcessLink::fail() {
  all_.failed_.store(strip_, std::memory_order_relaxed);
  for (std::uint32_t process = 0; process < all_.unread_.size(); ++process) {
    if (all_.is_other(process)) all_.put_out({process, strip_, strip_, {}, true});
  }
}

// ---- a strip's place in reductions

StripReport ProcessCommunicator::ProcessReduce::join(const StripReport& report, Server* server) {
  report_ = report;
  Barrier& barrier = *all_.barrier_;
  const auto serve = [server] { return server != nullptr && server->serve(); };
  if (index_ > 0) {
    for (int side = 0; side < 2; ++side) {
      server == nullptr ? barrier.wait(index_) : barrier.wait(index_, serve);
    }
  } else {
    if (all_.places_.size() > 1) {
      barrier.wait(0, [&] {
        const bool came = all_.pump(false);
        return serve() || came;
      });
    }
    StripReport mine;
    for (const auto& place : all_.places_) mine.join(place->reduce.report_);
    all_.all_reports_ = all_.exchange(mine, server);
    if (all_.places_.size() > 1) barrier.wait(0);
  }
  all_.throw_if_lost();
  return all_.all_reports_;
}

// ---- the process

void ProcessCommunicator::put_out(Outgoing outgoing) {
  const std::lock_guard lock(mutex_);
  outbox_.push_back(std::move(outgoing));
  has_outbox_.store(true, std::memory_order_release);
}

ProcessCommunicator::ProcessCommunicator(FrameChannel& channel, Traffic& traffic,
                                         std::uint32_t strips)
    : channel_(channel),
      traffic_(traffic),
      shares_(strips, channel.processes()),
      first_(shares_.first(channel.process())),
      unread_(shares_.processes) {
  const std::uint32_t end = shares_.first(channel.process() + 1);
  for (std::uint32_t strip = first_; strip < end; ++strip) {
    places_.push_back(std::make_unique<Place>(*this, strip, strip - first_, strips));
  }
  if (!places_.empty()) barrier_.emplace(static_cast<std::uint32_t>(places_.size()));
}

void ProcessCommunicator::lose(std::string why) {
  if (is_lost_) return;
  lost_ = std::move(why);
  is_lost_.store(true, std::memory_order_release);
}

void ProcessCommunicator::throw_if_lost() const {
  if (is_lost_.load(std::memory_order_acquire)) throw LostStrip(lost_);
}

void ProcessCommunicator::expect_alive(std::uint32_t process) {
  std::string why = channel_.loss(process);
  if (!why.empty()) lose(std::move(why));
}

void ProcessCommunicator::send(std::uint32_t process, MessageBytes frame) {
  ++traffic_.frames;
  traffic_.bytes += frame.size();
  channel_.send(process, std::move(frame));
}

bool ProcessCommunicator::pump(bool waits) {
  if (has_outbox_.load(std::memory_order_acquire)) {
    const std::lock_guard lock(mutex_);
    for (const Outgoing& mail : outbox_) {
      MessageBytes frame = frame_of(mail.is_failure ? FrameKind::Failure : FrameKind::Mail);
      append(frame, mail.from);
      append(frame, mail.to);
      append_bytes(frame, mail.bytes);
      traffic_.mails += mail.is_failure ? 0 : 1;
      send(mail.process, std::move(frame));
    }
    outbox_.clear();
    has_outbox_.store(false, std::memory_order_relaxed);
  }
  bool came = false;
  for (Frame frame; channel_.receive(frame, waits && !came);) {
    came = true;
    sort(frame);
  }
  return came;
}

void ProcessCommunicator::sort(Frame& frame) {
  if (frame.from >= unread_.size())
    return lose(fmt::format("process {} runs no strip", frame.from));
  StateReader reader(frame.bytes);
  FrameKind kind = FrameKind::Exchange;
  reader.below(kind, 3);
  if (reader.ok() && kind == FrameKind::Exchange) {
    unread_[frame.from].push_back(std::move(frame.bytes));
    return;
  }
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  reader.number(from);
  reader.number(to);
  MessageBytes bytes = bytes_in(reader);
  if (!reader.ok() || reader.left() > 0 || (kind == FrameKind::Mail && !runs(to))) {
    return lose(fmt::format("a frame of process {} is broken", frame.from));
  }
  if (kind == FrameKind::Failure) return failed_.store(from, std::memory_order_relaxed);
  ProcessLink& there = place(to).link;
  const std::lock_guard lock(there.mutex_);
  there.mail_.push_back({from, std::move(bytes)});
  there.has_mail_.store(true, std::memory_order_release);
}

bool ProcessCommunicator::serve_others(const ProcessLink* but) const {
  bool served = false;
  for (const auto& place : places_) {
    Server* const server = place->link.server_;
    if (&place->link != but && server != nullptr && server->serve()) served = true;
  }
  return served;
}

StripReport ProcessCommunicator::exchange(const StripReport& mine, Server* server) {
  if (is_lost_ || unread_.size() < 2) return mine;
  ++traffic_.exchanges;
  if (std::exchange(open_turn_, turn()) != turn()) {
    for (const auto& place : places_) {
      for (MessageBytes& message : place->link.came_[turn() % kTurns]) message.clear();
    }
  }
  send_frames(mine);
  StripReport all = mine;
  if (!wait_for_frames(server)) return all;
  told_.clear();
  for (std::uint32_t process = 0; process < unread_.size(); ++process) {
    if (is_other(process)) take_frame(process, all);
  }
  return all;
}

void ProcessCommunicator::send_frames(const StripReport& mine) {
  StripReport report = mine;
  for (std::uint32_t process = 0; process < unread_.size(); ++process) {
    if (!is_other(process)) continue;
    StateWriter writer;
    FrameKind kind = FrameKind::Exchange;
    std::uint64_t turn_number = turn();
    writer.number(kind);
    writer.number(turn_number);
    pass(writer, report);
    MessageBytes frame = std::move(writer.written());
    append_bytes(frame, process == 0 ? telling_ : MessageBytes());
    append_messages(process, frame);
    send(process, std::move(frame));
  }
  telling_.clear();
}

void ProcessCommunicator::append_messages(std::uint32_t process, MessageBytes& frame) {
  for (const auto& place : places_) {
    for (std::uint32_t to = shares_.first(process); to < shares_.first(process + 1); ++to) {
      const MessageBytes& message = place->link.written_[turn() % kTurns][to];
      std::size_t& sent = place->link.sent_bytes_[to];
      if (message.size() == sent) continue;  // an exchange before, of this turn, has sent it
      append(frame, place->link.strip_);
      append(frame, to);
      append_bytes(frame, std::span(message).subspan(sent));
      sent = message.size();
      ++traffic_.messages;
    }
  }
}

bool ProcessCommunicator::wait_for_frames(Server* server) {
  const auto are_there = [this] {
    for (std::uint32_t process = 0; process < unread_.size(); ++process) {
      if (is_other(process) && unread_[process].empty()) return false;
    }
    return true;
  };
  bool served = false;
  while (!are_there() || !channel_.is_drained()) {
    if (!pump(!served)) {
      for (std::uint32_t process = 0; process < unread_.size(); ++process) {
        if (is_other(process) && unread_[process].empty()) expect_alive(process);
      }
    }
    if (is_lost_) return false;
    served = server != nullptr && server->serve();
  }
  return true;
}

void ProcessCommunicator::take_frame(std::uint32_t process, StripReport& all) {
  const MessageBytes frame = std::move(unread_[process].front());
  unread_[process].pop_front();
  StateReader reader(frame);
  FrameKind kind = FrameKind::Exchange;
  std::uint64_t turn_number = 0;
  StripReport report;
  reader.number(kind);
  reader.number(turn_number);
  reader.expect(turn_number == turn());
  pass(reader, report);
  MessageBytes telling = bytes_in(reader);
  if (!telling.empty()) told_.push_back(std::move(telling));
  while (reader.ok() && reader.left() > 0) {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    reader.number(from);
    reader.number(to);
    reader.expect(runs(to) && from < shares_.strips && !runs(from));
    const MessageBytes bytes = bytes_in(reader);
    if (!reader.ok()) break;
    MessageBytes& message = place(to).link.came_[turn() % kTurns][from];
    message.insert(message.end(), bytes.begin(), bytes.end());
  }
  if (!reader.ok()) return lose(fmt::format("a frame of process {} is broken", process));
  if (isa::mutant(isa::Mutant::FrameReport) && process > 1) report.next = kNever;
  all.join(report);
}

StripReport ProcessCommunicator::join_others(const StripReport& report) {
  if (places_.empty()) return report;
  struct All final : Server {
    explicit All(const ProcessCommunicator& its_process) : process(its_process) {}
    bool serve() override { return process.serve_others(nullptr); }
    const ProcessCommunicator& process;
  } all(*this);
  const StripReport joined = exchange(report, &all);
  throw_if_lost();
  return joined;
}

// ---- machines

std::unique_ptr<Communicator> ProcessMedium::connect(std::uint32_t strips) const {
  return std::make_unique<ProcessCommunicator>(channel_, traffic_, strips);
}

std::uint32_t ProcessMedium::threads(std::uint32_t strips) const {
  const StripShares shares(strips, channel_.processes());
  const std::uint32_t own = shares.first(channel_.process() + 1) - shares.first(channel_.process());
  return std::max(1u, own);
}

}  // namespace wse::vm
