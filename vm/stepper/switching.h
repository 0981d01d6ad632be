// Changes of how routers treat a colour: control wavelets, advances, writes of their PEs.
#pragma once

#include <unordered_map>
#include <vector>

#include "vm/contract/router_rules.h"
#include "vm/stepper/router_state.h"

namespace wse::vm {

class Switching {
 public:
  // `state` must live longer too.
  Switching(const FabricParts& parts, RouterState& state);

  // Command 0 of a control wavelet acts on the channel; the wavelet as it travels on.
  Wavelet obey(Channel& channel, Wavelet wavelet, bool goes_on, Cycle now);
  void obey_advance(Channel& channel, Cycle now);

  // ---- by code of PEs, see Transport
  Transport::Writable writable(ChannelId channel) const;
  void write(const ConfigurationWrite& write);
  // Some of this cycle have not been applied.
  bool has_writes() const { return !writes_.empty(); }
  // Applies what was written in this cycle, for the next one on: all routers have moved.
  void apply_writes(Cycle now);

 private:
  // Position and teardown become what the rules say (router_rules.h).
  void change(Channel& channel, const SwitchState& next, Cycle now);
  // After a move of its router, or by its PE.
  void tell_position(const Channel& channel, Cycle now);
  void tell_causes(const Channel& channel, bool by_move, Cycle now);
  void apply(const ConfigurationWrite& write, Cycle now);

  const isa::Profile& profile_;
  RouterState& state_;
  Agenda& agenda_;
  Ledger& ledger_;
  TransportClient& client_;
  std::vector<ConfigurationWrite> writes_;  // of this cycle
  // The last routing that is among them, of the channels that have one: all PEs may write in one
  // cycle, and each write asks what was written before.
  std::unordered_map<ChannelId, const isa::Routing*> written_;
};

}  // namespace wse::vm
