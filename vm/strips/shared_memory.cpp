// Messages and reports are written before a barrier, and read after it.
#include "vm/strips/shared_memory.h"

#include <fmt/format.h>

#include <thread>
#include <utility>

#include "isa/support/mutant.h"

namespace wse::vm {

SharedMemory::SharedMemory(std::uint32_t strips) : barrier_(strips) {
  for (std::uint32_t strip = 0; strip < strips; ++strip) {
    places_.push_back(std::make_unique<Place>(*this, strip, strips));
  }
}

// All have read what was written two turns ago, since they had before they met last.
void SharedMemory::SharedLink::turn() {
  ++turn_;
  for (MessageBytes& message : messages_[turn_ % 2]) message.clear();
}

std::span<const std::byte> SharedMemory::SharedLink::from(std::uint32_t strip) {
  if (isa::mutant(isa::Mutant::MessageLost) && turn_ % 8 == 0) return {};
  return memory_.places_[strip]->link.messages_[(turn_ - 1) % 2][strip_];
}

void SharedMemory::SharedLink::post(std::uint32_t strip, MessageBytes bytes) {
  SharedLink& there = memory_.places_[strip]->link;
  const std::lock_guard lock(there.mutex_);
  there.mail_.push_back({strip_, std::move(bytes)});
  there.has_mail_.store(true, std::memory_order_release);
}

bool SharedMemory::SharedLink::receive(Mail& mail) {
  if (!has_mail_.load(std::memory_order_acquire)) return false;
  const std::lock_guard lock(mutex_);
  mail = std::move(mail_.front());
  mail_.pop_front();
  if (mail_.empty()) has_mail_.store(false, std::memory_order_relaxed);
  return true;
}

void SharedMemory::SharedLink::wait_for_mail() {
  const std::uint32_t failed = memory_.failed_.load(std::memory_order_relaxed);
  if (failed != kNone) throw LostStrip(fmt::format("strip {} has failed", failed));
  if (!memory_.is_alone_) return std::this_thread::yield();
  for (const auto& place : memory_.places_) {
    if (&place->link != this) place->link.server_->serve();
  }
}

StripReport SharedMemory::SharedReduce::join(const StripReport& report, Server* server) {
  const std::uint64_t round = round_++ % 2;
  reports_[round] = report;
  meet(server);
  StripReport all;
  for (const auto& place : memory_.places_) all.join(place->reduce.reports_[round]);
  return all;
}

void SharedMemory::SharedReduce::meet(Server* server) {
  if (server == nullptr) return memory_.barrier_.wait(strip_);
  memory_.barrier_.wait(strip_, [server] { return server->serve(); });
}

}  // namespace wse::vm
