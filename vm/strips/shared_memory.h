// Strips that are threads of one process: messages lie in memory, and a barrier joins reports.
#pragma once

#include <array>
#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "vm/contract/communicator.h"
#include "vm/support/barrier.h"

namespace wse::vm {

class SharedMemory final : public Communicator {
 public:
  explicit SharedMemory(std::uint32_t strips);

  Link& link(std::uint32_t strip) override { return places_[strip]->link; }
  Reduce& reduce(std::uint32_t strip) override { return places_[strip]->reduce; }
  bool runs(std::uint32_t /*strip*/) const override { return true; }
  void work_alone(bool alone) override { is_alone_ = alone; }

 private:
  static constexpr std::uint32_t kNone = ~0u;

  // What a strip writes in a turn the others read in the next one. So a strip has two messages for
  // each of them, and writes one while they read the other.
  class SharedLink final : public Link {
   public:
    SharedLink(SharedMemory& memory, std::uint32_t strip, std::uint32_t strips)
        : memory_(memory), strip_(strip) {
      for (auto& messages : messages_) messages.resize(strips);
    }
    std::uint32_t strips() const override {
      return static_cast<std::uint32_t>(memory_.places_.size());
    }
    std::uint32_t strip() const override { return strip_; }
    MessageBytes& to(std::uint32_t strip) override { return messages_[turn_ % 2][strip]; }
    void turn() override;
    std::span<const std::byte> from(std::uint32_t strip) override;
    void post(std::uint32_t strip, MessageBytes bytes) override;
    bool receive(Mail& mail) override;
    void wait_for_mail() override;
    void fail() override { memory_.failed_.store(strip_, std::memory_order_relaxed); }
    void connect(Server& server) override { server_ = &server; }
    void disconnect() override { server_ = nullptr; }

   private:
    SharedMemory& memory_;
    std::uint32_t strip_;
    std::uint64_t turn_ = 0;
    std::array<std::vector<MessageBytes>, 2> messages_;  // by who reads them
    std::mutex mutex_;
    std::deque<Mail> mail_;
    std::atomic<bool> has_mail_ = false;
    Server* server_ = nullptr;
  };

  class SharedReduce final : public Reduce {
   public:
    SharedReduce(SharedMemory& memory, std::uint32_t strip) : memory_(memory), strip_(strip) {}
    StripReport join(const StripReport& report, Server* server) override;
    void meet(Server* server) override;

   private:
    SharedMemory& memory_;
    std::uint32_t strip_;
    std::uint64_t round_ = 0;
    // Of this round and of the one before, which others may still read.
    std::array<StripReport, 2> reports_;
  };

  struct alignas(64) Place {
    Place(SharedMemory& memory, std::uint32_t strip, std::uint32_t strips)
        : link(memory, strip, strips), reduce(memory, strip) {}
    SharedLink link;
    SharedReduce reduce;
  };

  Barrier barrier_;
  std::vector<std::unique_ptr<Place>> places_;
  bool is_alone_ = false;
  std::atomic<std::uint32_t> failed_ = kNone;  // the last strip that has failed
};

// The medium of machines that are told of no other one.
class InMemory final : public Medium {
 public:
  std::unique_ptr<Communicator> connect(std::uint32_t strips) const override {
    return std::make_unique<SharedMemory>(strips);
  }
  std::uint32_t threads(std::uint32_t strips) const override { return strips; }
};

}  // namespace wse::vm
