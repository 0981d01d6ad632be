// Strips of one machine that several processes run: each has some, a thread for each. Messages
// within a process lie in memory; those to another process go in frames of a channel.
//
//     turn      each strip writes its messages, then joins
//     exchange  the first thread sends one frame to each other process: the report of its strips,
//               and their messages to the strips there; it waits for one frame of each
//     then      all strips of all processes have the same report, and read what came
//
// A frame takes one way and no answer, so a decision costs the time of one message. Mail - words
// that a strip asks another one for - goes in frames of its own.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "vm/contract/communicator.h"
#include "vm/processes/frame_channel.h"
#include "vm/support/barrier.h"

namespace wse::vm {

// Sums over a run, of one process.
struct Traffic {
  std::uint64_t exchanges = 0;  // reductions with other processes
  std::uint64_t frames = 0;     // sent
  std::uint64_t bytes = 0;      // in them
  std::uint64_t messages = 0;   // of strips to those of other processes, in frames
  std::uint64_t mails = 0;      // the same

  // Adds that of another process, which took part in the same exchanges.
  void add(const Traffic& other) {
    exchanges = std::max(exchanges, other.exchanges);
    frames += other.frames;
    bytes += other.bytes;
    messages += other.messages;
    mails += other.mails;
  }
};

// Which process runs which strips: about as many each, in their order.
struct StripShares {
  std::uint32_t strips = 0;
  std::uint32_t processes = 0;  // that run some: at most as many as there are strips

  StripShares(std::uint32_t all_strips, std::uint32_t all_processes)
      : strips(all_strips), processes(std::min(all_strips, all_processes)) {}
  // Returns the first strip of a process; of the one after the last process, how many there are.
  std::uint32_t first(std::uint32_t process) const {
    if (process >= processes) return strips;
    return static_cast<std::uint32_t>(std::uint64_t{process} * strips / processes);
  }
  std::uint32_t process_of(std::uint32_t strip) const;
};

class ProcessCommunicator final : public Communicator {
 public:
  // Both must live longer.
  ProcessCommunicator(FrameChannel& channel, Traffic& traffic, std::uint32_t strips);

  Link& link(std::uint32_t strip) override { return place(strip).link; }
  Reduce& reduce(std::uint32_t strip) override { return place(strip).reduce; }
  bool runs(std::uint32_t strip) const override { return strip - first_ < places_.size(); }
  void work_alone(bool alone) override { is_alone_ = alone; }
  StripReport join_others(const StripReport& report) override;
  void tell(MessageBytes bytes) override { telling_ = std::move(bytes); }
  std::vector<MessageBytes> take_told() override { return std::exchange(told_, {}); }

 private:
  // The turn that is written, and the one before, which is read.
  static constexpr std::uint64_t kTurns = 2;
  using Messages = std::vector<MessageBytes>;  // by strip of the machine

  class ProcessLink final : public Link {
   public:
    ProcessLink(ProcessCommunicator& all, std::uint32_t strip, std::uint32_t strips)
        : all_(all), strip_(strip) {
      for (Messages& messages : written_) messages.resize(strips);
      for (Messages& messages : came_) messages.resize(strips);
      sent_bytes_.resize(strips);
    }
    std::uint32_t strips() const override { return all_.shares_.strips; }
    std::uint32_t strip() const override { return strip_; }
    MessageBytes& to(std::uint32_t strip) override { return written_[turn_ % kTurns][strip]; }
    void turn() override;
    std::span<const std::byte> from(std::uint32_t strip) override;
    void post(std::uint32_t strip, MessageBytes bytes) override;
    bool receive(Mail& mail) override;
    void wait_for_mail() override;
    void fail() override;
    void connect(Server& server) override { server_ = &server; }
    void disconnect() override { server_ = nullptr; }

   private:
    friend class ProcessCommunicator;

