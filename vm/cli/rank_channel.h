// The frames of a machine over the ranks of a launcher.
#pragma once

#include <string>

#include "ranks/ranks.h"
#include "vm/processes/frame_channel.h"

namespace wse::cli {

class RankChannel final : public vm::FrameChannel {
 public:
  // The ranks must live longer, and beat.
  explicit RankChannel(ranks::Ranks& ranks) : ranks_(ranks) {}

  std::uint32_t processes() const override { return static_cast<std::uint32_t>(ranks_.size()); }
  std::uint32_t process() const override { return static_cast<std::uint32_t>(ranks_.rank()); }
  void send(std::uint32_t process, vm::MessageBytes frame) override;
  bool receive(vm::Frame& frame, bool waits) override;
  bool is_drained() override { return true; }
  std::string loss(std::uint32_t process) override;

 private:
  ranks::Ranks& ranks_;
  std::string problem_;  // why nothing can be sent or received
};

}  // namespace wse::cli
