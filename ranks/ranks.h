// Processes of one launch, on one host or several, that send each other bytes: ranks 0 to size - 1.
// The one implementation lies in a module of its own (mpi/), which is loaded when it is needed
// (load_ranks.h): nothing here names MPI.
//
//     auto ranks = load_ranks();
//     ranks->send(0, Channel::Scripts, "hello");
//     if (auto message = ranks->receive(Channel::Scripts); message && *message) ...
//     ranks->leave();
//
// All functions are for the thread that made the object. None waits for another rank without an
// end.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "isa/support/result.h"

namespace wse::ranks {

struct Message {
  int from = 0;
  std::string bytes;
};

// Messages of different users never meet. Those of one sender on one channel come in their order.
enum class Channel : int { Scripts, Machines };

enum class Reduction : int { Sum, Least, Most };

using Patience = std::chrono::milliseconds;

class Ranks {
 public:
  virtual ~Ranks() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  // How many ranks this host has, with this one.
  virtual int on_host() const = 0;
  // The host of a rank, for messages.
  virtual const std::string& host(int rank) const = 0;

  // Sends at most 2^31 - 1 bytes; returns at once, and keeps what is still on its way.
  virtual isa::Status send(int to, Channel channel, std::string bytes) = 0;

  // Returns the next message that has come, if any has.
  virtual isa::Result<std::optional<Message>> receive(Channel channel) = 0;

  // Returns once all ranks have called it. Errors: some have not in that time.
  virtual isa::Status barrier(Patience patience) = 0;

  // Returns the sum, least or most of the values of all ranks, the same for each. Errors: some have
  // not called it in that time.
  virtual isa::Result<std::uint64_t> reduce(Reduction how, std::uint64_t value,
                                            Patience patience) = 0;

  // A rank that beats and has not been heard for so long is gone, or stopped.
  static constexpr Patience kMostSilence{14'000};
  // Tells the others from now on, by a thread of its own, that this rank lives, whatever it does.
  // All ranks call it, or none. Processes that they fork afterwards must not use the ranks.
  virtual void beat() = 0;
  // Returns for how long nothing has come from a rank that beats; nothing if ranks do not beat.
  virtual std::optional<Patience> silence(int rank) = 0;

  // Ends this rank's part, after which nothing may be called. Every rank that ends well calls it,
  // and it waits for all others: for a launcher, a process that ends without it has failed.
  virtual void leave() = 0;

  // Ends the processes of all ranks with this exit code. Where a rank is silent the launcher first
  // gets 10 s to find out by itself: it may not end while it tells a host that is gone.
  [[noreturn]] virtual void abort(int code) = 0;
};

}  // namespace wse::ranks