    ProcessCommunicator& all_;
    std::uint32_t strip_;
    std::uint64_t turn_ = 0;
    std::array<Messages, kTurns> written_;  // by who reads them
    std::array<Messages, kTurns> came_;     // from strips of other processes
    std::vector<std::size_t> sent_bytes_;   // of what this turn has written
    std::mutex mutex_;
    std::deque<Mail> mail_;
    std::atomic<bool> has_mail_ = false;
    Server* server_ = nullptr;
  };

  class ProcessReduce final : public Reduce {
   public:
    ProcessReduce(ProcessCommunicator& all, std::uint32_t index) : all_(all), index_(index) {}
    StripReport join(const StripReport& report, Server* server) override;
    void meet(Server* server) override { join({}, server); }

   private:
    friend class ProcessCommunicator;

    ProcessCommunicator& all_;
    std::uint32_t index_;  // among the strips of this process
    StripReport report_;
  };

  struct alignas(64) Place {
    Place(ProcessCommunicator& all, std::uint32_t strip, std::uint32_t index, std::uint32_t strips)
        : link(all, strip, strips), reduce(all, index) {}
    ProcessLink link;
    ProcessReduce reduce;
  };
  // Mail, or the failure of a strip.
  struct Outgoing {
    std::uint32_t process = 0;
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    MessageBytes bytes;
    bool is_failure = false;
  };

  Place& place(std::uint32_t strip) const { return *places_[strip - first_]; }
  std::uint64_t turn() const { return places_.front()->link.turn_; }
  bool is_other(std::uint32_t process) const { return process != channel_.process(); }
  // Joins the report of this process with those of the others. Serves meanwhile. Never throws: what
  // keeps this process from the others is in lost_.
  StripReport exchange(const StripReport& mine, Server* server);
  bool wait_for_frames(Server* server);
  void send_frames(const StripReport& mine);
  void append_messages(std::uint32_t process, MessageBytes& frame);
  void take_frame(std::uint32_t process, StripReport& all);
  // Sends mail that waits, and takes frames that have come. Returns whether any has; `waits`: for
  // one, a moment.
  bool pump(bool waits);
  void sort(Frame& frame);
  void send(std::uint32_t process, MessageBytes frame);
  // Checks that the process, for which this one waits, may still answer.
  void expect_alive(std::uint32_t process);
  void put_out(Outgoing outgoing);
  void lose(std::string why);
  void throw_if_lost() const;
  // Lets the other strips of this process answer mail.
  bool serve_others(const ProcessLink* but) const;

  FrameChannel& channel_;
  Traffic& traffic_;
  StripShares shares_;
  std::uint32_t first_;  // strip of this process
  std::vector<std::unique_ptr<Place>> places_;
  // By process, those that run strips: frames of exchanges that have not been read.
  std::vector<std::deque<MessageBytes>> unread_;
  std::optional<Barrier> barrier_;  // of the strips of this process
  StripReport all_reports_;
  std::optional<std::uint64_t> open_turn_;  // in which messages of others may have come
  bool is_alone_ = false;
  std::mutex mutex_;
  std::deque<Outgoing> outbox_;  // of strips but the first
  std::atomic<bool> has_outbox_ = false;
  std::atomic<std::uint32_t> failed_ = ~0u;  // the last strip that has failed
  std::string lost_;                         // why the run cannot go on
  std::atomic<bool> is_lost_ = false;        // written after it
  MessageBytes telling_;
  std::vector<MessageBytes> told_;
};

// Where strips of several processes meet. Each process makes the same machine with it.
class ProcessMedium final : public Medium {
 public:
  // The channel must live longer than the machine.
  explicit ProcessMedium(FrameChannel& channel) : channel_(channel) {}

  std::unique_ptr<Communicator> connect(std::uint32_t strips) const override;
  std::uint32_t threads(std::uint32_t strips) const override;
  std::uint32_t processes() const override { return channel_.processes(); }

  // Returns what this process has sent for its machines.
  const Traffic& traffic() const { return traffic_; }

 private:
  FrameChannel& channel_;
  mutable Traffic traffic_;
};

}  // namespace wse::vm
