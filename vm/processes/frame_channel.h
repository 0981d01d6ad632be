// A channel: frames of bytes between the processes that run one machine, on one host or several.
// The starter of processes gives each of them one: sockets (tests/support), ranks (vm/cli).
#pragma once

#include <cstdint>
#include <string>

#include "vm/contract/link.h"

namespace wse::vm {

// A frame from another process.
struct Frame {
  std::uint32_t from = 0;  // process
  MessageBytes bytes;
};

// All functions are for one thread, that of the process's first strip.
class FrameChannel {
 public:
  virtual ~FrameChannel() = default;

  virtual std::uint32_t processes() const = 0;
  // Returns the number of this process.
  virtual std::uint32_t process() const = 0;

  // Sends a frame, which comes after all that were sent there before. Returns at once; what cannot
  // be sent any more is lost.
  virtual void send(std::uint32_t process, MessageBytes frame) = 0;
  // Takes the next frame; waits for it for a moment, or not at all. Returns false if there is none.
  virtual bool receive(Frame& frame, bool waits) = 0;
  // Whether all that was sent is on its way without this process.
  virtual bool is_drained() = 0;
  // Returns why a process will send nothing more, in words that name it; empty if it may.
  virtual std::string loss(std::uint32_t process) = 0;
};

}  // namespace wse::vm
