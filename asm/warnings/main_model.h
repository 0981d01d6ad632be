// How far the mains of some PEs can come at most, if nothing but words and room holds them up.
//
// It is generous: a way holds as many words as all of its queues together, asynchronous
// instructions need no free thread, and nothing takes time. So what stands still here stands still
// in every run. Must never be given less room or fewer words than the machine has.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "asm/warnings/main_path.h"
#include "isa/support/limits.h"

namespace wse::assembler {

class MainModel {
 public:
  // An instruction that waits for another PE.
  struct Wait {
    std::uint32_t member = 0;
    std::size_t step = 0;  // of its path
    FabricStep::Operand operand{};
    std::uint64_t words = 0;    // that it has moved of the colour
    std::uint32_t partner = 0;  // the member that would have to send or take a word
  };

  MainModel() = default;

  // Members are numbered in their order. The path must live as long as the model.
  void add_member(const MainPath& path);
  std::size_t members() const { return members_.size(); }
  const MainPath& path(std::uint32_t member) const { return *members_[member].path; }

  // Words of the colour that `sender` sends come to `receiver`, and the way there holds so many.
  // An end that is not connected has all the words and all the room it wants.
  void connect(std::uint32_t sender, std::uint32_t colour, std::uint32_t receiver,
               std::uint64_t room);

  // Runs all members from their beginnings until nothing moves. `beside`: an instruction of that
  // member that does not hold up what follows. False if that takes too much work.
  bool run(const std::optional<Wait>& beside = std::nullopt);

  // After run(): what holds up the main of the member; nothing if it has come to its end.
  std::optional<Wait> wait_of(std::uint32_t member) const;
  // Returns what holds up the instruction of the partner that would serve `wait`.
  std::optional<Wait> next_of(const Wait& wait) const;

 private:
  static constexpr std::uint64_t kUnlimited = std::uint64_t{1} << 48;
  static constexpr std::uint32_t kNone = ~0u;

  struct Running {
    std::size_t step = 0;
    std::uint64_t done = 0;  // elements
  };
  struct Member {
    const MainPath* path = nullptr;
    Running main{};
    std::vector<Running> beside{};   // asynchronous instructions
    std::uint32_t receives_any = 0;  // colours of which it may take any number of words, as bits
    std::uint32_t sends_any = 0;
    std::array<std::uint32_t, isa::kMaxColours> sends_to{};       // a channel, or kNone
    std::array<std::uint32_t, isa::kMaxColours> receives_from{};  // the same
  };
  struct Receiver {
    std::uint32_t member = 0;
    std::uint64_t room = 0;
    std::uint64_t taken = 0;  // words
  };
  struct Channel {
    std::uint32_t sender = 0;
    std::uint64_t sent = 0;  // words
    std::vector<Receiver> receivers;
  };

  void begin();
  bool step(std::uint32_t member, const std::optional<Wait>& beside);
  bool move(std::uint32_t member, Running& running);
  std::uint64_t free_words(std::uint32_t member, const FabricStep::Operand& operand) const;
  std::optional<Wait> wait_of(std::uint32_t member, const Running& running) const;
  const Receiver& receiver_of(const Channel& channel, std::uint32_t member) const;
  Receiver& receiver_of(Channel& channel, std::uint32_t member);
  void wake_partners(std::uint32_t member);
  void wake(std::uint32_t member);

  std::vector<Member> members_;
  std::vector<Channel> channels_;
  std::vector<std::uint32_t> open_;  // members that may move
  std::vector<bool> is_open_;
};

}  // namespace wse::assembler
