// Moves as many elements at a time as words and room allow; the order of visits does not matter.
#include "asm/warnings/main_model.h"

#include <algorithm>
#include <utility>

namespace wse::assembler {
namespace {

constexpr std::size_t kVisits = 200'000;  // of members, in one run

}  // namespace

void MainModel::add_member(const MainPath& path) {
  Member& member = members_.emplace_back();
  member.path = &path;
  member.sends_to.fill(kNone);
  member.receives_from.fill(kNone);
}

void MainModel::connect(std::uint32_t sender, std::uint32_t colour, std::uint32_t receiver,
                        std::uint64_t room) {
  std::uint32_t& channel = members_[sender].sends_to[colour];
  if (channel == kNone) {
    channel = static_cast<std::uint32_t>(channels_.size());
    channels_.push_back({.sender = sender, .sent = 0, .receivers = {}});
  }
  channels_[channel].receivers.push_back({.member = receiver, .room = room});
  members_[receiver].receives_from[colour] = channel;
}

void MainModel::begin() {
  for (Member& member : members_) {
    member.main = {};
    member.beside.clear();
    member.receives_any = member.sends_any = member.path->has_main_only ? 0 : ~0u;
  }
  for (Channel& channel : channels_) {
    channel.sent = 0;
    for (Receiver& receiver : channel.receivers) receiver.taken = 0;
  }
  open_.clear();
  is_open_.assign(members_.size(), false);
  for (std::uint32_t k = 0; k < members_.size(); ++k) wake(k);
}

bool MainModel::run(const std::optional<Wait>& beside) {
  begin();
  for (std::size_t visits = 0; !open_.empty(); ++visits) {
    if (visits == kVisits) return false;
    const std::uint32_t member = open_.back();
    open_.pop_back();
    is_open_[member] = false;
    if (step(member, beside)) wake_partners(member);
  }
  return true;
}

void MainModel::wake(std::uint32_t member) {
  if (is_open_[member]) return;
  is_open_[member] = true;
  open_.push_back(member);
}

void MainModel::wake_partners(std::uint32_t member) {
  for (const std::uint32_t channel : members_[member].sends_to) {
    if (channel == kNone) continue;
    for (const Receiver& receiver : channels_[channel].receivers) wake(receiver.member);
  }
  for (const std::uint32_t channel : members_[member].receives_from) {
    if (channel != kNone) wake(channels_[channel].sender);
  }
}

// Whether anything moved.
bool MainModel::step(std::uint32_t number, const std::optional<Wait>& beside) {
  Member& member = members_[number];
  const std::vector<FabricStep>& steps = member.path->steps;
  bool moved = false;
  for (bool goes_on = true; goes_on && member.main.step < steps.size();) {
    const FabricStep& step = steps[member.main.step];
    const bool is_beside = beside && beside->member == number && beside->step == member.main.step;
    goes_on = true;
    if (step.operands.empty()) {
      member.receives_any |= step.may_receive;
      member.sends_any |= step.may_send;
    } else if (step.asynchronous || is_beside) {
      member.beside.push_back(member.main);
    } else {
      moved |= move(number, member.main);
      goes_on = member.main.done == step.elements;
    }
    if (goes_on) {
      member.main = {.step = member.main.step + 1};
      moved = true;
    }
  }
  for (Running& running : member.beside) moved |= move(number, running);
  return moved;
}

// Words that the operand could still send or receive.
std::uint64_t MainModel::free_words(std::uint32_t number,
                                    const FabricStep::Operand& operand) const {
  const Member& member = members_[number];
  if (operand.receives) {
    const std::uint32_t from = member.receives_from[operand.colour];
    if (from == kNone) return kUnlimited;
    const Channel& channel = channels_[from];
    const bool any = (members_[channel.sender].sends_any >> operand.colour & 1) != 0;
    return any ? kUnlimited : channel.sent - receiver_of(channel, number).taken;
  }
  const std::uint32_t to = member.sends_to[operand.colour];
  if (to == kNone) return kUnlimited;
  std::uint64_t least = kUnlimited;
  for (const Receiver& receiver : channels_[to].receivers) {
    const bool any = (members_[receiver.member].receives_any >> operand.colour & 1) != 0;
    if (!any) least = std::min(least, receiver.room - (channels_[to].sent - receiver.taken));
  }
  return least;
}

bool MainModel::move(std::uint32_t number, Running& running) {
  const FabricStep& step = members_[number].path->steps[running.step];
  std::uint64_t end = step.elements;
  for (const FabricStep::Operand& operand : step.operands) {
    const std::uint64_t words = operand.words(running.done) + free_words(number, operand);
    end = std::min(end, operand.packed ? 2 * words : words);
  }
  const std::uint64_t before = std::exchange(running.done, std::max(running.done, end));
  if (running.done == before) return false;
  for (const FabricStep::Operand& operand : step.operands) {
    const Member& member = members_[number];
    const std::uint64_t words = operand.words(running.done) - operand.words(before);
    const std::uint32_t from = member.receives_from[operand.colour];
    const std::uint32_t to = member.sends_to[operand.colour];
    if (operand.receives && from != kNone) receiver_of(channels_[from], number).taken += words;
    if (!operand.receives && to != kNone) channels_[to].sent += words;
  }
  return true;
}

const MainModel::Receiver& MainModel::receiver_of(const Channel& channel,
                                                  std::uint32_t member) const {
  return *std::ranges::find(channel.receivers, member, &Receiver::member);
}

MainModel::Receiver& MainModel::receiver_of(Channel& channel, std::uint32_t member) {
  return *std::ranges::find(channel.receivers, member, &Receiver::member);
}

std::optional<MainModel::Wait> MainModel::wait_of(std::uint32_t number) const {
  const Member& member = members_[number];
  if (member.main.step >= member.path->steps.size()) return std::nullopt;
  return wait_of(number, member.main);
}

std::optional<MainModel::Wait> MainModel::wait_of(std::uint32_t number,
                                                  const Running& running) const {
  const FabricStep& step = members_[number].path->steps[running.step];
  for (const FabricStep::Operand& operand : step.operands) {
    const bool needs = operand.words(running.done + 1) > operand.words(running.done);
    if (running.done == step.elements || !needs || free_words(number, operand) > 0) continue;
    Wait wait{.member = number,
              .step = running.step,
              .operand = operand,
              .words = operand.words(running.done)};
    if (operand.receives) {
      wait.partner = channels_[members_[number].receives_from[operand.colour]].sender;
      return wait;
    }
    const Channel& channel = channels_[members_[number].sends_to[operand.colour]];
    const auto full = std::ranges::find_if(channel.receivers, [&](const Receiver& receiver) {
      const bool any = (members_[receiver.member].receives_any >> operand.colour & 1) != 0;
      return !any && receiver.room == channel.sent - receiver.taken;
    });
    wait.partner = full->member;
    return wait;
  }
  return std::nullopt;
}

std::optional<MainModel::Wait> MainModel::next_of(const Wait& wait) const {
  const Member& partner = members_[wait.partner];
  for (const Running& running : partner.beside) {
    const FabricStep& step = partner.path->steps[running.step];
    const bool serves = std::ranges::any_of(step.operands, [&](const auto& operand) {
      return operand.colour == wait.operand.colour && operand.receives != wait.operand.receives;
    });
    if (serves && running.done < step.elements) return wait_of(wait.partner, running);
  }
  return wait_of(wait.partner);
}

}  // namespace wse::assembler
